import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { faultCanary } from '#lib/demo/airtable/faults.ts';
import { faultTable } from '#lib/demo/models/faults/fault-models.ts';
import { examineChatStream } from '../../support/chat-stream.ts';
import { expectDocumented } from '../../support/documented-errors.ts';
import {
  chatPath,
  type InProcessProxy,
  rateLimitHeaders,
  responsesPath,
  startInProcessProxy,
  toRequestJson,
  upstreamKey,
} from '../../support/in-process-proxy.ts';
import { examineResponsesStream } from '../../support/responses-stream.ts';

type Outcome = 'sound' | 'told' | `${number} ${string}`;

/** What comes of each fault: an error's status and code, one that is told in the stream, or a sound reply. */
const outcomes: Readonly<Record<string, Readonly<{ json: Outcome; stream: Outcome }>>> = {
  400: both('400 null'),
  '400-account': both('400 null'),
  '400-context': both('400 context_length_exceeded'),
  '400-context-number': both('400 context_length_exceeded'),
  '400-key': both('502 upstream_error'),
  '400-html': both('400 null'),
  '400-text': both('400 null'),
  401: both('502 upstream_error'),
  402: both('502 upstream_error'),
  403: both('502 upstream_error'),
  404: both('404 model_not_found'),
  '404-html': both('502 upstream_error'),
  408: both('504 upstream_timeout'),
  409: both('502 upstream_error'),
  413: both('413 request_too_large'),
  422: both('422 null'),
  429: both('429 rate_limit_exceeded'),
  '429-wait': both('429 rate_limit_exceeded'),
  '429-short': both('429 rate_limit_exceeded'),
  '429-quota': both('429 rate_limit_exceeded'),
  500: both('502 upstream_error'),
  502: both('502 upstream_error'),
  503: both('502 upstream_error'),
  504: both('504 upstream_timeout'),
  524: both('504 upstream_timeout'),
  529: both('503 server_is_overloaded'),
  204: both('502 upstream_error'),
  302: both('502 upstream_error'),
  html: both('502 upstream_error'),
  '200-error': both('502 upstream_error'),
  '200-429': both('429 rate_limit_exceeded'),
  'broken-json': both('502 upstream_error'),
  'wrong-shape': both('502 upstream_error'),
  empty: both('502 upstream_error'),
  gzip: both('502 upstream_error'),
  'mid-stream-error': { json: '502 upstream_error', stream: 'told' },
  'mid-stream-error-choices': { json: '502 upstream_error', stream: 'told' },
  'no-usage': both('sound'),
  'no-finish': { json: 'sound', stream: 'told' },
  'no-done': both('sound'),
  'no-role': both('sound'),
  'error-null': both('sound'),
  'unknown-events': both('sound'),
  'after-done': both('sound'),
  'empty-reply': both('sound'),
  hang: both('504 upstream_timeout'),
  reset: both('502 upstream_error'),
  'hang-headers': { json: '504 upstream_timeout', stream: 'told' },
  'hang-mid-stream': { json: '504 upstream_timeout', stream: 'told' },
  cut: { json: '502 upstream_error', stream: 'told' },
  slow: both('sound'),
  pace: both('sound'),
  'byte-by-byte': both('sound'),
  'one-write': both('sound'),
  crlf: both('sound'),
  cr: both('sound'),
  comments: both('sound'),
  'huge-frame': { json: '502 upstream_error', stream: 'told' },
  'html-stream': both('502 upstream_error'),
};

/** Without end by nature: they have tests of their own. */
const endless = ['endless'];
/** Their last events tell what no delta had said; both are passed on. */
const contradictory = new Set(['empty-reply']);
/** Faults whose names take an amount, so that nobody waits. */
const amounts: Readonly<Record<string, string>> = { slow: ':20', pace: ':1' };

function both(outcome: Outcome): Readonly<{ json: Outcome; stream: Outcome }> {
  return { json: outcome, stream: outcome };
}

test('every fault that there is has its row', () => {
  expect(Object.keys(outcomes).sort()).toEqual(
    Object.keys(faultTable)
      .filter((name) => !endless.includes(name))
      .sort(),
  );
});

describe.each(['native', 'chat'])('with an upstream that is %s', (kind) => {
  let house: InProcessProxy;
  let key: string;
  beforeAll(async () => {
    house = await startInProcessProxy({
      environment: { AI_UPSTREAM_RESPONSES: kind, PROXY_TIMEOUT_SECONDS: '1' },
    });
    key = (await house.makeKey()).text;
  });
  afterAll(async () => {
    await vi.waitFor(() => expect(house.modelServer.stats().openRequests).toBe(0), 5000);
    await house[Symbol.asyncDispose]();
  });

  // An upstream that speaks chat alone changes nothing for chat.
  const paths = kind === 'native' ? [chatPath, responsesPath] : [responsesPath];
  const rows = Object.entries(outcomes).flatMap(([name, { json, stream }]) =>
    paths.flatMap((path) => [
      { name, path, isStream: false, outcome: json },
      { name, path, isStream: true, outcome: stream },
    ]),
  );

  test.concurrent.each(rows)('$name on $path, streamed: $isStream: $outcome', async (row) => {
    const { name, path, isStream, outcome } = row;
    const model = `fault/${name}${amounts[name] ?? ''}`;

    const response = await house.post(path, key, toRequestJson(path, model, isStream));
    const text = await response.text();

    expectNoSecret(text, response);
    for (const header of rateLimitHeaders) expect(response.headers.get(header)).toMatch(/^\d/);
    if (/^\d/.test(outcome)) return expectError(response, text, outcome);
    expect([response.status, text]).toEqual([200, expect.anything()]);
    if (!isStream) return expectSoundJson(path, text);
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-cache, no-transform');
    expect(response.headers.get('x-accel-buffering')).toBe('no');
    const report = path === chatPath ? examineChatStream(text) : examineResponsesStream(text);
    if (!contradictory.has(name)) expect(report.problems).toEqual([]);
    expect(report.error === null).toBe(outcome === 'sound');
  });

  test('no secret of the upstream is in the log', () => {
    expect(house.logText()).not.toMatch(new RegExp(`${faultCanary}|${upstreamKey}|${key}`));
  });

  test('every request has its record, and no budget is held', async () => {
    await house.services.aiProxy.close();
    const sums = await house.database.usage.sumByDayAndModel(
      (await house.register.find(key)).id,
      '2000-01-01',
    );

    expect(sums.reduce((sum, { requests }) => sum + requests, 0)).toBe(rows.length);
  });
});

function expectError(response: Response, text: string, outcome: string) {
  const { error } = JSON.parse(text);
  expect(`${response.status} ${error.code}`).toBe(outcome);
  expect(Object.keys(error).sort()).toEqual(['code', 'message', 'param', 'type']);
  expect(error.type).toBe(toType(response.status));
  expectDocumented(response.status, error);
  expect(response.headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/);
  if (response.status === 429 || response.status === 503) {
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  }
}

function toType(status: number): string {
  if (status === 429) return 'rate_limit_error';
  return status >= 500 ? 'server_error' : 'invalid_request_error';
}

function expectSoundJson(path: string, text: string) {
  const body = JSON.parse(text);
  expect(body.object).toBe(path === chatPath ? 'chat.completion' : 'response');
  expect(body.usage.total_tokens).toBeGreaterThan(0);
  expect(body.error ?? null).toBe(null);
}

function expectNoSecret(text: string, response: Response) {
  expect(JSON.stringify([...response.headers]) + text).not.toMatch(
    new RegExp(`${faultCanary}|${upstreamKey}`),
  );
}
