import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import type { CallHandler, OpenCall } from '#lib/ai-proxy/upstreams/calls/open-call.ts';
import type { Upstream } from '#lib/ai-proxy/upstreams/upstream.ts';
import {
  chatWith,
  makeCall,
  startModelUpstream,
} from '../../../support/upstreams/model-upstream.ts';

const workingModel = 'lantern-demo/wick-3';

/** A handler that records its calls, and can act on them. */
function watch(act: Partial<Record<'headers' | 'data' | 'end', () => void>> = {}) {
  const callbacks: string[] = [];
  const record = (what: 'headers' | 'data' | 'end' | 'error') => {
    callbacks.push(what);
    if (what !== 'error') act[what]?.();
  };
  const handler: CallHandler = {
    onHeaders: () => record('headers'),
    onData() {
      record('data');
      return true;
    },
    onEnd: () => record('end'),
    onError: () => record('error'),
  };
  return { callbacks, handler };
}

test('an abort before anything is sent sends nothing and calls no handler', async () => {
  await using fixture = await startModelUpstream();
  const { callbacks, handler } = watch();
  fixture.upstream.call(chatWith(workingModel, true), handler).abort();
  expect(fixture.upstream.health().openCalls).toBe(0);
  // A later call gets a free slot.
  expect((await makeCall(fixture.upstream, chatWith(workingModel, true))).error).toBeNull();
  expect(fixture.models.stats().requests).toBe(1);
  expect(callbacks).toEqual([]);
});

test.for([
  ['before the headers', 'fault/hang', []],
  ['before the headers of a slow one', 'fault/slow:60000', []],
  ['after the headers', 'fault/hang-headers', ['headers']],
  ['in mid-response', 'fault/hang-mid-stream', ['headers', 'data']],
  ['of an endless response', 'fault/endless', ['headers', 'data']],
] as const)(
  'an abort %s closes the upstream’s request, streamed or not',
  async ([, model, until]) => {
    await using fixture = await startModelUpstream();
    for (const isStream of [false, true]) {
      const { callbacks, handler } = watch();
      const call = fixture.upstream.call(chatWith(model, isStream), handler);
      await expect.poll(() => fixture.models.stats().openRequests).toBe(1);
      await expect.poll(() => callbacks.slice(0, 2)).toEqual(until);
      const before = callbacks.length;
      call.abort();
      await expect.poll(() => fixture.models.stats().openRequests).toBe(0);
      expect(callbacks.length).toBe(before);
    }
    expect(fixture.models.stats().aborted).toBe(2);
    expect(fixture.upstream.health().openCalls).toBe(0);
  },
);

test('an abort from any callback ends the call there', async () => {
  await using fixture = await startModelUpstream();
  for (const [when, expected] of [
    ['headers', ['headers']],
    ['data', ['headers', 'data']],
    ['end', ['end']],
  ] as const) {
    let call: OpenCall | undefined;
    const { callbacks, handler } = watch({ [when]: () => call?.abort() });
    call = fixture.upstream.call(chatWith('fault/pace:1', true), handler);
    await expect.poll(() => fixture.upstream.health().openCalls).toBe(0);
    await expect.poll(() => fixture.models.stats().openRequests).toBe(0);
    expect(callbacks.slice(-expected.length)).toEqual(expected);
  }
});

test('an abort after the end, or a second one, does nothing, and the connection stays open', async () => {
  await using fixture = await startModelUpstream();
  let call: OpenCall | undefined;
  await makeCall(fixture.upstream, chatWith(workingModel, false), {
    onStart: (started) => {
      call = started;
    },
  });
  call?.abort();
  call?.abort();
  call?.resume();
  await makeCall(fixture.upstream, chatWith(workingModel, false));
  expect(fixture.models.stats()).toMatchObject({ aborted: 0, finished: 2 });
  expect(fixture.models.stats().connections).toBeLessThanOrEqual(2);
});

test('an abort while a retry is pending ends the call', async () => {
  await using fixture = await startModelUpstream();
  fixture.models.setPathFault({ path: '/models', name: '429-short', times: 10 });
  const { callbacks, handler } = watch();
  const call = fixture.upstream.call({ method: 'GET', path: '/models' }, handler);
  await expect.poll(() => fixture.models.stats().finished).toBe(1);
  call.abort();
  await new Promise((resolve) => setTimeout(resolve, 1200));
  expect(fixture.models.stats().requests).toBe(1);
  expect(callbacks).toEqual([]);
});

test('an abort of a call without a response closes the connection', async () => {
  const silent = createServer((socket) => socket.resume()).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const bound = silent.address();
  const port = typeof bound === 'object' && bound !== null ? bound.port : 0;
  await using fixture = await startModelUpstream({}, { url: `http://127.0.0.1:${port}/v1` });
  const { callbacks, handler } = watch();
  const call = fixture.upstream.call(chatWith(workingModel, true), handler);
  await new Promise((resolve) => setTimeout(resolve, 50));
  call.abort();
  await expect.poll(() => connectionsOf(silent)).toBe(0);
  expect(callbacks).toEqual([]);
  silent.close();
});

test('500 clients that disconnect at any moment leave nothing open', async () => {
  await using fixture = await startModelUpstream();
  const models = [
    'fault/hang',
    'fault/pace:5',
    'fault/hang-mid-stream',
    workingModel,
    'fault/slow:50',
  ];
  const calls = Array.from({ length: 500 }, (_, index) =>
    fixture.upstream.call(
      chatWith(models[index % models.length] ?? workingModel, index % 2 === 0),
      watch().handler,
    ),
  );
  await expect.poll(() => fixture.models.stats().requests).toBeGreaterThan(400);
  for (const call of calls) call.abort();
  expect(fixture.upstream.health().openCalls).toBe(0);
  await expect.poll(() => fixture.models.stats().openRequests).toBe(0);
  expect((await makeCall(fixture.upstream, chatWith(workingModel, true))).error).toBeNull();
}, 20_000);

test('500 calls aborted in the tick that made them are never sent', async () => {
  await using fixture = await startModelUpstream();
  await startMany(fixture.upstream, 500);
  expect((await makeCall(fixture.upstream, chatWith(workingModel, true))).error).toBeNull();
  expect(fixture.models.stats()).toMatchObject({ requests: 1, openRequests: 0 });
});

async function startMany(upstream: Upstream, count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    upstream.call(chatWith('fault/hang', true), watch().handler).abort();
  }
  expect(upstream.health().openCalls).toBe(0);
}

function connectionsOf(server: ReturnType<typeof createServer>): Promise<number> {
  return new Promise((resolve) => server.getConnections((_, count) => resolve(count)));
}
