import { expect, onTestFinished, test, vi } from 'vitest';
import { loadConfig } from '#lib/config/config.ts';
import { createPages } from '#lib/server/rendering/pages.ts';
import { createServices } from '#lib/services.ts';
import { classifyUrl, toUnknownPage } from '#lib/site/pages/classify-url.ts';
import { makeTestFolder } from '../../../support/temporary-folder.ts';
import { createTestLog } from '../../../support/test-log.ts';

function makeServices(isOverloaded: boolean) {
  const config = loadConfig({ DATA_DIR: makeTestFolder() });
  const services = createServices(config, { log: createTestLog() });
  onTestFinished(services.close);
  services.load.isOverloaded = isOverloaded;
  return services;
}

function makeMemberServices() {
  const log = createTestLog();
  const config = loadConfig({
    DATA_DIR: makeTestFolder(),
    SITE_URL: 'https://events.example',
    OIDC_ISSUER: 'https://id.example',
    OIDC_CLIENT_ID: 'marquee',
    OIDC_CLIENT_SECRET: 'secret-of-the-client',
    MEMBERS_ALLOWED: '*',
  });
  const services = createServices(config, { log });
  onTestFinished(services.close);
  return { services, log };
}

function toPage(path: string) {
  const [pathname = '', search = ''] = path.split(/(?=\?)/);
  const url = classifyUrl(pathname, search, 'text/html');
  if (url.kind !== 'page') throw new Error(`${path} is a ${url.kind}.`);
  return url.page;
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

test('a private page is compressed, unless it shows a new key or text of the request', async () => {
  const render = vi.fn(async (_, outgoing) => outgoing.writeHead(200).end('<p>Account</p>'));
  const { services } = makeMemberServices();
  const pages = createPages(render, services);
  const readEncoding = async (path: string, cookie = '') => {
    const request = new Request(`http://localhost${path}`, {
      headers: { cookie, 'accept-encoding': 'gzip' },
    });
    return (await pages(request, toPage(path))).headers.get('content-encoding');
  };

  expect(await readEncoding('/account')).toBe('gzip');
  expect(await readEncoding('/account?problem=denied')).toBeNull();
  const [newKey = ''] = services.members?.newKey.write('a new key').split(';') ?? [];
  expect(await readEncoding('/account', newKey)).toBeNull();
});

test('a page that finds no room in the queue is a 503, and one that takes too long a 504', async () => {
  const deadline = new AbortController();
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(deadline.signal);
  onTestFinished(() => timeout.mockRestore());
  const { services, log } = makeMemberServices();
  const pages = createPages(() => new Promise(() => {}), services);
  // One is rendered, 32 wait, and one is too many.
  const responses = Array.from({ length: 34 }, () =>
    pages(new Request('http://localhost/account'), toPage('/account')),
  );
  const full = await Promise.race(responses);
  expect([full.status, full.headers.get('retry-after')]).toEqual([503, '2']);
  deadline.abort();
  const statuses = (await Promise.all(responses)).map(({ status }) => status);
  expect(statuses.toSorted()).toEqual([503, ...Array(33).fill(504)].toSorted());
  expect(log.lines[0]).toMatchObject({ fields: { reason: 'queue-full', url: '/account' } });
  expect(log.lines.slice(1)).toMatchObject(Array(33).fill({ fields: { reason: 'timed-out' } }));
});
