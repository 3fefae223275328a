import type { ServerResponse } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { toPrices } from '#lib/spend/prices.ts';
import { channels } from '#lib/telemetry/channels.ts';
import {
  type PipelineServerOptions,
  startPipelineServer,
  toPost,
  toPrompt,
} from '../../../support/servers/pipeline-server.ts';
import {
  eventStream,
  startRawUpstream,
  toChatFrame,
} from '../../../support/upstreams/raw-upstream.ts';

/** @param opened once the client has the headers of its response */
type Respond = (response: ServerResponse, opened: Promise<unknown>) => void;

/** The pipeline with one upstream for each of these, tried in this order. */
async function startUpstreams(
  responds: readonly Respond[],
  options: Omit<PipelineServerOptions, 'url'> = {},
) {
  const stack = new AsyncDisposableStack();
  const upstreams = [];
  const opened = Promise.withResolvers<void>();
  for (const respond of responds) {
    const upstream = await startRawUpstream((response) => respond(response, opened.promise));
    upstreams.push(stack.use(upstream));
  }
  const [url = '', ...further] = upstreams.map((upstream) => upstream.url);
  const server = stack.use(await startPipelineServer({ url, further, ...options }));
  return {
    server,
    upstreams,
    /** Requests a stream. */
    async post(init: RequestInit = {}) {
      const response = await fetch(server.url, { ...toPost(toPrompt('m', true)), ...init });
      opened.resolve();
      return response;
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

const usage = { prompt_tokens: 30, completion_tokens: 2, cost: 0.25 };
const usageFrame = `data: ${JSON.stringify({ choices: [], usage })}\n\n`;
const hello = `${toChatFrame('Hello', 'stop')}${usageFrame}data: [DONE]\n\n`;
const replies: Respond = (response) => response.writeHead(200, eventStream).end(hello);
const repliesWhole = (response: ServerResponse) => {
  const choice = {
    index: 0,
    message: { role: 'assistant', content: 'Hello' },
    finish_reason: 'stop',
  };
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ choices: [choice], usage }));
};
const hangs: Respond = () => {};

const fails = (response: ServerResponse) => {
  response.writeHead(503, { 'content-type': 'application/json' }).end('{}');
};
const failsLater: Respond = async (response, opened) => {
  await opened;
  fails(response);
};

test.each<[string, Respond]>([
  ['responds with an error', failsLater],
  [
    'sends a role and then an error',
    async (response, opened) => {
      response.writeHead(200, eventStream).write(toChatFrame(''));
      await opened;
      response.end('data: {"error":{"message":"x"}}\n\n');
    },
  ],
  [
    'sends comments and then breaks off',
    async (response, opened) => {
      response.writeHead(200, eventStream).write(': PROCESSING\n\n');
      await opened;
      response.destroy();
    },
  ],
])(
  'a stream that a heartbeat has opened goes on at the next upstream if the first %s',
  async (_, first) => {
    await using fixture = await startUpstreams([first, replies], { heartbeatMs: 20 });
    const { server } = fixture;

    const response = await fixture.post();
    const text = await response.text();

    expect(response.status).toBe(200);
    const end = toChatFrame('', 'stop').replace('"role":"assistant","content":""', '');
    expect(text.replace(/^(?:: \n\n)+/, '')).toBe(`${toChatFrame('Hello')}${end}data: [DONE]\n\n`);
    expect(text).toMatch(/^: \n\n/);
    expect(server.records.at(-1)).toMatchObject({
      status: 200,
      upstream: 'upstream 2',
      tokensOut: 2,
    });
    expect(server.reservations.open).toBe(0);
  },
);

test('a call that could not be reserved is none: only the late one before it is counted', async () => {
  const calls: unknown[] = [];
  const note = (call: unknown) => void calls.push(call);
  channels.upstreamCalled.subscribe(note);
  onTestFinished(() => channels.upstreamCalled.unsubscribe(note));
  await using fixture = await startUpstreams([hangs, replies], {
    firstByteMs: [1_000],
    tokensPerDay: 100,
  });
  const { server, upstreams } = fixture;

  const response = await fetch(server.url, toPost(toPrompt('m', false)));

  expect(response.status).toBe(429);
  expect(upstreams[1]?.seen.requests).toBe(0);
  expect(calls).toEqual([{ upstream: 'upstream 1', model: 'other', outcome: 'timed-out' }]);
  expect(server.log.text()).not.toMatch(/fails over/);
  server.closeBackground();
  expect(server.records).toMatchObject([{ upstream: 'upstream 1', status: 504 }]);
  expect(server.rejections).toEqual([]);
});

test('a translated stream that a heartbeat has opened reports the last failure in its own events', async () => {
  await using fixture = await startUpstreams([failsLater, failsLater], {
    heartbeatMs: 20,
    style: 'translated',
  });

  const text = await (await fixture.post()).text();

  expect(text.match(/(?<=^event: ).*$/gm)).toEqual([
    'response.created',
    'response.in_progress',
    'error',
    'response.failed',
  ]);
});

