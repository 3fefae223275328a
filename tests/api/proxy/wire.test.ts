import { once } from 'node:events';
import { connect } from 'node:net';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { sendRaw } from '../../support/clients/http-client.ts';
import { forTests } from '../../support/for-tests.ts';
import {
  chatPath,
  startInProcessProxy,
  toRequestJson,
} from '../../support/servers/in-process-proxy.ts';
import { examineChatStream } from '../../support/upstreams/chat-stream.ts';

const model = 'lantern-demo/wick-3-mini';

const proxy = forTests(() => startInProcessProxy());

type RawOptions = Readonly<{ version?: string; headers?: readonly string[] }>;

function toHead({ version = '1.1', headers = [] }: RawOptions = {}): string {
  const lines = [
    `POST ${chatPath} HTTP/${version}`,
    'Host: a',
    `Authorization: Bearer ${proxy.key}`,
    'Content-Type: application/json',
    ...headers,
  ];
  return `${lines.join('\r\n')}\r\n\r\n`;
}

function toWhole(body: string, headers: readonly string[] = []): string {
  return toHead({ headers: [`Content-Length: ${body.length}`, ...headers] }) + body;
}

const text = (isStream: boolean) => JSON.stringify(toRequestJson(chatPath, model, isStream));

async function expectAlive(): Promise<void> {
  const response = await proxy.post(chatPath, proxy.key, toRequestJson(chatPath, model));
  expect(response.status).toBe(200);
  await response.bytes();
}

test('a stream over HTTP/1.0 ends with its connection', async () => {
  const body = text(true);
  const headers = [`Content-Length: ${body.length}`];

  const response = await sendRaw(proxy, toHead({ version: '1.0', headers }) + body);

  expect(response.status).toBe(200);
  expect(response.header('transfer-encoding')).toBe('');
  expect(examineChatStream(response.text)).toMatchObject({ problems: [], error: null });
});

test('a body in chunks of one byte is read', async () => {
  const chunks = [...text(false)].map((character) => `1\r\n${character}\r\n`).join('');
  const headers = ['Transfer-Encoding: chunked', 'Connection: close'];

  const response = await sendRaw(proxy, `${toHead({ headers })}${chunks}0\r\n\r\n`);

  expect(response.status).toBe(200);
});

test.each([
  ['a chunk with an invalid size', 'zz\r\n'],
  ['a chunk longer than its size', '2\r\n{"model"\r\n'],
])('%s closes only its own connection', async (_, chunk) => {
  const headers = ['Transfer-Encoding: chunked'];

  const response = await sendRaw(proxy, toHead({ headers }) + chunk);

  expect(response.status).toBe(400);
  await expectAlive();
});

test.each([
  ['a header of 20 kB', `X-Long: ${'x'.repeat(20_000)}`, 431],
  ['a NUL in a header', 'X-Nul: a\0b', 400],
  ['a header name with a space', 'X Nul: a', 400],
  ['two lengths', 'Content-Length: 1', 400],
])('%s is rejected before the body is read', async (_, header, status) => {
  const before = proxy.modelServer.stats().requests;

  const response = await sendRaw(proxy, toWhole(text(false), [header, 'Connection: close']));

  expect(response.status).toBe(status);
  expect(proxy.modelServer.stats().requests).toBe(before);
  await expectAlive();
});

test('a request with two API keys uses neither', async () => {
  const other = `Authorization: Bearer mq_${'0'.repeat(49)}`;

  const response = await sendRaw(proxy, toWhole(text(false), [other, 'Connection: close']));

  expect(response.status).toBe(401);
});

test.each(['Host: a', 'HOST: evil.example', 'host:'])(
  'a request with a second Host header (%s) is a 400, from the cache, too',
  async (host) => {
    const modelServer = proxy.modelServer.stats().requests;
    const body = text(false);
    const generation = await sendRaw(proxy, toWhole(body, [host, 'Connection: close']));
    const models = `GET /proxy/v1/models HTTP/1.1\r\nHost: a\r\nConnection: close\r\n`;
    expect((await sendRaw(proxy, `${models}\r\n`)).status).toBe(200);
    const cached = await sendRaw(proxy, `${models}${host}\r\n\r\n`);

    expect([generation.status, cached.status]).toEqual([400, 400]);
    expect(proxy.modelServer.stats().requests).toBe(modelServer);
  },
);

test('a wrong key is rejected before its body arrives', async () => {
  const head = toHead({ headers: ['Content-Length: 1000', 'Connection: close'] });
  const socket = connect(proxy.port, '127.0.0.1');
  socket.write(head.replace(proxy.key, 'mq_wrong'));

  const [bytes] = await once(socket, 'data');

  expect(String(bytes)).toMatch(/^HTTP\/1\.1 401 /);
  socket.destroy();
});

