import RssParser from 'rss-parser';
import { expect, test } from 'vitest';
import { readApiError, readEventList } from '../support/api-forms.ts';
import { ask } from '../support/http-client.ts';
import { siteUrl } from '../support/marquee-server.ts';
import { runServerForTests } from '../support/running-server.ts';

const server = runServerForTests({ inProcess: true });

async function readIds(path: string): Promise<string[]> {
  const answer = await ask(server, path);
  expect(answer.status).toBe(200);
  if (path.includes('feed.json')) {
    return JSON.parse(answer.text).items.map((item: { id: string }) => item.id.split(':').at(-1));
  }
  const { items } = await new RssParser().parseString(answer.text);
  return items.map((item) => item.guid?.split(':').at(-1) ?? '');
}

async function latestIds(limit: number): Promise<string[]> {
  const path = `/api/v1/events?sort=announcedAt&order=desc&limit=${limit}`;
  return readEventList(await ask(server, path)).data.map((event) => event.id);
}

const feeds = [
  ['/api/v1/events/rss', 'application/rss+xml; charset=utf-8'],
  ['/api/v1/events/feed.json', 'application/feed+json; charset=utf-8'],
] as const;

test.each(feeds)(
  '%s holds the 20 events that were announced last, newest first',
  async (path, type) => {
    expect((await ask(server, path)).header('content-type')).toBe(type);
    expect(await readIds(path)).toEqual(await latestIds(20));
    expect(await readIds(`${path}?limit=`)).toEqual(await latestIds(20));
  },
);

test.each(feeds)('limit overrides the length of %s in both directions', async (path) => {
  for (const limit of [1, 3, 40, 100]) {
    expect(await readIds(`${path}?limit=${limit}`)).toEqual(await latestIds(limit));
  }
});

test.each(feeds)('%s refuses what it does not take, in the form of the API', async (path) => {
  for (const query of [
    'limit=0',
    'limit=101',
    'limit=01',
    'limit=1&limit=1',
    'status=ended',
    'x',
  ]) {
    readApiError(await ask(server, `${path}?${query}`), 'bad_request');
  }
});

test('each feed says the address that it was asked for under', async () => {
  for (const query of ['', '?limit=7']) {
    const { feedUrl } = await new RssParser().parseString(
      (await ask(server, `/api/v1/events/rss${query}`)).text,
    );
    expect(feedUrl).toBe(`${siteUrl}/api/v1/events/rss${query}`);
    const feed = JSON.parse((await ask(server, `/api/v1/events/feed.json${query}`)).text);
    expect(feed.feed_url).toBe(`${siteUrl}/api/v1/events/feed.json${query}`);
  }
});

test('no feed and no calendar holds a signed address', async () => {
  for (const path of [...feeds.map(([address]) => address), '/api/v1/events/calendar.ics']) {
    const { text } = await ask(server, `${path}?limit=100`);
    expect(text).not.toContain('/attachments/');
    expect(text).not.toContain(server.table.url);
  }
});

test('the calendar takes the filters of the list', async () => {
  const { text, header } = await ask(server, '/api/v1/events/calendar.ics?status=upcoming');
  const { data } = readEventList(await ask(server, '/api/v1/events?status=upcoming'));
  expect(header('content-type')).toBe('text/calendar; charset=utf-8');
  expect(text.match(/^BEGIN:VEVENT\r$/gm)).toHaveLength(data.length);
  for (const { id } of data) expect(text).toContain(`UID:${id}@events.example\r\n`);
  readApiError(await ask(server, '/api/v1/events/calendar.ics?status=x'), 'bad_request');
});
