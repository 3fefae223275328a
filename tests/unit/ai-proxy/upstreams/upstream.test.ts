import { createServer } from 'node:net';
import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { toOpenAiErrorBody } from '#lib/ai-proxy/error-response.ts';
import { createUpstream } from '#lib/ai-proxy/upstreams/upstream.ts';
import type { HttpError } from '#lib/http/errors/errors.ts';
import { createFakeClock } from '../../../support/fake-clock.ts';
import { faultCanary } from '../../../support/fault-canary.ts';
import { listenOnLoopback } from '../../../support/servers/loopback-server.ts';
import { createTestLog } from '../../../support/test-log.ts';
import {
  chatWith,
  makeCall,
  startModelUpstream,
} from '../../../support/upstreams/model-upstream.ts';

const workingModel = 'lantern-demo/wick-3';

test('a JSON response and a stream are passed on as they were sent', async () => {
  await using fixture = await startModelUpstream();
  const whole = await makeCall(fixture.upstream, chatWith(workingModel, false));
  expect(whole).toMatchObject({ contentType: 'application/json', error: null });
  expect(whole.events).toEqual(['headers', 'data', 'end']);
  expect(JSON.parse(whole.text).choices[0].message.content).toContain('Lisbon');
  const stream = await makeCall(fixture.upstream, chatWith(workingModel, true));
  expect(stream).toMatchObject({ contentType: 'text/event-stream', error: null });
  expect(stream.text).toMatch(/data: \[DONE\]\n\n$/);
  expect(fixture.upstream.health().openCalls).toBe(0);
});

test('a response that breaks in the middle is passed on up to there', async () => {
  await using fixture = await startModelUpstream();
  const outcome = await makeCall(fixture.upstream, chatWith('fault/cut', true));
  expect(outcome.events).toEqual(['headers', 'data', 'error']);
  expect(outcome.text).toMatch(/^data: \{/);
});

test('an upstream error about the request keeps its meaning, its param and nothing else', async () => {
  await using fixture = await startModelUpstream();
  const errorOf = async (name: string) => {
    const { error } = await makeCall(fixture.upstream, chatWith(`fault/${name}`, false));
    return error && toOpenAiErrorBody(error).error;
  };
  expect(await errorOf('400')).toEqual({
    message: 'This model does not take this value of `temperature`: it may be at most 1.',
    type: 'invalid_request_error',
    param: 'temperature',
    code: null,
  });
  expect((await errorOf('400-account'))?.message).toMatch(/refused the request\. Check/);
  expect(await errorOf('400-context')).toMatchObject({
    message: expect.stringContaining('4096 tokens'),
    param: 'messages',
  });
  expect(await errorOf('404')).toMatchObject({ param: 'model', type: 'invalid_request_error' });
});

test('Retry-After is passed on for 429; after a failure one can try again soon, whatever the upstream says', async () => {
  await using fixture = await startModelUpstream();
  const errorOf = async (name: string) =>
    (await makeCall(fixture.upstream, chatWith(`fault/${name}`, false))).error?.headers;
  expect(await errorOf('429-wait')).toEqual({ 'Retry-After': '7' });
  expect(await errorOf('429')).toEqual({ 'Retry-After': '10' });
  expect(await errorOf('529')).toEqual({ 'Retry-After-Ms': '500' });
  expect(await errorOf('503')).toEqual({ 'Retry-After-Ms': '500' });
  expect(await errorOf('500')).toEqual({ 'Retry-After-Ms': '500' });
  expect(await errorOf('401')).toEqual({ 'x-should-retry': 'false' });
});

test('the whole call has a timeout too, even if data keeps coming', async () => {
  await using fixture = await startModelUpstream(
    {},
    { timeouts: { firstByteMs: 5000, totalMs: 300 } },
  );
  const outcome = await makeCall(fixture.upstream, chatWith('fault/pace:50', true));
  expect(outcome.error).toMatchObject({ status: 504, code: 'upstream_timeout' });
  expect(outcome.events).toEqual(['headers', 'data', 'error']);
  await expect.poll(() => fixture.models.stats().openRequests).toBe(0);
});

test('a refused connection is a 502 after a few tries, with the reason in the log only', async () => {
  const fixture = await startModelUpstream();
  await fixture.models.close();
  const { error } = await makeCall(fixture.upstream, chatWith(workingModel, false));
  expect(error).toMatchObject({ status: 502, reason: 'no connection (ECONNREFUSED)' });
  if (error) expectClean(error, [fixture.models.url]);
  await fixture.upstream.close();
});

test('an unknown host name, or a connection that is never accepted, is an error', async () => {
  const log = createTestLog();
  const upstream = createUpstream({
    url: 'http://no-such-host.invalid/v1',
    key: 'k',
    timeouts: { firstByteMs: 2000 },
    log,
  });
  const { error } = await makeCall(upstream, chatWith(workingModel, false));
  expect(error).toMatchObject({ status: 502, code: 'upstream_error' });
  if (error) expectClean(error, ['no-such-host']);
  await upstream.close();
});

test.for([
  ['no HTTP at all', 'SSH-2.0-OpenSSH_9.6\r\n'],
  ['a header without end', `HTTP/1.1 200 OK\r\nx-${faultCanary}: ${'x'.repeat(100_000)}\r\n`],
  ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}'],
  ['a wrong Content-Length', 'HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\n{}'],
  ['a zero byte in a header', `HTTP/1.1 200 OK\r\nx: \u0000${faultCanary}\r\n\r\n{}`],
  [
    'an encoding that nobody knows',
    'HTTP/1.1 200 OK\r\ncontent-encoding: compress\r\ncontent-length: 2\r\n\r\n{}',
  ],
  ['nothing', ''],
] as const)('an upstream that responds with %s is a 502', async ([, text]) => {
  await using raw = await startRaw(text);
  await using fixture = await startModelUpstream({}, { url: raw.url });
  const { error } = await makeCall(fixture.upstream, chatWith(workingModel, false));
  if (error === null) throw new Error('no error');
  expect(error).toMatchObject({ status: 502, code: 'upstream_error' });
  expectClean(error, [raw.url]);
});

