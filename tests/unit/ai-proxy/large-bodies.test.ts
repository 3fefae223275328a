import { request as startRequest } from 'node:http';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { makeKeyInput } from '../../support/factories/key-services.ts';
import { makeKeyOwner, makeMember } from '../../support/factories/member-factory.ts';
import { startBilledProxy } from '../../support/servers/billed-proxy.ts';
import { chatPath, messagesPath, responsesPath } from '../../support/servers/in-process-proxy.ts';
import { type Script, toPricing } from '../../support/upstreams/billing-upstream.ts';

const megabyte = 1024 * 1024;
const counts = { input: 100, output: 60 };

/** `held/…` models reply once they are released. @param bytesMax of all bodies */
function start(bytesMax: number | null, script: Partial<Script> = {}) {
  const models = Object.fromEntries(
    ['free', 'held/1', 'held/2', 'held/3'].map((id) => [id, { pricing: toPricing(1, 10) }]),
  );
  return startBilledProxy({
    models,
    toScript: ({ model }) => ({
      reply: { counts },
      ...script,
      ...(model.startsWith('held/') && { outcome: 'held' as const }),
    }),
    environment: bytesMax === null ? {} : { PROXY_BODIES_BYTES_MAX: String(bytesMax) },
  });
}

type Billed = Awaited<ReturnType<typeof start>>;

const toBody = (model: string, bytes: number, fields: object = {}) => ({
  model,
  max_tokens: 100,
  messages: [{ role: 'user', content: 'abcd'.repeat(bytes / 4) }],
  ...fields,
});

async function send({ proxy }: Billed, key: string, body: object, init: RequestInit = {}) {
  const response = await proxy.post(chatPath, key, body, init);
  const text = await response.text();
  return {
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
    code: response.ok ? null : JSON.parse(text).error.code,
  };
}

const full = { status: 503, retryAfter: '2', code: 'server_is_overloaded' };
const passed = { status: 200, retryAfter: null, code: null };

// cc-router 41, llm-gateway 2126, claude-code-proxy 152, claudex 6
test.each([
  [
    'chat',
    chatPath,
    (url: string) => ({
      messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }],
    }),
  ],
  [
    'Responses',
    responsesPath,
    (url: string) => ({
      input: [{ role: 'user', content: [{ type: 'input_image', image_url: url }] }],
    }),
  ],
  [
    'Messages',
    messagesPath,
    (url: string) => {
      const source = { type: 'base64', media_type: 'image/png', data: url.split(',')[1] };
      const messages = [{ role: 'user', content: [{ type: 'image', source }] }];
      return { max_tokens: 50, messages };
    },
  ],
] as const)('screenshots of 20 MB pass by default: %s', async (_, path, toPrompt) => {
  await using billed = await start(null);
  const key = await billed.proxy.makeKey({});
  const url = `data:image/png;base64,${'A'.repeat(20 * megabyte)}`;
  for (const stream of [false, true]) {
    const body = { model: 'free', stream, ...toPrompt(url) };
    const response = await billed.proxy.post(path, key.text, body);
    await response.bytes();
    expect(response.status).toBe(200);
  }
  expect(billed.upstream.requests).toHaveLength(2);
});

test('a body that finds no room is a 503 that says when to come back, until another one ends', async () => {
  await using billed = await start(4 * megabyte);
  const [one, other] = [await billed.proxy.makeKey({}), await billed.proxy.makeKey({})];
  // With what is made of it, 3 of 4 MB.
  const first = send(billed, one.text, toBody('held/1', 600 * 1024));
  await billed.upstream.reached('held/1');

  expect(await send(billed, other.text, toBody('free', 300 * 1024))).toEqual(full);
  // A small one passes.
  expect(await send(billed, other.text, toBody('free', 1024))).toEqual(passed);

  const waiting = send(billed, other.text, toBody('free', 300 * 1024));
  billed.upstream.release('held/1');
  expect(await first).toEqual(passed);
  expect(await waiting).toEqual(passed);
  expect(await send(billed, other.text, toBody('free', 300 * 1024))).toEqual(passed);
});

test('one key has at most a quarter, unless it has a single body', async () => {
  await using billed = await start(16 * megabyte);
  const [one, other] = [await billed.proxy.makeKey({}), await billed.proxy.makeKey({})];
  const running = send(billed, one.text, toBody('held/1', 700 * 1024, { stream: true }));
  await billed.upstream.reached('held/1');

  expect(await send(billed, one.text, toBody('free', 300 * 1024))).toEqual(full);
  expect(await send(billed, other.text, toBody('free', 700 * 1024))).toEqual(passed);
  billed.upstream.release('held/1');
  expect(await running).toEqual(passed);
  expect(await send(billed, one.text, toBody('free', 2 * megabyte))).toEqual(passed);
});

