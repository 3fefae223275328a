import RssParser from 'rss-parser';
import { expect, test } from 'vitest';
import { send } from '../../support/clients/http-client.ts';
import { readApiError, readEventList } from '../../support/responses/api-responses.ts';
import { readCalendar } from '../../support/responses/read-representations.ts';
import { siteUrl, startSiteInProcess } from '../../support/servers/marquee-server.ts';
import { shareServer } from '../../support/servers/running-server.ts';
import { makeRecord } from '../../support/upstreams/upstream.ts';

const server = shareServer();

async function readIds(path: string, site: Readonly<{ port: number }> = server): Promise<string[]> {
  const response = await send(site, path);
  expect(response.status).toBe(200);
  if (path.includes('feed.json')) {
    return JSON.parse(response.text).items.map((item: { id: string }) => item.id.split(':').at(-1));
  }
  const { items } = await new RssParser<object, { id?: string }>().parseString(response.text);
  return items.map(({ guid, id }) => (guid ?? id)?.split(':').at(-1) ?? '');
}

async function latestIds(limit: number): Promise<string[]> {
  const path = `/api/v1/events?sort=announcedAt&order=desc&limit=${limit}`;
  return readEventList(await send(server, path)).data.map((event) => event.id);
}

const feeds = [
  ['/api/v1/events/rss', 'application/rss+xml; charset=utf-8'],
  ['/api/v1/events/feed.atom', 'application/atom+xml; charset=utf-8'],
  ['/api/v1/events/feed.json', 'application/feed+json; charset=utf-8'],
] as const;

test.each(feeds)('%s contains the 20 latest announced events, newest first', async (path, type) => {
  expect((await send(server, path)).header('content-type')).toBe(type);
  expect(await readIds(path)).toEqual(await latestIds(20));
  expect(await readIds(`${path}?limit=`)).toEqual(await latestIds(20));
});

test.each(feeds)('%s responds to invalid parameters with an API error', async (path) => {
  for (const query of ['limit=0', 'limit=101', 'limit=01', 'limit=1&limit=1', 'sort=name', 'x']) {
    readApiError(await send(server, `${path}?${query}`), 'bad_request');
  }
});

test.each(feeds)('the filters of the list apply to %s', async (path) => {
  const query = 'state=cancelled,postponed&format=in-person,both,online';
  const list = await send(server, `/api/v1/events?${query}&sort=announcedAt`);
  const ids = readEventList(list).data.map((event) => event.id);
  expect(await readIds(`${path}?${query}`)).toEqual(ids);
  expect(ids.length).toBeGreaterThan(1);
});

test('each feed has its own URL, its filters in a fixed order', async () => {
  for (const query of ['', '?limit=7', '?status=ended&format=both,online&limit=7']) {
    for (const path of ['/api/v1/events/rss', '/api/v1/events/feed.atom']) {
      const { text } = await send(server, path + query);
      expect((await new RssParser().parseString(text)).feedUrl).toBe(siteUrl + path + query);
    }
    const feed = JSON.parse((await send(server, `/api/v1/events/feed.json${query}`)).text);
    expect(feed.feed_url).toBe(`${siteUrl}/api/v1/events/feed.json${query}`);
  }
});

test('no feed and no calendar contains a signed URL', async () => {
  for (const path of [...feeds.map(([path]) => path), '/api/v1/events/calendar.ics']) {
    const { text } = await send(server, `${path}?limit=100`);
    expect(text).not.toContain('/attachments/');
    expect(text).not.toContain(server.settings.AIRTABLE_API_URL);
  }
});

test('every event has a calendar file with this event only', async () => {
  const { data } = readEventList(await send(server, '/api/v1/events'));
  for (const { id, slug, state, startDate, endDate, startsAt } of data) {
    const response = await send(server, `/events/${slug}.ics`);
    expect(response.header('content-type')).toBe('text/calendar; charset=utf-8');
    expect(response.header('content-disposition')).toBe(`inline; filename="${slug}.ics"`);
    const days = endDate === null ? { endDate } : { startDate, endDate };
    // Events with times have moments instead of days.
    const dates = endDate !== null && startsAt !== null ? {} : days;
    expect(readCalendar(response.text)).toMatchObject([{ id, slug, state, ...dates }]);
  }
});

test('a calendar file has a URL by id too, is as fresh as its event, and gives a 304', async () => {
  const [event] = readEventList(await send(server, '/api/v1/events')).data;
  const response = await send(server, `/events/${event?.id}.ics`);
  const item = await send(server, `/api/v1/events/${event?.id}`);
  expect(response.header('link')).toBe(item.header('link'));
  expect(response.header('cache-control')).toMatch(/^public, max-age=\d+$/);
  const headers = { 'if-none-match': response.header('etag') };
  expect((await send(server, `/events/${event?.slug}.ics`, { headers })).status).toBe(304);
  const head = await send(server, `/events/${event?.slug}.ics`, { method: 'HEAD' });
  expect(head.header('etag')).toBe(response.header('etag'));
  expect(head.body.length).toBe(0);
});

test('the calendar file of an unknown event is a 404 that names the most similar', async () => {
  const [event] = readEventList(await send(server, '/api/v1/events')).data;
  const error = readApiError(await send(server, `/events/${event?.slug}x.ics`), 'not_found');
  expect(error.hint).toContain(`\`${event?.slug}\``);
  readApiError(await send(server, `/events/${event?.slug}.ics?x=1`), 'bad_request');
});

test('an announcement in the future is as new as the read that found it, in feeds, lists and /recent', async () => {
  let timeMs = Date.parse('2026-12-01T12:00:00Z');
  const announcedAt: [name: string, time: string][] = [
    ['Sooner', '2026-11-30T09:00:00.000Z'],
    ['Ahead', '2027-02-01T09:00:00.000Z'],
  ];
  const records = () =>
    announcedAt.map(([name, time], row) =>
      makeRecord({ Name: name, 'Start Date': '2027-03-01', 'Announced At': time }, row),
    );
  await using site = await startSiteInProcess({ records }, { now: () => timeMs });
  const readList = async () => {
    const list = await send(site, '/api/v1/events?sort=announcedAt');
    return readEventList(list).data.map(({ name, announcedAt }) => `${name} ${announcedAt}`);
  };
  const ahead = 'Ahead 2026-12-01T12:00:00.000Z';
  expect(await readList()).toEqual([ahead, 'Sooner 2026-11-30T09:00:00.000Z']);
  // Later reads do not make it new again.
  announcedAt.push(['Later', '2026-12-03T09:00:00.000Z']);
  timeMs = Date.parse('2026-12-03T12:00:00Z');
  const names = ['Later', 'Ahead', 'Sooner'];
  await expect.poll(async () => (await readList())[0]).toContain('Later');
  expect((await readList())[1]).toBe(ahead);
  const ids = readEventList(await send(site, '/api/v1/events?sort=announcedAt')).data.map(
    ({ id }) => id,
  );
  for (const [path] of feeds) expect(await readIds(path, site)).toEqual(ids);
  const rss = (await send(site, '/api/v1/events/rss')).text;
  expect(rss).toContain('<pubDate>Tue, 01 Dec 2026 12:00:00 GMT</pubDate>');
  const recent = (await send(site, '/recent.md')).text;
  expect(recent.match(/Later|Ahead|Sooner/g)).toEqual(names);
  expect(recent).toMatch(/\| 2026-12-01 +\| \[Ahead\]/);
});
