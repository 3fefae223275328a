import { afterAll, describe, expect, test, vi } from 'vitest';
import { faultCanary } from '../../../support/fault-canary.ts';
import { forTests } from '../../../support/for-tests.ts';
import { faultTable } from '../../../support/models/fault-models.ts';
import { expectDocumented } from '../../../support/responses/documented-errors.ts';
import {
  chatPath,
  messagesErrorTypes,
  messagesPath,
  rateLimitHeaders,
  responsesPath,
  startInProcessProxy,
  toRequestJson,
  upstreamKey,
} from '../../../support/servers/in-process-proxy.ts';
import { examineChatStream } from '../../../support/upstreams/chat-stream.ts';
import { examineMessagesStream } from '../../../support/upstreams/messages-stream.ts';
import { examineResponsesStream } from '../../../support/upstreams/responses-stream.ts';
import { waitFor } from '../../../support/wait-for.ts';

// Those that end with a time-out wait for it together.
vi.setConfig({ maxConcurrency: 20 });

type Outcome = 'success' | 'error in stream' | `${number} ${string}`;

/** Status and code of an error, or what else comes of a fault. */
type Outcomes = Readonly<{ json: Outcome; stream: Outcome }>;

/** The faults with the same outcome in JSON and in a stream. */
const faultsOf: Readonly<Record<string, string>> = {
  '400 context_length_exceeded': '400-context 400-context-number',
  '400 null': '400 400-account 400-html 400-text',
  '404 model_not_found': '404',
  '413 request_too_large': '413',
  '422 null': '422',
  '429 rate_limit_exceeded': '429 429-wait 429-short 200-429',
  '502 upstream_error':
    '400-key 401 402 403 429-quota 404-html 409 500 502 503 204 302 html 200-error broken-json wrong-shape empty gzip reset huge-frame html-stream',
  '503 server_is_overloaded': '529',
  '504 upstream_timeout': '408 504 524 hang hang-headers',
  success:
    'no-usage no-done no-role error-null unknown-events after-done empty-reply slow pace byte-by-byte one-write crlf cr comments',
};

/** An error after the first words can only be told in the stream. */
const differing: Readonly<Record<string, Outcomes>> = {
  'mid-stream-error': { json: '502 upstream_error', stream: 'error in stream' },
  'mid-stream-error-choices': { json: '502 upstream_error', stream: 'error in stream' },
  'no-finish': { json: 'success', stream: 'error in stream' },
  'hang-mid-stream': { json: '504 upstream_timeout', stream: 'error in stream' },
  cut: { json: '502 upstream_error', stream: 'error in stream' },
};

const outcomes: Readonly<Record<string, Outcomes>> = {
  ...differing,
  ...Object.fromEntries(
    Object.entries(faultsOf).flatMap(([outcome, names]) =>
      names
        .split(' ')
        .map((name) => [name, { json: outcome as Outcome, stream: outcome as Outcome }]),
    ),
  ),
};

/** Endless replies have their own tests. */
const endless = ['endless'];
/** Their last events contradict the deltas; the proxy passes both on. */
const contradictory = new Set(['empty-reply']);
/** Short durations for faults with a parameter. */
const amounts: Readonly<Record<string, string>> = { slow: ':20', pace: ':1' };

test('the table lists every fault', () => {
  expect(Object.keys(outcomes).sort()).toEqual(
    Object.keys(faultTable)
      .filter((name) => !endless.includes(name))
      .sort(),
  );
});

