import { beforeAll, expect, test } from 'vitest';
import { sampleRecords } from '#lib/demo/data/sample-records.ts';
import { type Fault, faultKinds, wrongSchemaVariants } from '../../../support/airtable/faults.ts';
import { type HttpResponse, send } from '../../../support/clients/http-client.ts';
import { faultCanary } from '../../../support/fault-canary.ts';
import { forTests } from '../../../support/for-tests.ts';
import { readApiError, readEventList } from '../../../support/responses/api-responses.ts';
import { secretToken, startSiteInProcess, toDay } from '../../../support/servers/marquee-server.ts';

/**
 * Every fault of the upstream, for every URL but pages, under a fake clock. `fault-pages.test.ts` has the real
 * time-out.
 */

const api = [
  '/api/v1/events',
  '/api/v1/events/SLUG',
  '/api/v1/events/rss',
  '/api/v1/events/feed.json',
  '/api/v1/events/calendar.ics',
  '/llms.txt',
];
const markdown = ['/index.md', '/events/SLUG.md'];

const faults: readonly Fault[] = [
  ...faultKinds
    .filter((kind) => kind !== 'slow' && kind !== 'wrong-schema')
    .map((kind): Fault => ({ kind })),
  ...wrongSchemaVariants.map((variant): Fault => ({ kind: 'wrong-schema', variant })),
  { kind: '503', retryAfterSeconds: 60 },
  { kind: '500-html', on: 'later pages' },
  { kind: 'broken-json', on: 'later pages' },
];

let slug = '';
let aheadMs = 0;
// Two pages, so that a fault can occur in the middle of a read.
const records = sampleRecords({ today: toDay(Date.now()), count: 130 });
const effects = {
  // A running clock, since requests to the upstream are spaced out by it.
  now: () => Date.now() + aheadMs,
  // An endless body takes its time on a busy machine.
  airtable: {
    requestTimeoutMs: 2_000,
    firstRetryMs: 20,
    uptime: () => performance.now() + aheadMs,
  },
};
const server = forTests(() => startSiteInProcess({ records }, effects));

beforeAll(async () => {
  slug = readEventList(await send(server, '/api/v1/events?limit=1')).data[0]?.slug ?? '';
});

function sendAll(paths: readonly string[]): Promise<HttpResponse[]> {
  return Promise.all(paths.map((path) => send(server, path.replace('SLUG', slug))));
}

function expectNoUpstreamText({ text, headers }: HttpResponse): void {
  for (const shown of [text, JSON.stringify(headers)]) {
    expect(shown).not.toContain(faultCanary);
    expect(shown).not.toContain(secretToken);
    expect(shown).not.toContain(server.table.url);
    expect(shown).not.toContain(server.table.baseId);
  }
}

const named = faults.map((fault) => [Object.values(fault).join(' '), fault] as const);

test.each(named)('%s gives a 502 everywhere, until the fault is over', async (_, fault) => {
  aheadMs += 400_000;
  server.table.setFault(fault);
  const [apiResponses, markdownResponses] = await Promise.all([sendAll(api), sendAll(markdown)]);
  for (const response of apiResponses) {
    readApiError(response, 'upstream_error');
    expect(response.header('retry-after')).toMatch(/^([1-9]|[1-5]\d|60)$/);
    expectNoUpstreamText(response);
  }
  for (const response of markdownResponses) {
    expect(response.status).toBe(502);
    expect(response.header('content-type')).toBe('text/markdown; charset=utf-8');
    expect(response.header('cache-control')).toBe('no-store');
    expect(response.header('retry-after')).toMatch(/^\d+$/);
    expect(response.text).toMatch(/^# .+/);
    expectNoUpstreamText(response);
  }
  server.table.setFault(null);
  // After a 429 the server waits for half a minute, or as long as Retry-After says.
  if (fault.kind.startsWith('429')) aheadMs += 31_000;
  readEventList(await send(server, '/api/v1/events'));
  expect((await sendAll([...api, ...markdown])).every(({ status }) => status === 200)).toBe(true);
});

test('an invalid request gets its own error during a fault', async () => {
  aheadMs += 400_000;
  server.table.setFault({ kind: '500-html' });
  readApiError(await send(server, '/api/v1/events?limit=0'), 'bad_request');
  readApiError(await send(server, '/api/v1/events', { method: 'POST' }), 'method_not_allowed');
  expect((await send(server, '/api/v1/openapi.json')).status).toBe(200);
  expect((await send(server, '/health')).status).toBe(200);
  expect((await send(server, '/docs.md')).status).toBe(200);
  server.table.setFault(null);
});

// Last: reads what the tests above have logged.
test('the log has the reasons, but no text of the upstream and no token', () => {
  const text = server.logText();
  expect(text).toContain('upstream_error');
  for (const secret of [faultCanary, secretToken, 'Bearer']) expect(text).not.toContain(secret);
});
