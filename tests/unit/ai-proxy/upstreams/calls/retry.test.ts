import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createServer } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startTestModels } from '../../../../support/models/test-models.ts';
import { listenOnLoopback } from '../../../../support/servers/loopback-server.ts';
import {
  chatWith,
  followCall,
  makeCall,
  startModelUpstream,
} from '../../../../support/upstreams/model-upstream.ts';

const list = { method: 'GET', path: '/models' } as const;

test.for(['502', '503', '429-short', 'reset'] as const)(
  'a GET is retried after %s',
  async (name) => {
    await using fixture = await startModelUpstream();
    // A 503 of this server has a Retry-After of three seconds, longer than the limit here.
    const tries = name === '503' ? 1 : 2;
    fixture.models.setPathFault({ path: '/models', name, times: 1 });
    const outcome = await makeCall(fixture.upstream, list);
    expect(fixture.models.stats().byPath).toEqual({ 'GET /models': tries });
    expect(outcome.error === null).toBe(tries === 2);
  },
);

test('a GET is tried at most three times', async () => {
  await using fixture = await startModelUpstream();
  fixture.models.setPathFault({ path: '/models', name: '502', times: 10 });
  expect((await makeCall(fixture.upstream, list)).error).toMatchObject({ status: 502 });
  expect(fixture.models.stats().requests).toBe(3);
});

test.for(['500', '401', '404', '429', '429-wait', '504', '529', 'html', 'cut'] as const)(
  'a GET is not retried after %s',
  async (name) => {
    await using fixture = await startModelUpstream();
    fixture.models.setPathFault({ path: '/models', name, times: 10 });
    expect((await makeCall(fixture.upstream, list)).error).not.toBeNull();
    expect(fixture.models.stats().requests).toBe(1);
  },
);

test.for(['502', '503', '429-short', 'reset', 'cut'] as const)(
  'a POST is never retried after %s: it may have been processed',
  async (name) => {
    await using fixture = await startModelUpstream();
    const { error } = await makeCall(fixture.upstream, chatWith(`fault/${name}`, true));
    expect(error).not.toBeNull();
    expect(fixture.models.stats().requests).toBe(1);
  },
);

test('a POST whose reply never comes is sent once', async () => {
  await using fixture = await startModelUpstream();
  const call = fixture.upstream.call(chatWith('fault/hang', true));
  const outcome = followCall(call);
  await expect.poll(() => fixture.models.stats().requests).toBe(1);
  call.close();
  expect((await outcome).error).not.toBeNull();
  await makeCall(fixture.upstream, list);
  expect(fixture.models.stats().byPath).toEqual({ 'POST /chat/completions': 1, 'GET /models': 1 });
});

test('a POST is retried while its connection is refused', async () => {
  const first = await startTestModels({ key: 'k' });
  const port = Number(new URL(first.url).port);
  await first.close();
  await using fixture = await startModelUpstream({}, { url: first.url, key: 'k' });
  const { promise: refused, resolve: note } = Promise.withResolvers<unknown>();
  subscribe('undici:client:connectError', note);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => {
    unsubscribe('undici:client:connectError', note);
    vi.useRealTimers();
  });
  const outcome = makeCall(fixture.upstream, chatWith('lantern-demo/wick-3', true));
  await refused;
  const second = await startTestModels({ key: 'k', port });
  await vi.advanceTimersByTimeAsync(50);
  vi.useRealTimers();
  expect((await outcome).error).toBeNull();
  expect(second.stats().requests).toBe(1);
  await second.close();
});

test('a POST whose connection closes before it is open is tried three times', async () => {
  let connections = 0;
  const closing = createTcpServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await using server = await listenOnLoopback(closing);
  await using fixture = await startModelUpstream({}, { url: server.url });
  const { error } = await makeCall(fixture.upstream, chatWith('lantern-demo/wick-3', true));
  expect(error).toMatchObject({ status: 502 });
  // Whether the request was already being sent when the connection closed varies.
  expect(connections).toBeGreaterThanOrEqual(1);
  expect(connections).toBeLessThanOrEqual(3);
});

test('nothing is retried once part of the response was passed on', async () => {
  await using fixture = await startModelUpstream();
  fixture.models.setPathFault({ path: '/models', name: 'cut', times: 1 });
  const outcome = await makeCall(fixture.upstream, list);
  expect(outcome.events).toEqual(['headers', 'data', 'error']);
  expect(fixture.models.stats().requests).toBe(1);
});

test('a redirect is not followed, and the key goes nowhere else', async () => {
  const seen: unknown[] = [];
  const target = createServer((request, response) => {
    seen.push(request.headers);
    response.end('{}');
  });
  await using elsewhere = await listenOnLoopback(target);
  const redirecting = createServer((_, response) => {
    response.writeHead(307, { location: elsewhere.url }).end();
  });
  await using server = await listenOnLoopback(redirecting);
  await using fixture = await startModelUpstream({}, { url: server.url });
  expect((await makeCall(fixture.upstream, list)).error).toMatchObject({ status: 502 });
  expect(seen).toEqual([]);
});
