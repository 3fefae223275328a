import { readFileSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test, vi } from 'vitest';
import { reloadUpstreamsOnSignal } from '#lib/server/process/reload-upstreams.ts';
import type { TestModelsOptions } from '../../support/models/test-models.ts';
import {
  chatPath,
  type InProcessProxy,
  responsesPath,
  startInProcessProxy,
  toRequestJson,
  upstreamKey,
} from '../../support/servers/in-process-proxy.ts';
import { makeTestFolder } from '../../support/temporary-folder.ts';
import { examineChatStream } from '../../support/upstreams/chat-stream.ts';
import {
  eventStream,
  startRawUpstream,
  toChatFrame,
} from '../../support/upstreams/raw-upstream.ts';

const model = 'lantern-demo/wick-3-mini';

type TwoUpstreamsOptions = Readonly<{
  /** The first upstream's response to a generation. */
  first: (response: ServerResponse) => void;
  firstFields?: object;
  secondFields?: object;
  models?: Partial<TestModelsOptions>;
  environment?: Readonly<Record<string, string>>;
}>;

/** The proxy with an upstream that fails as the test decides, and the demo's models behind it. */
async function startTwoUpstreams(options: TwoUpstreamsOptions) {
  const { first, firstFields = {}, secondFields = {}, models = {}, environment = {} } = options;
  const raw = await startRawUpstream((response, request) => {
    if (request.method === 'POST') return first(response);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":[]}');
  });
  const path = join(makeTestFolder(), 'upstreams.json');
  const proxy = await startInProcessProxy({
    models,
    environment: (modelServer) => {
      const urls = { firstUrl: raw.url, secondUrl: modelServer.url };
      writeFileSync(path, toFile({ ...urls, firstFields, secondFields }));
      return {
        AI_UPSTREAM_URL: '',
        AI_UPSTREAM_KEY: '',
        AI_UPSTREAMS_FILE: path,
        TEST_UPSTREAM_KEY: upstreamKey,
        ...environment,
      };
    },
  });
  return {
    raw,
    proxy,
    key: proxy.key,
    path,
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      await raw[Symbol.asyncDispose]();
    },
  };
}

type FileParts = Readonly<{
  firstUrl: string;
  firstFields: object;
  secondUrl: string;
  secondFields: object;
}>;

function toFile(parts: FileParts): string {
  const keyEnv = 'TEST_UPSTREAM_KEY';
  const first = { name: 'first', url: parts.firstUrl, keyEnv, protocols: ['chat', 'responses'] };
  const second = { name: 'second', url: parts.secondUrl, keyEnv, protocols: ['chat'] };
  const targets = [{ upstream: 'first' }, { upstream: 'second' }];
  return JSON.stringify({
    upstreams: [
      { ...first, ...parts.firstFields },
      { ...second, ...parts.secondFields },
    ],
    models: [
      { id: model, targets, aliases: ['cheap'] },
      { id: 'fault/hang', targets },
      { id: 'fault/400', targets },
    ],
  });
}

/** What is recorded of each request. The view of a key writes down what has ended. */
async function readUpstreams({ view, dataDir }: InProcessProxy, key: string): Promise<unknown[]> {
  await view(key);
  using database = new DatabaseSync(join(dataDir, 'marquee.db'), { readOnly: true });
  const rows = database.prepare('select upstream, status from marquee_usage order by id').all();
  return rows.map(({ upstream, status }) => [upstream, status]);
}

const json = { 'content-type': 'application/json' };

