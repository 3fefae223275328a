import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AirtableServer } from '#lib/demo/airtable/airtable-server.ts';
import { type Fault, faultCanary } from '#lib/demo/airtable/faults.ts';
import { type HttpResponse, send } from '../support/clients/http-client.ts';
import { readApiError, readEventList } from '../support/responses/api-responses.ts';
import {
  type MarqueeServer,
  secretToken,
  startMarquee,
  startTable,
  toTableSettings,
} from '../support/servers/marquee-server.ts';

/** Faults of the upstream for `npm start`, pages included; each has its own table, so that they run at once. */

type Setup = Readonly<{
  fault: Fault;
  table: AirtableServer;
  server: MarqueeServer;
  slug: string;
}>;

const faults: readonly Fault[] = [
  { kind: 'hang' },
  { kind: 'hang-body' },
  { kind: 'drip' },
  { kind: '500-html' },
];
const setups = new Map<Fault['kind'], Setup>();

beforeAll(async () => {
  const start = async (fault: Fault) => {
    const table = await startTable();
    const settings = { ...toTableSettings(table), EVENTS_CACHE_SECONDS: '1' };
    const server = await startMarquee(settings);
    const { data } = readEventList(await send(server, '/api/v1/events?limit=1'));
    setups.set(fault.kind, { fault, table, server, slug: data[0]?.slug ?? '' });
  };
  await Promise.all(faults.map(start));
}, 60_000);

afterAll(async () => {
  const stop = async ({ server, table }: Setup) => {
    await server.stop();
    await table.close();
  };
  await Promise.all([...setups.values()].map(stop));
});

test.concurrent.each(faults)(
  '$kind gives a 502 at every URL, within the timeouts',
  async ({ kind }) => {
    const found = setups.get(kind);
    if (found === undefined) throw new Error(`No server for ${kind}`);
    const { fault, table, server, slug } = found;
    table.setFault(fault);
    await delay(1_100);
    const startedAt = Date.now();
    const sendAccept = (path: string, accept: string) =>
      send(server, path, { headers: { accept }, timeoutMs: 25_000 });
    const [list, item, rss, directory, event, directoryText, eventText] = await Promise.all([
      sendAccept('/api/v1/events', '*/*'),
      sendAccept(`/api/v1/events/${slug}`, '*/*'),
      sendAccept('/api/v1/events/rss', '*/*'),
      sendAccept('/', 'text/html'),
      sendAccept(`/events/${slug}`, 'text/html'),
      sendAccept('/', 'text/markdown'),
      sendAccept(`/events/${slug}.md`, '*/*'),
    ]);
    expect(Date.now() - startedAt).toBeLessThan(20_000);
    for (const response of [list, item, rss]) readApiError(response, 'upstream_error');
    for (const page of [directory, event]) expectErrorPage(page, 502);
    for (const text of [directoryText, eventText]) {
      expect(text.status).toBe(502);
      expect(text.header('content-type')).toContain('text/markdown');
    }
    for (const response of [list, item, rss, directory, event, directoryText, eventText]) {
      expect(response.text + JSON.stringify(response.headers)).not.toContain(faultCanary);
      expect(response.text + JSON.stringify(response.headers)).not.toContain(secretToken);
    }
    table.setFault(null);
    const back = await send(server, '/', { headers: { accept: 'text/html' } });
    expect(back.status).toBe(200);
    expect(back.text).toContain(`/events/${slug}`);
    readEventList(await send(server, '/api/v1/events'));
  },
);

for (const variable of ['AIRTABLE_TOKEN', 'AIRTABLE_BASE_ID']) {
  test(`without ${variable} the API responds with a 500 that names it, and pages with an error page`, async () => {
    const table = await startTable();
    const server = await startMarquee({ ...toTableSettings(table), [variable]: '' });
    try {
      for (const path of ['', '/some-event', '/rss', '/feed.json', '/calendar.ics']) {
        const response = await send(server, `/api/v1/events${path}`);
        expect(readApiError(response, 'server_misconfigured').hint).toContain(variable);
      }
      for (const path of ['/', '/events/some-event']) {
        expectErrorPage(await send(server, path, { headers: { accept: 'text/html' } }), 500);
        const text = await send(server, path, { headers: { accept: 'text/markdown' } });
        expect(text.status).toBe(500);
        expect(text.text).toContain(variable);
      }
      expect((await send(server, '/docs')).status).toBe(200);
      expect((await send(server, '/health')).status).toBe(200);
      expect(table.stats().requests).toBe(0);
    } finally {
      await server.stop();
      await table.close();
    }
  });
}

test('no text of the upstream and no secret is logged', () => {
  for (const { server } of setups.values()) {
    expect(server.logText()).toContain('events could not be read');
    for (const secret of [faultCanary, secretToken, 'Bearer']) {
      expect(server.logText()).not.toContain(secret);
    }
  }
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
