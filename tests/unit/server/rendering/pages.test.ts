import { AsyncLocalStorage } from 'node:async_hooks';
import { expect, test, vi } from 'vitest';
import { createRepresentationStore } from '#lib/http/representations/representation-store.ts';
import { createPages } from '#lib/server/rendering/pages.ts';
import type { Services } from '#lib/services.ts';
import { testSite } from '../../../support/test-site.ts';

test('while the server is overloaded, pages are a 503 and nothing is rendered', async () => {
  const render = vi.fn();
  // An overloaded process needs no other part.
  const services = { load: { isOverloaded: () => true } } as unknown as Services;
  const pages = createPages(render, services);

  const response = await pages(new Request('http://localhost/'), { kind: 'home' } as never, '/');

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
  const services = {
    ...{ site: testSite, members: null, rendering: new AsyncLocalStorage() },
    load: { isOverloaded: () => false },
    representations: createRepresentationStore(1_000_000),
  } as unknown as Services;
  const pages = createPages(render, services);
  const respond = () => pages(new Request('http://localhost/x'), { kind: 'unknown' }, '/x');

  await expect(respond()).rejects.toThrow('Next rendered /404 as a 500.');
  const response = await respond();

  expect(response.status).toBe(404);
  expect(await response.text()).toBe('not here');
});