// For chat, both kinds of upstream are the same. Each has its own server: a model that fails too often is blocked.
describe.each([
  ['native', chatPath],
  ['native', responsesPath],
  ['chat', responsesPath],
  ['native', messagesPath],
  ['chat', messagesPath],
] as const)('with an upstream of kind %s, %s', (kind, path) => {
  const environment = { PROXY_TIMEOUT_SECONDS: '1' };
  const proxy = forTests(() => startInProcessProxy({ upstream: kind, environment }));
  afterAll(() => waitFor(() => expect(proxy.modelServer.stats().openRequests).toBe(0)));

  const rows = Object.entries(outcomes).flatMap(([name, { json, stream }]) => [
    { name, isStream: false, outcome: json },
    { name, isStream: true, outcome: stream },
  ]);

  test.concurrent.each(rows)('$name, streamed: $isStream: $outcome', async (row) => {
    const { name, isStream, outcome } = row;
    const model = `fault/${name}${amounts[name] ?? ''}`;

    const response = await proxy.post(path, proxy.key, toRequestJson(path, model, isStream));
    const text = await response.text();

    expectNoSecrets(text, response);
    for (const header of rateLimitHeaders) expect(response.headers.get(header)).toMatch(/^\d/);
    if (/^\d/.test(outcome)) return expectError(path, response, text, outcome);
    expect([response.status, text]).toEqual([200, expect.anything()]);
    if (!isStream) return expectValidJson(path, text);
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-cache, no-transform');
    expect(response.headers.get('x-accel-buffering')).toBe('no');
    const report = examine(path, text);
    if (!contradictory.has(name)) expect(report.problems).toEqual([]);
    expect(report.error === null).toBe(outcome === 'success');
  });

  test('the log contains no secret of the upstream', () => {
    expect(proxy.logText()).not.toMatch(new RegExp(`${faultCanary}|${upstreamKey}|${proxy.key}`));
  });

  test('every request has one usage record', async () => {
    await proxy.services.aiProxy.close();
    const { id } = await proxy.register.find(proxy.key);
    const countRequests = async () => {
      const sums = await proxy.database.usage.sumByDayAndModel(id, '2000-01-01');
      return sums.reduce((sum, { requests }) => sum + requests, 0);
    };

    await expect.poll(countRequests).toBe(rows.length);
  });
});

function examine(path: string, stream: string) {
  if (path === messagesPath) return examineMessagesStream(stream);
  return path === chatPath ? examineChatStream(stream) : examineResponsesStream(stream);
}

function expectError(path: string, response: Response, text: string, outcome: string) {
  const { error, type } = JSON.parse(text);
  if (path === messagesPath) {
    expect(outcome).toMatch(new RegExp(`^${response.status} `));
    expect([type, error.type]).toEqual(['error', messagesErrorTypes[response.status]]);
    expect(Object.keys(error).sort()).toEqual(['message', 'type']);
  } else {
    expect(`${response.status} ${error.code}`).toBe(outcome);
    expect(Object.keys(error).sort()).toEqual(['code', 'message', 'param', 'type']);
    expect(error.type).toBe(toType(response.status));
    expectDocumented(response.status, error);
  }
  expect(response.headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/);
  if (response.status === 429 || response.status === 503) {
    const { headers } = response;
    const wait = headers.get('retry-after') ?? headers.get('retry-after-ms');
    expect(Number(wait)).toBeGreaterThan(0);
  }
}

function toType(status: number): string {
  if (status === 429) return 'rate_limit_error';
  return status >= 500 ? 'server_error' : 'invalid_request_error';
}

function expectValidJson(path: string, text: string) {
  const body = JSON.parse(text);
  if (path === messagesPath) {
    expect([body.type, body.role]).toEqual(['message', 'assistant']);
    expect(body.usage.input_tokens + body.usage.output_tokens).toBeGreaterThan(0);
    return;
  }
  expect(body.object).toBe(path === chatPath ? 'chat.completion' : 'response');
  expect(body.usage.total_tokens).toBeGreaterThan(0);
  expect(body.error ?? null).toBe(null);
}

function expectNoSecrets(text: string, response: Response) {
  expect(JSON.stringify([...response.headers]) + text).not.toMatch(
    new RegExp(`${faultCanary}|${upstreamKey}`),
  );
}