test('a client that leaves a stream opened by a heartbeat ends it, and no further upstream is called', async () => {
  await using fixture = await startUpstreams([hangs, replies], { heartbeatMs: 20 });
  const { server, upstreams } = fixture;
  const left = new AbortController();
  const response = await fixture.post({ signal: left.signal });
  await response.body?.getReader().read();

  left.abort();

  await expect.poll(() => server.records).toHaveLength(1);
  expect(server.records[0]).toMatchObject({ status: 499, upstream: 'upstream 1', tokensOut: 0 });
  expect(server.records[0]?.tokensIn).toBeGreaterThan(0);
  await expect.poll(() => upstreams[0]?.open()).toBe(0);
  expect(upstreams[1]?.seen.requests).toBe(0);
  expect(server.reservations.open).toBe(0);
});

test('a target that is late is charged what it has reserved, beside the one that replied', async () => {
  await using fixture = await startUpstreams([hangs, hangs, repliesWhole], {
    firstByteMs: [1_000, 1_000],
    prices: toPrices({ input: 0.1, output: 0.1 }),
  });
  const { server } = fixture;

  const response = await fetch(server.url, toPost(toPrompt('m', false)));
  await response.text();

  expect(server.records).toHaveLength(1);
  server.closeBackground();
  const reserved = 32_768;
  expect(server.records).toMatchObject([
    { status: 200, tokensIn: 30, tokensOut: 2, costUsd: 0.25, upstream: 'upstream 3' },
    { status: 504, tokensOut: reserved, isEstimated: true, upstream: 'upstream 1' },
    { status: 504, tokensOut: reserved, isEstimated: true, upstream: 'upstream 2' },
  ]);
  expect(server.records[1]?.costUsd).toBeGreaterThan(reserved * 0.1);
  expect(server.reservations.open).toBe(0);
  expect(server.openCalls()).toBe(0);
});

test.each(['chat', 'responses', 'translated'] as const)(
  'a stream that is late is aborted at once, and charged its prompt (%s)',
  async (style) => {
    // No bound of calls in the background: what goes on would be seen.
    await using fixture = await startUpstreams([hangs], { firstByteMs: [1_000], style });
    const { server, upstreams } = fixture;

    const response = await fixture.post();

    expect(response.status).toBe(504);
    await expect.poll(() => upstreams[0]?.seen.aborted).toBe(1);
    expect(server.records).toMatchObject([{ status: 504, tokensOut: 0, isEstimated: true }]);
    expect(server.records[0]?.tokensIn).toBeGreaterThan(0);
    expect(server.reservations.open).toBe(0);
    expect(server.openCalls()).toBe(0);
  },
);

test('the next target serves a stream in place of a late one, and both are charged', async () => {
  await using fixture = await startUpstreams([hangs, replies], { firstByteMs: [1_000] });
  const { server, upstreams } = fixture;

  await (await fixture.post()).text();

  await expect.poll(() => server.records).toHaveLength(2);
  await expect.poll(() => upstreams[0]?.seen.aborted).toBe(1);
  expect(server.records).toMatchObject([
    { status: 504, tokensOut: 0, isEstimated: true, upstream: 'upstream 1' },
    { status: 200, tokensIn: 30, tokensOut: 2, upstream: 'upstream 2' },
  ]);
});

test('a late complete reply is charged what it reports, though its client has got another', async () => {
  const answered = Promise.withResolvers<void>();
  const late: Respond = async (response) => {
    await answered.promise;
    repliesWhole(response);
  };
  await using fixture = await startUpstreams([late, fails], { firstByteMs: [1_000] });
  const { server } = fixture;

  const response = await fetch(server.url, toPost(toPrompt('m', false)));

  expect(response.status).toBe(502);
  answered.resolve();
  await expect.poll(() => server.records).toHaveLength(2);
  expect(server.records).toMatchObject([
    { status: 502, tokensIn: 0, tokensOut: 0 },
    { status: 504, tokensIn: 30, tokensOut: 2, costUsd: 0.25, isEstimated: false },
  ]);
  expect(server.reservations).toEqual({ open: 0, tokens: 32 });
});

test('an upstream that sends one empty chunk after another is not buffered without end', async () => {
  const endless: Respond = (response) => {
    response.writeHead(200, eventStream).write(toChatFrame('').repeat(500));
  };
  await using setup = await startUpstreams([endless, replies]);

  const response = await setup.post();

  // The first upstream is the one that is relayed.
  const reader = response.body?.getReader();
  const { value } = (await reader?.read()) ?? {};
  expect(new TextDecoder().decode(value)).toContain('"content":""');
  await reader?.cancel();
});

test('a stream in reply to a request for JSON is served as JSON, and charged as it reports', async () => {
  await using parts = await startUpstreams([replies]);
  const response = await fetch(parts.server.url, toPost(toPrompt('m', false)));
  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    'application/json; charset=utf-8',
  ]);
  expect(await response.json()).toMatchObject({
    choices: [{ message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 30, completion_tokens: 2 },
  });
});
