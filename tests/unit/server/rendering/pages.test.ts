import { expect, test, vi } from 'vitest';
import { loadConfig } from '#lib/config/config.ts';
import { createPages } from '#lib/server/rendering/pages.ts';
import { createServices } from '#lib/services.ts';
import { toUnknownPage } from '#lib/site/pages/classify-url.ts';
import { makeTestFolder } from '../../../support/temporary-folder.ts';
import { createTestLog } from '../../../support/test-log.ts';

function makeServices(isOverloaded: boolean) {
  const config = loadConfig({ DATA_DIR: makeTestFolder() });
  const services = createServices(config, { log: createTestLog() });
  return { ...services, load: { ...services.load, isOverloaded: () => isOverloaded } };
}

test('while the server is overloaded, pages are a 503 and nothing is rendered', async () => {
  const render = vi.fn();
  const pages = createPages(render, makeServices(true));

  const response = await pages(new Request('http://localhost/'), toUnknownPage('/'));

  expect(response.status).toBe(503);
  expect(response.headers.get('retry-after')).toBe('2');
  expect(await response.text()).toContain('Try again');
  expect(render).not.toHaveBeenCalled();
});

test('an error page that Next could not render is not stored', async () => {
  const render = vi
    .fn()
    .mockImplementationOnce(async (_, outgoing) => outgoing.writeHead(500).end('broken'))
    .mockImplementation(async (_, outgoing) => outgoing.writeHead(404).end('not here'));
  const pages = createPages(render, makeServices(false));
  const respond = () => pages(new Request('http://localhost/x'), toUnknownPage('/x'));

  await expect(respond()).rejects.toThrow('Next rendered /404 as a 500.');
  const response = await respond();

  expect(response.status).toBe(404);
  expect(await response.text()).toBe('not here');
});
