import { expect, test } from 'vitest';
import { getPage, send } from '../../support/clients/http-client.ts';
import { readEventList } from '../../support/responses/api-responses.ts';
import {
  readCalendar,
  readDirectoryMarkdown,
  readSlugsInHtml,
} from '../../support/responses/read-representations.ts';
import { siteUrl } from '../../support/servers/marquee-server.ts';
import { shareServer } from '../../support/servers/running-server.ts';

/** With the same filters all representations list the same events. */

const server = shareServer();

async function read(path: string, accept = '*/*'): Promise<string> {
  const response = await send(server, path, { headers: { accept } });
  expect(response.status, path).toBe(200);
  return response.text;
}

function readMarkdownSlugs(markdown: string): string[] {
  return readDirectoryMarkdown(markdown).map(({ slug = '' }) => slug);
}

const searches = [
  '',
  '?status=ended',
  '?status=ongoing,upcoming',
  '?format=online&projectType=Software,CAD',
  '?q=jam',
  '?q=nothing+has+these+words',
  '?q=this+weekend',
  '?state=cancelled,postponed,moved-online',
  '?when=next-7-days',
  '?country=Belgium',
  '?near=51,4.3&within=300',
  '?city=nowhere',
  '?price=paid',
  '?maxPrice=10EUR',
  '?status=upcoming&from=2020-01-01&to=2099-12-31',
];

test.each(searches)('with “%s” every representation lists the same events', async (search) => {
  // Pages also find events that are both.
  const listSearch = search.replace('format=online', 'format=online,both');
  const list = readEventList(await send(server, `/api/v1/events${listSearch}`));
  const slugs = list.data.map(({ slug }) => slug);
  const calendar = await read(`/api/v1/events/calendar.ics${listSearch}`);
  const slugsIn = {
    html: readSlugsInHtml(await read(`/${search}`, 'text/html')),
    markdown: readMarkdownSlugs(await read(`/${search}`, 'text/markdown')),
    indexMd: readMarkdownSlugs(await read(`/index.md${search}`)),
    calendar: readCalendar(calendar).map(({ slug = '' }) => slug),
  };
  // Both have the same sections, each with its own order.
  expect(slugsIn.markdown).toEqual(slugsIn.html);
  expect(slugsIn.indexMd).toEqual(slugsIn.html);
  expect(slugsIn.html.toSorted()).toEqual(slugs.toSorted());
  expect(slugsIn.calendar.toSorted()).toEqual(slugs.toSorted());
});

test('a price in words has its numbers beside it, and selects events by them', async () => {
  const { data } = readEventList(await send(server, '/api/v1/events?maxPrice=10eur&price=paid'));
  const prices = data.map(({ price, priceRange }) => [price, priceRange]);
  expect(prices.toSorted()).toEqual([
    ['€6', { min: 6, max: 6, currency: 'EUR' }],
    ['€8', { min: 8, max: 8, currency: 'EUR' }],
  ]);
  const sorted = readEventList(
    await send(server, '/api/v1/events?price=paid&sort=price&order=asc'),
  );
  expect(sorted.data.map(({ price }) => price)).toEqual(['£5', '€6', '€8', '€20', '150 MXN']);
  for (const maxPrice of ['-1', '1,5', '10 euros', '€10', '1e3']) {
    const response = await send(server, `/api/v1/events?maxPrice=${encodeURIComponent(maxPrice)}`);
    expect(response.status, maxPrice).toBe(400);
    expect(response.text).toContain('as `10`, `12.50` or `10EUR`');
  }
});

test('the format of the API is exact', async () => {
  const { data } = readEventList(await send(server, '/api/v1/events?format=online'));
  expect(new Set(data.map(({ format }) => format))).toEqual(new Set(['online']));
});

test('a page links to its representations with the active filters', async () => {
  const search = '?status=ended&q=jam';
  const html = await read(`/${search}&utm_source=x`, 'text/html');
  const response = await getPage(server, `/${search}`);
  expect(response.header('link')).toContain(`<${siteUrl}/index.md${search}>; rel="alternate"`);
  for (const path of [
    `/index.md${search}`,
    `/api/v1/events${search}`,
    `/api/v1/events/calendar.ics${search}`,
  ]) {
    const escaped = path.replaceAll('&', '&amp;');
    expect(html).toContain(`<a href="${escaped}">`);
    expect((await send(server, path)).status).toBe(200);
  }
  expect(html).toContain(
    `type="text/markdown" href="${siteUrl}/index.md${search.replaceAll('&', '&amp;')}"`,
  );
});
