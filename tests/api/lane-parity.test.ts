import { readdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AirtableServer } from '#lib/demo/airtable/airtable-server.ts';
import { fixedPageHeaders } from '#lib/http/security-headers.ts';
import { laneTable } from '#lib/server/lane-table.ts';
import { readEventList } from '../support/api-responses.ts';
import { decodeBody, type HttpResponse, send } from '../support/http-client.ts';
import {
  type MarqueeServer,
  startMarquee,
  startTable,
  toTableSettings,
} from '../support/marquee-server.ts';

/** The lane, and Next alone as `next start` or a serverless host runs it, must say the same. */

let table: AirtableServer;
let lane: MarqueeServer;
let next: MarqueeServer;
let slug = '';
let picture = '';
let pictured = '';

beforeAll(async () => {
  table = await startTable();
  [lane, next] = await Promise.all([
    startMarquee(toTableSettings(table)),
    startMarquee(toTableSettings(table), 'next'),
  ]);
  const events = readEventList(await send(lane, '/api/v1/events')).data;
  slug = events[0]?.slug ?? '';
  const withPicture = events.find(({ pictures }) => pictures.background !== null);
  picture = withPicture?.pictures.background?.id ?? '';
  pictured = withPicture?.id ?? '';
});

afterAll(async () => {
  await Promise.all([lane.stop(), next.stop()]);
  await table.close();
});

test('the table of the lane names every route.ts of the app, and no other', async () => {
  const app = `${import.meta.dirname}/../../app`;
  const files = await readdir(app, { recursive: true });
  const addresses = files
    .filter((file) => /(?:^|\/)route\.tsx?$/.test(file))
    .map((file) => `/${dirname(file)}`.replace(/\/\([^)]*\)/g, ''));
  expect(laneTable.map(({ path }) => path).toSorted()).toEqual(addresses.toSorted());
});

test('every module of the lane has the handlers of its file', async () => {
  for (const { path, load } of laneTable) {
    const module = await load();
    expect(Object.keys(module), path).toEqual(expect.arrayContaining(['GET', 'HEAD', 'OPTIONS']));
  }
});

const contentHeaders = [
  'content-type',
  'content-disposition',
  'link',
  'allow',
  'location',
  'access-control-allow-origin',
  'access-control-allow-methods',
  'access-control-allow-headers',
  'access-control-expose-headers',
  'access-control-max-age',
  'x-markdown-tokens',
] as const;

type Case = readonly [path: string, headers: Readonly<Record<string, string>>];

const cases: readonly Case[] = [
  ['/api/v1/events', {}],
  ['/api/v1/events?status=upcoming,ongoing&sort=name&order=asc&limit=7', {}],
  ['/api/v1/events?status=upcoming&status=ended&projectType=CAD&format=both', {}],
  ['/api/v1/events?q=night+jam&from=2020-01-01&to=2030-01-01', {}],
  ['/api/v1/events?limit=&status=', {}],
  ['/api/v1/events?limit=0', {}],
  ['/api/v1/events?limit=%2B5', {}],
  ['/api/v1/events?status%5B%5D=ended', {}],
  ['/api/v1/events?q=a%00b', {}],
  ['/api/v1/events?what=is&this=it', {}],
  ['/api/v1/events', { accept: 'text/html' }],
  ['/api/v1/events/SLUG', {}],
  ['/api/v1/events/SLUG?x=1', {}],
  ['/api/v1/events/nobody', {}],
  ['/api/v1/events/a%2Fb', {}],
  ['/api/v1/events/%E2%98%83', {}],
  ['/api/v1/events/nobody', { accept: 'image/png' }],
  ['/api/v1/events/rss', {}],
  ['/api/v1/events/rss?limit=3', {}],
  ['/api/v1/events/rss?limit=x', {}],
  ['/api/v1/events/feed.json', {}],
  ['/api/v1/events/feed.json?limit=3', {}],
  ['/api/v1/events/calendar.ics', {}],
  ['/api/v1/events/calendar.ics?status=upcoming&limit=2', {}],
  ['/api/v1/events/calendar.ics?limit=x', {}],
  ['/api/v1/openapi.json', {}],
  ['/api/v1/openapi.json?x', {}],
  ['/api', {}],
  ['/api/v1', {}],
  ['/api/v2/events', {}],
  ['/api/a/b/c?d=e', {}],
  ['/llms.txt', {}],
  ['/llms-full.txt', {}],
  ['/sitemap.xml', {}],
  ['/sitemap/1.xml', {}],
  ['/sitemap/2.xml', {}],
  ['/robots.txt', {}],
  ['/manifest.webmanifest', {}],
  ['/docs/try?operation=getEvent&idOrSlug=x', {}],
  ['/health', {}],
  ['/models', { accept: 'text/markdown' }],
  ['/docs/ai.md', {}],
  ['/media/PICTURE', {}],
  ['/media/PICTURE?w=320', { accept: 'image/webp,*/*' }],
  ['/media/PICTURE?w=96&format=avif', {}],
  ['/media/PICTURE', { accept: 'text/markdown' }],
  ['/media/PICTURE?w=97', {}],
  ['/media/attNobody', {}],
  ['/media/..%2f..%2fpackage.json', {}],
  ['/media/og.jpg', {}],
  ['/media/og/PICTURED.jpg', {}],
  ['/media/og/SLUG.jpg', {}],
  ['/media/og/SLUG.png', {}],
  ['/media/og/nobody.jpg', {}],
  ['/', { accept: 'text/markdown' }],
  ['/', { accept: 'text/markdown, text/html, */*' }],
  ['/index.md', {}],
  ['/index.md?status=ended&q=night', {}],
  ['/?format=online&status=no', { accept: 'text/markdown' }],
  ['/docs', { accept: 'text/markdown' }],
  ['/docs.md', {}],
  ['/docs/errors.md', {}],
  ['/events/SLUG', { accept: 'text/markdown' }],
  ['/events/SLUG.md', {}],
  ['/events/nobody.md', {}],
  ['/events/SLUG.ics', {}],
  ['/events/SLUG.ics', { accept: 'text/markdown' }],
  ['/events/SLUG.ics?x=1', {}],
  ['/events/nobody.ics', {}],
  ['/events/nobody', { accept: 'text/markdown' }],
  ['/nothing.md', {}],
  ['/docs/nothing', { accept: 'text/markdown' }],
];

