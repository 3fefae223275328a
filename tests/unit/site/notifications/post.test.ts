import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { post } from '#lib/site/notifications/post.ts';
import { isInstalled } from '../../../programs.ts';
import { patienceMs } from '../../../support/patience.ts';
import { createCertificate } from '../../../support/programs/nginx.ts';
import { openFileServer } from '../../../support/servers/file-server.ts';
import { listenOnLoopback } from '../../../support/servers/loopback-server.ts';
import { makeTestFolder } from '../../../support/temporary-folder.ts';

async function listen(listener: RequestListener): Promise<URL> {
  const { url } = await openFileServer(listener);
  return new URL('/hook', url);
}

const now = () => Date.parse('2026-03-10T12:00:00Z');

const send = (url: URL, signal = AbortSignal.timeout(patienceMs)) =>
  post({ url, headers: { 'content-type': 'application/json' }, body: '{}', signal, now });

test.each([
  [200, 'delivered'],
  [204, 'delivered'],
  [301, 'failed'],
  [404, 'failed'],
  [410, 'failed'],
  [500, 'failed'],
])('a %s is %s, and its text is not told', async (status, outcome) => {
  const url = await listen((_, response) => void response.writeHead(status).end('s3cret'));
  expect(await send(url)).toEqual({ outcome, result: String(status), status });
});

test.each([
  [429, '120', 120_000],
  [503, 'Tue, 10 Mar 2026 12:00:30 GMT', 30_000],
  [429, 'soon', undefined],
  [500, '120', undefined],
  [204, '120', undefined],
])('a %s with Retry-After: %s is left alone for %s ms', async (status, value, retryAfterMs) => {
  const headers = { 'retry-after': value };
  const url = await listen((_, response) => void response.writeHead(status, headers).end());
  expect((await send(url)).retryAfterMs).toBe(retryAfterMs);
});

test('a redirect is not followed', async () => {
  const paths: (string | undefined)[] = [];
  const url = await listen((request, response) => {
    paths.push(request.url);
    response.writeHead(307, { location: '/elsewhere' }).end();
  });
  expect(await send(url)).toMatchObject({ outcome: 'failed', result: '307' });
  expect(paths).toEqual(['/hook']);
});

test('of a body of 10 MB next to nothing is read', async () => {
  let written = 0;
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const url = await listen((_, response) => {
    response.on('close', () => resolve());
    const chunk = Buffer.alloc(64 * 1024);
    const write = () => {
      while (written < 10_000_000 && !response.destroyed) {
        written += chunk.length;
        if (!response.write(chunk)) return void response.once('drain', write);
      }
    };
    write();
  });
  expect(await send(url)).toMatchObject({ outcome: 'delivered' });
  await closed;
  expect(written).toBeLessThan(8_000_000);
});

test('a body that never ends holds up nothing', async () => {
  const url = await listen((_, response) => void response.writeHead(200).write('x'));
  expect(await send(url)).toMatchObject({ outcome: 'delivered' });
});

test('a target that never answers, or sends its headers byte by byte, times out', async () => {
  const silent = await listen(() => {});
  const slow = await listen((request) => {
    const timer = setInterval(() => request.socket.write('H'), 50);
    request.socket.on('close', () => clearInterval(timer));
  });
  for (const url of [silent, slow]) {
    const result = await send(url, AbortSignal.timeout(300));
    expect(result).toMatchObject({ outcome: 'failed', status: null });
    expect(result.result).toMatch(/^(?:timed out|no response)$/);
  }
});

test('a connection that is refused or closed is told in our words', async () => {
  const url = await listen((request) => request.socket.destroy());
  expect((await send(url)).result).toBe('connection closed');
  expect((await send(new URL('http://127.0.0.1:1/'))).result).toBe('connection refused');
});

// ASVS 12.3.2
test.skipIf(!isInstalled('openssl'))(
  'a target whose certificate nobody vouches for gets nothing',
  async () => {
    const folder = makeTestFolder();
    const cert = await createCertificate(folder);
    const key = readFileSync(join(folder, 'privkey.pem'));
    let requests = 0;
    await using server = await listenOnLoopback(
      createSecureServer({ cert, key }, (_, response) => {
        requests += 1;
        response.end();
      }),
    );
    const { outcome } = await send(new URL(`https://localhost:${server.port}/hook`));
    expect([outcome, requests]).toEqual(['failed', 0]);
  },
);

// ASVS 1.3.6
test('the connection goes to the pinned address, whatever the name resolves to', async () => {
  const hosts: (string | undefined)[] = [];
  const { port } = await listen((request, response) => {
    hosts.push(request.headers.host);
    response.end();
  });
  const result = await post({
    url: new URL(`http://hooks.public.example:${port}/`),
    addresses: [{ address: '127.0.0.1', family: 4 }],
    headers: {},
    body: '{}',
    signal: AbortSignal.timeout(patienceMs),
    now,
  });
  expect(result).toMatchObject({ outcome: 'delivered' });
  expect(hosts).toEqual([`hooks.public.example:${port}`]);
});