/** With what the first one may have cost, as it is recorded. */
test.each<[string, (response: ServerResponse) => void, number?]>([
  ['500', (response) => response.writeHead(500).end()],
  ['401', (response) => response.writeHead(401).end()],
  ['429', (response) => response.writeHead(429, { 'retry-after': '60' }).end()],
  [
    'an unknown model',
    (response) => response.writeHead(404, json).end('{"error":{"message":"x"}}'),
  ],
  ['a reset', (response) => response.req.socket.resetAndDestroy(), 502],
  ['HTML', (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>')],
  ['an error in a 200', (response) => response.writeHead(200, json).end('{"error":{"code":503}}')],
  [
    'heartbeats and then an error event',
    (response) => {
      response.writeHead(200, eventStream).write(': PROCESSING\n\n');
      response.end('data: {"error":{"code":502,"message":"x"}}\n\n');
    },
  ],
  [
    'a role and then the end',
    (response) => response.writeHead(200, eventStream).end(toChatFrame('')),
    502,
  ],
])('after %s the next upstream replies, in one stream', async (_, first, charged) => {
  await using fixture = await startTwoUpstreams({ first });
  const { proxy, key } = fixture;
  const response = await proxy.post(chatPath, key, toRequestJson(chatPath, model, true));
  expect(response.status).toBe(200);
  expect(examineChatStream(await response.text())).toMatchObject({
    problems: [],
    error: null,
    finishReason: 'stop',
  });
  expect(fixture.raw.seen.requests).toBeGreaterThan(0);
  const records = [...(charged === undefined ? [] : [['first', charged]]), ['second', 200]];
  await expect.poll(() => readUpstreams(proxy, key)).toEqual(records);
});

test('a whole reply comes from the next upstream too, translated for that one', async () => {
  await using fixture = await startTwoUpstreams({
    first: (response) => response.writeHead(503).end(),
    models: { isChatOnly: true },
  });
  const { proxy, key } = fixture;
  for (const path of [chatPath, responsesPath]) {
    const response = await proxy.post(path, key, toRequestJson(path, model));
    expect(response.status).toBe(200);
    await response.bytes();
  }
  expect(proxy.modelServer.stats().byPath['POST /chat/completions']).toBe(2);
});

test('a target that does not speak the client’s protocol is skipped', async () => {
  const first = vi.fn((response: ServerResponse) => {
    response.writeHead(500).end();
  });
  await using fixture = await startTwoUpstreams({
    first,
    firstFields: { protocols: ['responses', 'embeddings'] },
  });
  const { proxy, key } = fixture;
  const chat = await proxy.post(chatPath, key, toRequestJson(chatPath, model));
  expect([chat.status, first.mock.calls.length]).toEqual([200, 0]);
  await chat.bytes();
  const embedding = await proxy.post('/proxy/v1/embeddings', key, {
    model: 'lantern-demo/embed-large',
    input: 'x',
  });
  expect(embedding.status).toBe(404);
  expect((await embedding.json()).error).toMatchObject({
    code: 'model_not_found',
    message: expect.stringContaining('does not support Embeddings'),
  });
});

test('a client’s mistake is not tried again', async () => {
  const first = vi.fn((response: ServerResponse) => {
    response.writeHead(400, json).end('{"error":{"message":"temperature is too high"}}');
  });
  await using fixture = await startTwoUpstreams({ first });
  const { proxy, key } = fixture;
  const response = await proxy.post(chatPath, key, toRequestJson(chatPath, model, true));
  expect(response.status).toBe(400);
  expect(first).toHaveBeenCalledTimes(1);
  expect(proxy.modelServer.stats().byPath['POST /chat/completions']).toBeUndefined();
  await expect.poll(() => readUpstreams(proxy, key)).toEqual([['first', 400]]);
});

test('once a part of the reply is sent, a failure ends the stream', async () => {
  let breakReply = () => {};
  await using fixture = await startTwoUpstreams({
    first(response) {
      response.writeHead(200, eventStream).write(toChatFrame('One'));
      breakReply = () => void response.destroy();
    },
  });
  const { proxy, key } = fixture;
  const response = await proxy.post(chatPath, key, toRequestJson(chatPath, model, true));
  let text = '';
  for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += part;
    if (text.includes('One')) breakReply();
  }
  const report = examineChatStream(text);
  expect(report).toMatchObject({ problems: [], text: 'One' });
  expect(report.error).not.toBeNull();
  expect(proxy.modelServer.stats().byPath['POST /chat/completions']).toBeUndefined();
});

test.each([true, false])(
  'an upstream that hangs is left after its own time-out (stream: %s)',
  async (isStream) => {
    await using fixture = await startTwoUpstreams({
      first(response) {
        if (isStream) response.writeHead(200, eventStream).write(': PROCESSING\n\n');
      },
      firstFields: { timeoutSeconds: { firstByte: 0.3 } },
    });
    const { proxy, key } = fixture;
    const response = await proxy.post(chatPath, key, toRequestJson(chatPath, model, isStream));
    expect(response.status).toBe(200);
    expect(await response.text()).not.toBe('');
    expect(proxy.modelServer.stats().byPath['POST /chat/completions']).toBe(1);
    // A complete reply goes on, so that its cost becomes known; a stream that nobody reads is aborted.
    await expect.poll(fixture.raw.open).toBe(isStream ? 0 : 1);
  },
);

test.each([true, false])(
  'two upstreams that hang share one deadline (stream: %s)',
  async (isStream) => {
    await using fixture = await startTwoUpstreams({
      first: () => {},
      firstFields: { timeoutSeconds: { firstByte: 0.6 } },
      // Longer than the test may take.
      secondFields: { timeoutSeconds: { firstByte: 600 } },
      environment: { PROXY_TIMEOUT_SECONDS: '4', AI_MODELS: 'fault/*' },
    });
    const { proxy, key } = fixture;
    const response = await proxy.post(
      chatPath,
      key,
      toRequestJson(chatPath, 'fault/hang', isStream),
    );
    expect(response.status).toBe(504);
    expect((await response.json()).error.code).toBe('upstream_timeout');
    // Complete replies go on, so that their costs become known; streams that nobody reads are aborted.
    const open = isStream ? 0 : 1;
    await expect.poll(fixture.raw.open).toBe(open);
    await expect.poll(() => proxy.modelServer.stats().openRequests).toBe(open);
  },
);

test('a client that leaves during the first attempt causes no second one', async () => {
  await using fixture = await startTwoUpstreams({ first: () => {} });
  const { proxy, key } = fixture;
  const left = new AbortController();
  const { signal } = left;
  const sent = proxy
    .post(chatPath, key, toRequestJson(chatPath, model, true), { signal })
    .catch(() => 'left');
  await expect.poll(() => fixture.raw.open()).toBe(1);
  left.abort();
  expect(await sent).toBe('left');
  await expect.poll(() => fixture.raw.open()).toBe(0);
  await expect.poll(() => readUpstreams(proxy, key)).toEqual([['first', 499]]);
  expect(proxy.modelServer.stats().byPath['POST /chat/completions']).toBeUndefined();
});

test('an open circuit breaker sends requests to the next upstream without asking the first', async () => {
  const first = vi.fn((response: ServerResponse) => {
    response.writeHead(500).end();
  });
  await using fixture = await startTwoUpstreams({ first });
  const { proxy, key } = fixture;
  for (let count = 0; count < 12; count++) {
    const response = await proxy.post(chatPath, key, toRequestJson(chatPath, model));
    expect(response.status).toBe(200);
    await response.bytes();
  }
  expect(first).toHaveBeenCalledTimes(3);
});

test('an alias is served as its model, and a key’s list may have either name', async () => {
  await using fixture = await startTwoUpstreams({
    first: (response) => response.writeHead(500).end(),
  });
  const { proxy } = fixture;
  const statusOf = async (models: readonly string[] | null) => {
    const { text } = await proxy.makeKey({ models });
    const response = await proxy.post(chatPath, text, toRequestJson(chatPath, 'cheap'));
    await response.bytes();
    return response.status;
  };
  expect(await statusOf(null)).toBe(200);
  expect(await statusOf([model])).toBe(200);
  expect(await statusOf(['cheap'])).toBe(200);
  expect(await statusOf(['lantern-demo/wick-3'])).toBe(403);
});

test('lists are merged, each id once, and clients see no name of an upstream', async () => {
  await using fixture = await startTwoUpstreams({
    first: (response) => response.writeHead(500).end(),
  });
  const { proxy, key } = fixture;
  const list = await (await fetch(`${proxy.url}/proxy/v1/models`)).text();
  const { data } = JSON.parse(list);
  const ids = data.map(({ id }: { id: string }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(data[0]).toMatchObject({ id: model, name: 'Lantern Wick 3 mini (demo)' });
  expect(list).not.toContain('upstream');
  const response = await proxy.post(chatPath, key, toRequestJson(chatPath, model));
  expect(response.status).toBe(200);
  expect(`${JSON.stringify([...response.headers])}${await response.text()}`).not.toContain(
    'second',
  );
});

test('SIGHUP reads the file again without losing a stream, and a wrong file changes nothing', async () => {
  await using fixture = await startTwoUpstreams({
    first: (response) => response.writeHead(200, eventStream).end(toChatFrame('New', 'stop')),
    models: { paceMs: 20 },
  });
  const { proxy, key, path } = fixture;
  const environment = { AI_UPSTREAMS_FILE: path, TEST_UPSTREAM_KEY: upstreamKey };
  reloadUpstreamsOnSignal(proxy.services, environment);
  onTestFinished(() => void process.removeAllListeners('SIGHUP'));
  const other = 'lantern-demo/wick-3';
  const stream = await proxy.post(chatPath, key, toRequestJson(chatPath, other, true));
  expect(proxy.modelServer.stats().byPath['POST /chat/completions']).toBe(1);

  const file = JSON.parse(readFileSync(path, 'utf8'));
  const changed = { upstreams: [file.upstreams[0]] };
  writeFileSync(path, JSON.stringify(changed));
  process.emit('SIGHUP');

  const served = await proxy.post(chatPath, key, toRequestJson(chatPath, other, true));
  expect(await served.text()).toContain('New');
  expect(examineChatStream(await stream.text())).toMatchObject({ problems: [], error: null });

  writeFileSync(path, JSON.stringify({ ...changed, model: [] }));
  process.emit('SIGHUP');

  expect(proxy.logText()).toMatch(/unknown field/);
  const after = await proxy.post(chatPath, key, toRequestJson(chatPath, other, true));
  expect(await after.text()).toContain('New');
});
