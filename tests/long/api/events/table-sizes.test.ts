import { describe, expect, test } from 'vitest';
import { sampleRecords } from '#lib/demo/data/sample-records.ts';
import { getPage, send } from '../../../support/clients/http-client.ts';
import { forTests } from '../../../support/for-tests.ts';
import { readEventList } from '../../../support/responses/api-responses.ts';
import {
  readDirectoryMarkdown,
  readSlugsInHtml,
} from '../../../support/responses/read-representations.ts';
import { startSite, toDay } from '../../../support/servers/marquee-server.ts';
import { runServerForTests } from '../../../support/servers/running-server.ts';

/** Empty, tiny and large tables. */

const today = toDay(Date.now());

describe('a table that gets its first event', () => {
  const server = forTests(() =>
    startSite({ records: [], settings: { EVENTS_CACHE_SECONDS: '1' } }),
  );

  test('without events the pages say so, and every representation exists', async () => {
    const page = await getPage(server, '/');
    expect(page.status).toBe(200);
    expect(page.text).toContain('No events yet');
    expect(page.text).toContain('"numberOfItems":0');
    const markdown = await send(server, '/index.md');
    expect(markdown.text).toContain('No events. Last changed');
    for (const path of ['/llms.txt', '/llms-full.txt', '/sitemap.xml', '/api/v1/events/rss']) {
      expect((await send(server, path)).status, path).toBe(200);
    }
    expect((await getPage(server, '/?status=ended')).text).toContain('show all events');
  });

  test('one event is in the directory and its Markdown, and has a page without similar events', async () => {
    server.table.setRecords(sampleRecords({ today, count: 1 }));
    const readEvents = async () => readEventList(await send(server, '/api/v1/events')).data;
    await expect.poll(readEvents).toHaveLength(1);
    const [event] = await readEvents();
    const page = await getPage(server, '/');
    expect(page.text.match(/<article /g)).toHaveLength(1);
    expect(page.text).toContain(`href="/events/${event?.slug}"`);
    expect(readDirectoryMarkdown((await send(server, '/index.md')).text)).toHaveLength(1);
    expect((await getPage(server, `/events/${event?.slug}`)).status).toBe(200);
  });
});

// A larger table takes too long: the upstream sends at most 500 rows a second.
describe('2,000 events', () => {
  const server = runServerForTests({ records: sampleRecords({ today, count: 2_000 }) });

  test('no page of the directory exceeds a megabyte, no Markdown 50,000 characters', async () => {
    for (const search of ['', '?q=a', '?status=ended', '?status=ended&page=9', '?format=online']) {
      const page = await getPage(server, `/${search}`);
      expect(page.body.length, search).toBeLessThan(1_000_000);
      const [data = ''] = /"itemListElement":\[.*?\]/.exec(page.text) ?? [];
      expect(data.match(/"ListItem"/g)?.length, search).toBeLessThanOrEqual(100);
      const markdown = await send(server, `/index.md${search}`);
      expect(markdown.text.length, search).toBeLessThan(50_000);
    }
  });

  test('a section that shows a part says how many there are, in HTML and Markdown', async () => {
    const total = server.events.filter(({ status }) => status === 'ended').length;
    const words = total.toLocaleString('en');
    const { text } = await getPage(server, '/');
    expect(text.replaceAll('<!-- -->', '')).toMatch(
      new RegExp(`Past <span class="count">\\d+ of ${words}</span>`),
    );
    expect(text.replaceAll('<!-- -->', '')).toContain(`${words} past`);
    const markdown = (await send(server, '/index.md')).text;
    expect(markdown).toMatch(new RegExp(`\\d+ of ${words}\\b`));
  });

  test('the pages of ended events are the same in HTML and Markdown, each event once', async () => {
    const ended = server.events.filter(({ status }) => status === 'ended');
    const pages = Math.ceil(ended.length / 60);
    const found: string[] = [];
    for (const page of [1, 2, Math.floor(pages / 2), pages]) {
      const path = `status=ended${page === 1 ? '' : `&page=${page}`}`;
      const markdown = (await send(server, `/index.md?${path}`)).text;
      expect(markdown).toContain(`Page ${page} of ${pages}.`);
      const slugs = readDirectoryMarkdown(markdown).map(({ slug = '' }) => slug);
      const { text } = await getPage(server, `/?${path}`);
      expect(readSlugsInHtml(text)).toEqual(slugs);
      expect(slugs).toHaveLength(page === pages ? ended.length - (pages - 1) * 60 : 60);
      found.push(...slugs);
    }
    expect(new Set(found).size).toBe(found.length);
  });
});
