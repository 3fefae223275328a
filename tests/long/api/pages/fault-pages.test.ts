import { expect, test } from 'vitest';
import { getPage, type HttpResponse, send } from '../../../support/clients/http-client.ts';
import { faultCanary } from '../../../support/fault-canary.ts';
import { forTests } from '../../../support/for-tests.ts';
import { readApiError, readEventList } from '../../../support/responses/api-responses.ts';
import {
  secretToken,
  startMarquee,
  startMarqueeInProcess,
  startTable,
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