test('a member has a quarter with all keys', async () => {
  await using billed = await start(16 * megabyte);
  const { database, register, makeKey } = billed.proxy;
  await database.members.save(makeMember());
  const toKey = (name: string) => register.create(makeKeyInput({ name }), makeKeyOwner());
  const [one, another] = [await toKey('one'), await toKey('another')];
  const running = send(billed, one.text, toBody('held/1', 700 * 1024));
  await billed.upstream.reached('held/1');

  expect(await send(billed, another.text, toBody('free', 300 * 1024))).toEqual(full);
  const other = await makeKey({});
  expect(await send(billed, other.text, toBody('free', 700 * 1024))).toEqual(passed);
  billed.upstream.release('held/1');
  expect(await running).toEqual(passed);
});

test.each([true, false])(
  'a slow body counts, whether its length is known or not (%s)',
  async (isKnown) => {
    await using billed = await start(4 * megabyte);
    const [one, other] = [await billed.proxy.makeKey({}), await billed.proxy.makeKey({})];
    const slow = startRequest(billed.proxy.url + chatPath, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${one.text}`,
        'content-type': 'application/json',
        ...(isKnown && { 'content-length': 600 * 1024 }),
      },
    });
    slow.on('error', () => {});
    slow.write(' '.repeat(isKnown ? 1 : 600 * 1024));
    // Until it is read: one that grows meanwhile would be the one without room.
    for (let count = 0; count < 20; count++) {
      expect(await send(billed, other.text, toBody('free', 1024))).toEqual(passed);
    }
    expect(await send(billed, other.text, toBody('free', 300 * 1024))).toEqual(full);
    slow.destroy();
    await expect
      .poll(async () => (await send(billed, other.text, toBody('free', 300 * 1024))).status)
      .toBe(200);
  },
);

test('bodies that are rejected, and replies that fail, leave their room', async () => {
  await using billed = await start(4 * megabyte, { status: 500, errorBody: { error: {} } });
  const key = await billed.proxy.makeKey({});
  const large = toBody('free', 600 * 1024);
  for (let count = 0; count < 3; count++) {
    expect((await send(billed, key.text, large)).status).toBe(502);
    expect((await send(billed, key.text, { ...large, temperature: 'hot' })).status).toBe(400);
    const left = billed.proxy.post(
      chatPath,
      key.text,
      { ...large, stream: true },
      {
        signal: AbortSignal.timeout(1),
      },
    );
    await left.then((response) => response.bytes()).catch(() => {});
  }
  // By now the upstream may have failed too often to be called, which is another 503.
  await expect.poll(() => send(billed, key.text, large)).not.toEqual(full);
});

test('a compressed body counts with what it becomes', async () => {
  await using billed = await start(4 * megabyte);
  const [one, other] = [await billed.proxy.makeKey({}), await billed.proxy.makeKey({})];
  const zipped = gzipSync(JSON.stringify(toBody('held/1', 600 * 1024)));
  const running = fetch(billed.proxy.url + chatPath, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${one.text}`,
      'content-type': 'application/json',
      'content-encoding': 'gzip',
    },
    body: zipped,
  });
  await billed.upstream.reached('held/1');
  expect(await send(billed, other.text, toBody('free', 300 * 1024))).toEqual(full);
  billed.upstream.release('held/1');
  expect((await running).status).toBe(200);
});

// open-webui 20634
test('a picture of 8 MB in one event of a stream passes, and is not cut', async () => {
  const result = 'A'.repeat(8 * megabyte);
  const picture = { type: 'image_generation_call', id: 'ig_1', status: 'completed', result };
  await using billed = await start(null, { reply: { counts, hosted: [picture] } });
  const key = await billed.proxy.makeKey({});
  const body = { model: 'free', input: 'Hello', stream: true };
  const text = await (await billed.proxy.post(responsesPath, key.text, body)).text();
  expect(text).toContain('event: response.completed');
  expect(text.split(result).length - 1).toBeGreaterThanOrEqual(2);
  // 100 tokens and 60: as reported.
  expect((await billed.chargeOf(key)).nanoUsd).toBe(700_000);
});

// As read in Claude Code 2.1: it shortens the conversation at a 413 whose message has these words.
test.each([
  ['of this server', { PROXY_BODY_BYTES_MAX: '65536' }, {}],
  ['of an upstream', {}, { status: 413, errorBody: { error: { message: 'Too large' } } }],
] as const)(
  'a 413 %s tells Claude Code to shorten its conversation',
  async (_, environment, script) => {
    await using billed = await startBilledProxy({
      models: { free: { pricing: toPricing(1, 10) } },
      toScript: () => ({ reply: { counts }, ...script }),
      environment,
    });
    const key = await billed.proxy.makeKey({});
    const response = await billed.proxy.post(messagesPath, key.text, toBody('free', 80 * 1024));
    const { error } = await response.json();
    expect([response.status, error.type]).toEqual([413, 'request_too_large']);
    expect(error.message.toLowerCase()).toContain('context window');
  },
);