test('a wrong key with a body of 4 MB is rejected before the body is read', async () => {
  const body = '['.repeat(4 * 1024 * 1024);
  const response = await sendRaw(
    proxy,
    toWhole(body, ['Connection: close']).replace(proxy.key, 'mq_no'),
  );

  expect(response.status).toBe(401);
});

test('with Expect: 100-continue a wrong key is rejected without asking for the body', async () => {
  const headers = ['Content-Length: 4000000', 'Expect: 100-continue'];
  const socket = connect(proxy.port, '127.0.0.1');
  socket.write(toHead({ headers }).replace(proxy.key, 'mq_wrong'));

  let received = '';
  for await (const chunk of socket) received += chunk;

  expect(received).toMatch(/^HTTP\/1\.1 401 /);
  expect(received).toMatch(/^connection: close/im);
});

test('a pipelined request is not parsed as the body of the first one', async () => {
  const smuggled = `GET /proxy/v1/models HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`;

  const response = await sendRaw(proxy, toWhole('{}') + smuggled);

  expect(response.status).toBe(400);
  expect(response.text).toMatch(/HTTP\/1\.1 200 OK[\s\S]*"object":"list"/);
});

test('a client that closes its half of the connection leaves no request open', async () => {
  const socket = connect(proxy.port, '127.0.0.1');
  socket.resume().end(toWhole(JSON.stringify(toRequestJson(chatPath, 'fault/hang', true))));
  await once(socket, 'close');

  await expect.poll(() => proxy.modelServer.stats().openRequests).toBe(0);
  await expectAlive();
});

test('Expect: 100-continue gets a 100, then the response', async () => {
  const socket = connect(proxy.port, '127.0.0.1');
  const body = text(false);
  const headers = [`Content-Length: ${body.length}`, 'Expect: 100-continue', 'Connection: close'];
  socket.write(toHead({ headers }));
  const [first] = await once(socket, 'data');
  expect(String(first)).toMatch(/^HTTP\/1\.1 100 /);

  socket.write(body);

  let received = '';
  for await (const chunk of socket) received += chunk;
  expect(received).toMatch(/^HTTP\/1\.1 200 /);
});

test.each([
  ['gzip', gzipSync],
  ['zstd', zstdCompressSync],
] as const)('a body that is compressed with %s is read', async (encoding, compress) => {
  const body = compress(Buffer.from(text(true)));

  const response = await proxy.post(chatPath, proxy.key, '', {
    body,
    headers: { 'content-encoding': encoding },
  });

  expect(response.status).toBe(200);
  expect(examineChatStream(await response.text())).toMatchObject({ problems: [], error: null });
});

test('compressed bodies that would fill the memory are rejected, and others get through', async () => {
  const bomb = zstdCompressSync(Buffer.alloc(64 * 1024 * 1024, ' '));
  const headers = { 'content-encoding': 'zstd' };
  const bombs = Array.from({ length: 20 }, () =>
    proxy.post(chatPath, proxy.key, '', { body: bomb, headers }),
  );

  await expectAlive();
  for (const { status } of await Promise.all(bombs)) expect(status).toBe(413);
});

// Through a proxy in front, which does not pass on Connection and Upgrade, it looks like the second one.
test.each([
  ['as it is', ['Connection: Upgrade', 'Upgrade: websocket']],
  ['without the headers of its connection', []],
])('a WebSocket handshake is a 426, %s, with which Codex goes on by HTTP', async (_, headers) => {
  const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==';
  const lines = ['GET /proxy/v1/responses HTTP/1.1', 'Host: a', ...headers, key];

  const response = await sendRaw(proxy, `${lines.join('\r\n')}\r\n\r\n`);

  expect(response.status).toBe(426);
  expect(response.header('connection')).toBe('Upgrade, close');
  expect(response.header('upgrade')).toBe('HTTP/1.1');
  expect(JSON.parse(response.text).error.code).toBe('upgrade_required');
});

test('an Upgrade header does not bypass the proxy', async () => {
  const headers = ['Connection: Upgrade', 'Upgrade: websocket'];
  const socket = connect(proxy.port, '127.0.0.1');
  socket.write(toWhole('{}', headers));

  const [bytes] = await once(socket, 'data');

  expect(String(bytes)).toMatch(/^HTTP\/1\.1 400 /);
  expect(String(bytes)).toContain('"type":"invalid_request_error"');
  socket.destroy();
});