describe.each(cases)('%s %j', (path, headers) => {
  test.each(['GET', 'HEAD'])('is the same by %s', async (method) => {
    const [byLane, byNext] = await sendBoth(path, { method, headers });
    await expectSame(byLane, byNext);
  });
});

test.each(['OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'])(
  '%s is the same at every address of the API',
  async (method) => {
    for (const path of [
      '/api/v1/events',
      '/api/v1/events/SLUG',
      '/api/v1/events/rss',
      '/api/v1/events/feed.json',
      '/api/v1/events/calendar.ics',
      '/api/v1/openapi.json',
      '/api/nothing',
      '/llms.txt',
    ]) {
      await expectSame(...(await sendBoth(path, { method })));
    }
  },
);

test('a malformed escape is a 400 in the lane, and nothing worse where Next mends it first', async () => {
  for (const query of ['q=%zz', 'q=%ff', 'q=%']) {
    const [byLane, byNext] = await sendBoth(`/api/v1/events?${query}`, {});
    expect(byLane.status).toBe(400);
    expect([200, 400]).toContain(byNext.status);
  }
});

// Next drops Content-Encoding from what a route answers, so there it has to do the compressing itself.
test.each(['gzip', 'br', 'gzip, deflate, br, zstd'])(
  'a list asked for in %s is readable both ways, and is the same list',
  async (encoding) => {
    const headers = { 'accept-encoding': encoding };
    const [byLane, byNext] = await sendBoth('/api/v1/events', { headers });
    expect(byLane.header('content-encoding')).not.toBe('');
    expect(await toComparable(byNext)).toBe(await toComparable(byLane));
  },
);

test('pages that Next sends by itself say what they may do, but for their scripts', async () => {
  for (const path of ['/', '/docs', '/nothing']) {
    const headers = { accept: 'text/html' };
    const [byFront, byNext] = await sendBoth(path, { headers });
    for (let index = 0; index < fixedPageHeaders.length; index += 2) {
      const [name = '', value = ''] = fixedPageHeaders.slice(index, index + 2);
      expect(byNext.header(name.toLowerCase()), name).toBe(value);
      expect(byFront.header(name.toLowerCase()), name).toContain(value);
    }
  }
});

test('a 304 is the same', async () => {
  for (const path of [
    '/api/v1/events/calendar.ics',
    '/llms.txt',
    '/events/SLUG.md',
    '/events/SLUG.ics',
  ]) {
    const [first] = await sendBoth(path, {});
    const headers = { 'if-none-match': first.header('etag') };
    const [byLane, byNext] = await sendBoth(path, { headers });
    expect(byLane.status).toBe(304);
    await expectSame(byLane, byNext);
    expect(byNext.header('etag')).toBe(byLane.header('etag'));
  }
});

function sendBoth(
  path: string,
  question: Readonly<{ method?: string; headers?: Readonly<Record<string, string>> }>,
): Promise<[HttpResponse, HttpResponse]> {
  const filled = path
    .replace('SLUG', slug)
    .replace('PICTURED', pictured)
    .replace('PICTURE', picture);
  return Promise.all([send(lane, filled, question), send(next, filled, question)]);
}

async function expectSame(byLane: HttpResponse, byNext: HttpResponse): Promise<void> {
  expect(byNext.status).toBe(byLane.status);
  for (const name of contentHeaders) expect(byNext.header(name), name).toBe(byLane.header(name));
  const freshness = ({ header }: HttpResponse) => header('cache-control').replace(/\d+/, 'N');
  expect(freshness(byNext)).toBe(freshness(byLane));
  // Next adds headers of its own to Vary; ours must be among them.
  const varied = byNext.header('vary').toLowerCase().split(/, */);
  for (const name of byLane.header('vary').toLowerCase().split(/, */).filter(Boolean)) {
    expect(varied).toContain(name);
  }
  expect(byNext.header('x-request-id') !== '').toBe(byLane.header('x-request-id') !== '');
  expect(byNext.header('etag') === '').toBe(byLane.header('etag') === '');
  const [laneText, nextText] = [await toComparable(byLane), await toComparable(byNext)];
  expect(nextText).toBe(laneText);
  // Two processes read the table at two moments; what does not tell them has one tag in both.
  if (laneText === byLane.text && laneText !== '') {
    expect(byNext.header('etag')).toBe(byLane.header('etag'));
  }
}

async function toComparable(answer: HttpResponse): Promise<string> {
  return (
    (await decodeBody(answer))
      .toString()
      .replace(/("generated_?[aA]t":")[^"]+/g, '$1N')
      .replace(/(<lastBuildDate>)[^<]+/, '$1N')
      .replace(/([Rr]ead )\d{4}-\d{2}-\d{2}T[\d:.]+Z/, '$1N')
      .replace(/\/attachments\/[^"\s)]+/g, '/attachments/N')
      // One of the two may have fetched a picture by now.
      .replace(/("thumbHash":)(?:null|"[^"]*")/g, '$1N')
  );
}
