import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { examineChatStream } from '../../support/chat-stream.ts';
import { sendRaw } from '../../support/http-client.ts';
import {
  chatPath,
  type InProcessProxy,
  startInProcessProxy,
  toRequestJson,
} from '../../support/in-process-proxy.ts';

const model = 'lantern-demo/wick-3-mini';
const patience = { timeout: 10_000 };

let house: InProcessProxy;
let key: string;
beforeAll(async () => {
  house = await startInProcessProxy();
  key = (await house.makeKey()).text;
});
afterAll(() => house[Symbol.asyncDispose]());

type RawOptions = Readonly<{ version?: string; headers?: readonly string[] }>;

function toHead({ version = '1.1', headers = [] }: RawOptions = {}): string {
  const lines = [
    `POST ${chatPath} HTTP/${version}`,
    ...['Host: a', `Authorization: Bearer ${key}`, 'Content-Type: application/json'],
    ...headers,
  ];
  return `${lines.join('\r\n')}\r\n\r\n`;
}

function toWhole(body: string, headers: readonly string[] = []): string {
  return toHead({ headers: [`Content-Length: ${body.length}`, ...headers] }) + body;
}

const text = (isStream: boolean) => JSON.stringify(toRequestJson(chatPath, model, isStream));

async function expectAlive(): Promise<void> {
  const response = await house.post(chatPath, key, toRequestJson(chatPath, model));
  expect(response.status).toBe(200);
  await response.bytes();
}

test('HTTP/1.0 gets a stream that ends with its connection', async () => {
  const body = text(true);
  const headers = [`Content-Length: ${body.length}`];

  const answer = await sendRaw(house, toHead({ version: '1.0', headers }) + body);

  expect(answer.status).toBe(200);
  expect(answer.header('transfer-encoding')).toBe('');
  expect(examineChatStream(answer.text)).toMatchObject({ problems: [], error: null });
});

test('a body in chunks of one byte is read', async () => {
  const chunks = [...text(false)].map((one) => `1\r\n${one}\r\n`).join('');
  const headers = ['Transfer-Encoding: chunked', 'Connection: close'];

  const answer = await sendRaw(house, `${toHead({ headers })}${chunks}0\r\n\r\n`);

  expect(answer.status).toBe(200);
});

test.each([
  ['a chunk whose size is none', 'zz\r\n'],
  ['a chunk that is longer than it says', '2\r\n{"model"\r\n'],
])('%s ends that connection alone', async (_, chunk) => {
  const headers = ['Transfer-Encoding: chunked'];

  const answer = await sendRaw(house, toHead({ headers }) + chunk);

  expect(answer.status).toBe(400);
  await expectAlive();
});

test.each([
  ['a header of 20 kB', `X-Long: ${'x'.repeat(20_000)}`, 431],
  ['a NUL in a header', 'X-Nul: a\0b', 400],
  ['a name with a blank', 'X Nul: a', 400],
  ['two lengths', 'Content-Length: 1', 400],
])('%s is refused before anything is read of the body', async (_, header, status) => {
  const before = house.modelServer.stats().requests;

  const answer = await sendRaw(house, toWhole(text(false), [header, 'Connection: close']));

  expect(answer.status).toBe(status);
  expect(house.modelServer.stats().requests).toBe(before);
  await expectAlive();
});

test('of two keys the first counts, and they are never joined', async () => {
  const other = `Authorization: Bearer mq_${'0'.repeat(49)}`;

  const answer = await sendRaw(house, toWhole(text(false), [other, 'Connection: close']));

  expect(answer.status).toBe(200);
});

test('a wrong key is refused before its body has come', async () => {
  const head = toHead({ headers: ['Content-Length: 1000', 'Connection: close'] });
  const socket = connect(house.port, '127.0.0.1');
  socket.write(head.replace(key, 'mq_wrong'));

  const [bytes] = await once(socket, 'data');

  expect(String(bytes)).toMatch(/^HTTP\/1\.1 401 /);
  socket.destroy();
});

test('a second request on a connection is not taken for the rest of the first', async () => {
  const smuggled = `GET /proxy/v1/models HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`;

  const answer = await sendRaw(house, toWhole('{}') + smuggled);

  expect(answer.status).toBe(400);
  expect(answer.text).toMatch(/HTTP\/1\.1 200 OK[\s\S]*"object":"list"/);
});

test('a caller who closes its half of the connection leaves nothing open', async () => {
  const socket = connect(house.port, '127.0.0.1');
  socket.resume().end(toWhole(JSON.stringify(toRequestJson(chatPath, 'fault/hang', true))));
  await once(socket, 'close');

  await vi.waitFor(() => expect(house.modelServer.stats().openRequests).toBe(0), patience);
  await expectAlive();
});

test('a caller who says that a body follows, and waits to be asked for it, is asked', async () => {
  const socket = connect(house.port, '127.0.0.1');
  const body = text(false);
  const headers = [`Content-Length: ${body.length}`, 'Expect: 100-continue', 'Connection: close'];
  socket.write(toHead({ headers }));
  const [first] = await once(socket, 'data');
  expect(String(first)).toMatch(/^HTTP\/1\.1 100 /);

  socket.write(body);

  let answer = '';
  for await (const chunk of socket) answer += chunk;
  expect(answer).toMatch(/^HTTP\/1\.1 200 /);
});

test('an upgrade is not a way past the proxy', async () => {
  const headers = ['Connection: Upgrade', 'Upgrade: websocket'];
  const socket = connect(house.port, '127.0.0.1');
  socket.write(toWhole('{}', headers));

  const [bytes] = await once(socket, 'data');

  expect(String(bytes)).toMatch(/^HTTP\/1\.1 400 /);
  expect(String(bytes)).toContain('"type":"invalid_request_error"');
  socket.destroy();
});
