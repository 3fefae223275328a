import type { RequestListener } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import {
  type AttachmentFetcherOptions,
  createAttachmentFetcher,
} from '#lib/site/media/pictures/fetch-attachment.ts';
import { openFileServer } from '../../../../support/servers/file-server.ts';

function openFetcher(options: Partial<AttachmentFetcherOptions> & { apiUrl: string }) {
  const fetcher = createAttachmentFetcher({ hosts: [], timeoutMs: 300, ...options });
  onTestFinished(() => fetcher.close());
  return fetcher;
}

/** A server, and what a fetcher gets from it. */
async function fetchFrom(
  listener: RequestListener,
  options: Partial<AttachmentFetcherOptions> = {},
) {
  const files = await openFileServer(listener);
  return openFetcher({ apiUrl: files.url, ...options }).fetch(`${files.url}/a`);
}

test('a URL on the API’s origin is fetched', async () => {
  const files = await openFileServer((_, response) => response.end('bytes'));
  const fetcher = openFetcher({ apiUrl: `${files.url}/mirror` });
  const result = await fetcher.fetch(`${files.url}/attachments/a`);
  expect(result).toEqual({ ok: true, bytes: Buffer.from('bytes') });
});

test.each([
  'http://127.0.0.1:PORT2/a',
  'http://localhost:PORT/a',
  'http://user@127.0.0.1:PORT/a',
  'http://user:pass@127.0.0.1:PORT/a',
  'https://127.0.0.1:PORT/a',
  'http://169.254.169.254/latest/meta-data/',
  'http://files.example/a',
  'https://files.example.evil.example/a',
  'https://files.example:8443/a',
  'https://files.example@127.0.0.1:PORT/a',
  'https://[::1]/a',
  'https://0x7f000001/a',
  'ftp://files.example/a',
  'file:///etc/passwd',
  'data:image/png;base64,AAAA',
  '//files.example/a',
  '',
])('%s is not fetched', async (template) => {
  const files = await openFileServer((_, response) => response.end('bytes'));
  const other = await openFileServer((_, response) => response.end('bytes'));
  const fetcher = openFetcher({ apiUrl: files.url, hosts: ['files.example'] });
  const url = template.replace('PORT2', String(other.port)).replace('PORT', String(files.port));
  expect(await fetcher.fetch(url)).toEqual({ ok: false, reason: 'not_allowed' });
  expect([...files.requestedPaths, ...other.requestedPaths]).toEqual([]);
});

// ASVS 13.2.4, 13.2.5
test('an allowed host is fetched over HTTPS only', async () => {
  const fetcher = openFetcher({ apiUrl: 'https://api.example', hosts: ['127.0.0.1:9'] });
  expect(await fetcher.fetch('https://127.0.0.1:9/a')).toEqual({ ok: false, reason: 'network' });
  expect(await fetcher.fetch('http://127.0.0.1:9/a')).toEqual({ ok: false, reason: 'not_allowed' });
});

// ASVS 15.3.2
test.each([301, 302, 303, 307, 308])('a redirect by %i is not followed', async (status) => {
  const inner = await openFileServer((_, response) => response.end('secret'));
  const location = `${inner.url}/secret`;
  const result = await fetchFrom((_, response) => response.writeHead(status, { location }).end());
  expect(result).toEqual({ ok: false, reason: 'redirected' });
  expect(inner.requestedPaths).toEqual([]);
});

test.each([204, 206, 400, 403, 404, 410, 500, 503])(
  'the status %i is a failure',
  async (status) => {
    const result = await fetchFrom((_, response) => response.writeHead(status).end());
    expect(result).toEqual({ ok: false, reason: 'rejected' });
  },
);

test.each<[string, RequestListener]>([
  ['never responds', () => {}],
  ['sends headers only', (_, response) => void response.writeHead(200).flushHeaders()],
  [
    'sends byte by byte',
    async (_, response) => {
      while (!response.destroyed) {
        response.write('x');
        await delay(20, undefined, { ref: false });
      }
    },
  ],
])('an upstream that %s times out', async (_, listener) => {
  expect(await fetchFrom(listener)).toEqual({ ok: false, reason: 'timeout' });
});

test.each<[string, RequestListener]>([
  ['hangs up', (request) => void request.socket.destroy()],
  [
    'ends in the middle',
    (_, response) => {
      response.writeHead(200, { 'content-length': 1000 });
      response.write('part', () => response.destroy());
    },
  ],
])('an upstream that %s is a network failure', async (_, listener) => {
  expect(await fetchFrom(listener)).toEqual({ ok: false, reason: 'network' });
});

// ASVS 5.2.1
test('a body with a too large Content-Length is not read', async () => {
  const send: RequestListener = (_, response) => {
    response.writeHead(200, { 'content-length': 5000 }).write('x');
  };
  expect(await fetchFrom(send, { bytesMax: 4999 })).toEqual({ ok: false, reason: 'too_large' });
});

test('a body without Content-Length is read up to the limit, then the connection is closed', async () => {
  let sent = 0;
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const pour: RequestListener = (_, response) => {
    response.on('close', resolve);
    const write = () => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536))) sent += 65_536;
      if (!response.destroyed) response.once('drain', write);
    };
    write();
  };
  const result = await fetchFrom(pour, { bytesMax: 1_000_000, timeoutMs: 5000 });
  expect(result).toEqual({ ok: false, reason: 'too_large' });
  await closed;
  expect(sent).toBeLessThan(50_000_000);
});
