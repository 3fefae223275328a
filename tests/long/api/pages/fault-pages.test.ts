import { expect, test } from 'vitest';
import { sampleRecords } from '#lib/demo/data/sample-records.ts';
import { getPage, type HttpResponse, send } from '../../../support/clients/http-client.ts';
import { faultCanary } from '../../../support/fault-canary.ts';
import { forTests } from '../../../support/for-tests.ts';
import { patienceMs } from '../../../support/patience.ts';
import { readApiError, readEventList } from '../../../support/responses/api-responses.ts';
import {
  secretToken,
  startMarquee,
  startMarqueeInProcess,
  startTable,
  toDay,
  toTableSettings,
} from '../../../support/servers/marquee-server.ts';

/** Faults of the upstream for `npm start`, pages included; `faults.test.ts` has all of them for other URLs. */

const table = forTests(() => startTable());
/** Of an event of the sample. */
const slug = 'overnight-at-the-observatory';

// The last events would be served for five minutes: this server has never read any.
test('a table that hangs gives a 502 at every URL', async () => {
  table.setFault({ kind: 'hang' });
  await using server = await startMarquee(toTableSettings(table));
  const sendAccept = (path: string, accept: string) => send(server, path, { headers: { accept } });
  const [list, item, rss, ...others] = await Promise.all([
    sendAccept('/api/v1/events', '*/*'),
    sendAccept(`/api/v1/events/${slug}`, '*/*'),
    sendAccept('/api/v1/events/rss', '*/*'),
    sendAccept('/', 'text/html'),
    sendAccept(`/events/${slug}`, 'text/html'),
    sendAccept('/', 'text/markdown'),
    sendAccept(`/events/${slug}.md`, '*/*'),
  ]);
  for (const response of [list, item, rss]) readApiError(response, 'upstream_error');
  for (const page of others.slice(0, 2)) expectErrorPage(page, 502);
  for (const text of others.slice(2)) {
    expect(text.status).toBe(502);
    expect(text.header('content-type')).toContain('text/markdown');
  }
  for (const response of [list, item, rss, ...others]) {
    expect(response.header('retry-after')).toMatch(/^([1-9]|[1-5]\d|60)$/);
    const shown = response.text + JSON.stringify(response.headers);
    for (const secret of [faultCanary, secretToken]) expect(shown).not.toContain(secret);
  }
  table.setFault(null);
  const back = await getPage(server, '/');
  expect(back.status).toBe(200);
  expect(back.text).toContain(`/events/${slug}`);
  readEventList(await send(server, '/api/v1/events'));
  expect(server.logText()).toContain('events could not be read');
  for (const secret of [faultCanary, secretToken, 'Bearer']) {
    expect(server.logText()).not.toContain(secret);
  }
});

test('while a large table is read for the first time, every URL is a 503 that says how far it is', async () => {
  const records = sampleRecords({ today: toDay(Date.now()), count: 10_001 });
  await using large = await startTable({ records });
  await using server = await startMarquee(toTableSettings(large));
  const [list, page, text] = await Promise.all([
    send(server, '/api/v1/events'),
    send(server, '/', { headers: { accept: 'text/html' } }),
    send(server, '/index.md'),
  ]);
  expect(readApiError(list, 'events_not_read_yet').message).toMatch(
    /^The events table is still being read: \d,\d00 rows so far\.$/,
  );
  expect(page.text).toMatch(/more than (?:<!-- -->)?\d,000/);
  expect(page.text).toContain('name="robots" content="noindex');
  expect(text.text).toContain('still being read');
  for (const response of [list, page, text]) {
    expect(response.status).toBe(503);
    expect(response.header('retry-after')).toBe('10');
    expect(response.header('cache-control')).toContain('no-store');
  }
  await expect
    .poll(async () => (await send(server, '/api/v1/events?limit=1')).status, {
      timeout: patienceMs,
    })
    .toBe(200);
  // All of it is a stream.
  const [get, head] = await Promise.all(
    (['GET', 'HEAD'] as const).map((method) => send(server, '/api/v1/events', { method })),
  );
  expect(JSON.parse(get?.text ?? '').meta.count).toBe(10_001);
  const etag = get?.header('etag') ?? '';
  expect(etag).toMatch(/^"[\w-]{27}"$/);
  expect(head?.header('etag')).toBe(etag);
  for (const response of [get, head]) expect(response?.header('content-length')).toBe('');
  const headers = { 'if-none-match': etag };
  expect((await send(server, '/api/v1/events', { headers })).status).toBe(304);
});

test.each(['AIRTABLE_TOKEN', 'AIRTABLE_BASE_ID'])(
  'without %s the API responds with a 500 that names it, and Markdown too',
  async (variable) => {
    const settings = { ...toTableSettings(table), [variable]: '' };
    await using without = await startMarqueeInProcess(settings);
    table.resetStats();
    for (const path of ['', '/some-event', '/rss', '/feed.json', '/calendar.ics']) {
      const response = await send(without, `/api/v1/events${path}`);
      expect(readApiError(response, 'server_misconfigured').hint).toContain(variable);
    }
    for (const path of ['/', '/events/some-event']) {
      const text = await send(without, path, { headers: { accept: 'text/markdown' } });
      expect(text.status).toBe(500);
      expect(text.text).toContain(variable);
    }
    expect((await send(without, '/health')).status).toBe(200);
    expect(table.stats().requests).toBe(0);
  },
);

test('without AIRTABLE_TOKEN pages with events are an error page, and others go on', async () => {
  await using without = await startMarquee({ ...toTableSettings(table), AIRTABLE_TOKEN: '' });
  for (const path of ['/', '/events/some-event']) {
    expectErrorPage(await getPage(without, path), 500);
  }
  expect((await send(without, '/docs')).status).toBe(200);
});

function expectErrorPage(page: HttpResponse, status: number): void {
  expect(page.status).toBe(status);
  expect(page.header('content-type')).toContain('text/html');
  expect(page.header('cache-control')).toContain('no-store');
  expect(page.header('vary').toLowerCase()).toMatch(/\baccept\b(?!-)/);
  expect(page.text).toMatch(/<h1[^>]*>[^<]*unavailable/);
  expect(page.text).toMatch(/<a [^>]*href=""[^>]*>Try again<\/a>/);
  expect(page.text).not.toContain('<article');
}