test('early hints are not the response', async () => {
  const hints = 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n';
  const response = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}';
  await using raw = await startRaw(hints + hints + response);
  await using fixture = await startModelUpstream({}, { url: raw.url });
  const outcome = await makeCall(fixture.upstream, chatWith(workingModel, false));
  expect(outcome).toMatchObject({ events: ['headers', 'data', 'end'], text: '{}' });
});

test('calls above the requests per minute are rejected at once, until the minute is over', async () => {
  const clock = createFakeClock();
  await using fixture = await startModelUpstream({}, { requestsPerMinute: 2, uptime: clock.now });
  const statusOf = async () =>
    (await makeCall(fixture.upstream, chatWith(workingModel, false))).error?.status ?? 200;
  expect([await statusOf(), await statusOf(), await statusOf()]).toEqual([200, 200, 503]);
  clock.move(61_000);
  expect(await statusOf()).toBe(200);
});

test('calls above the maximum are rejected at once, not queued', async () => {
  await using fixture = await startModelUpstream({}, { callsMax: 3 });
  const hanging = Array.from({ length: 3 }, () =>
    fixture.upstream.call(chatWith('fault/hang', false)),
  );
  const { error } = await makeCall(fixture.upstream, chatWith(workingModel, false));
  expect(error).toMatchObject({ status: 503, code: 'server_is_overloaded' });
  for (const call of hanging) call.close();
  expect((await makeCall(fixture.upstream, chatWith(workingModel, false))).error).toBeNull();
});

test('closing the client ends running calls with 503', async () => {
  await using fixture = await startModelUpstream();
  const outcome = makeCall(fixture.upstream, chatWith('fault/hang', true));
  await expect.poll(() => fixture.models.stats().openRequests).toBe(1);
  await fixture.upstream.close();
  expect((await outcome).error).toMatchObject({ status: 503 });
});

/** Sends a text after the first bytes of each connection, and closes it. */
function startRaw(text: string) {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end(text));
  });
  return listenOnLoopback(server);
}

/** Neither the response nor anything that could be logged contains text of the upstream. */
function expectClean(error: HttpError, secrets: readonly string[]): void {
  const { message: _, ...rest } = error;
  const printed = inspect(rest, { depth: 10, showHidden: true }) + error.stack;
  const shown = printed + error.message + JSON.stringify(toOpenAiErrorBody(error));
  for (const secret of [faultCanary, ...secrets]) expect(shown).not.toContain(secret);
}
