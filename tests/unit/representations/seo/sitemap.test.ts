import { XMLParser } from 'fast-xml-parser';
import { expect, test } from 'vitest';
import {
  countSitemapParts,
  sitemapUrlsMax,
  toSitemap,
  toSitemapPart,
} from '#lib/representations/seo/sitemap.ts';
import { makeEvent, makeEvents } from '../../../support/factories/event-factory.ts';
import { testSite as site } from '../../../support/test-site.ts';

const paths = ['/', '/docs'];
const parser = new XMLParser({ isArray: (name) => name === 'url' || name === 'sitemap' });

function readUrls(xml: string, list: 'urlset' | 'sitemapindex'): string[] {
  const { [list]: found } = parser.parse(xml);
  const entries: { loc: string }[] = found.url ?? found.sitemap;
  return entries.map(({ loc }) => loc);
}

test('an event’s picture is in its entry, with a permanent URL; no entry has an invented date', async () => {
  const picture = { id: 'attA', width: null, height: null, thumbHash: null };
  const pictures = { logo: null, background: { ...picture, url: `${site.url}/media/attA` } };
  const events = [makeEvent({ pictures }), makeEvent()];
  const xml = await toSitemap({ site, paths, events });
  const { urlset } = parser.parse(xml);
  expect(urlset.url.map((entry: object) => Object.keys(entry))).toEqual([
    ['loc'],
    ['loc'],
    ['loc', 'image:image'],
    ['loc'],
  ]);
  expect(urlset.url[2]['image:image']).toEqual({ 'image:loc': `${site.url}/media/attA` });
});

test('50,000 URLs fit into one file; one more gives an index of two', async () => {
  const events = makeEvents(sitemapUrlsMax + 1 - paths.length);
  const one = { site, paths, events: events.slice(1) };
  expect(readUrls(await toSitemap(one), 'urlset')).toHaveLength(sitemapUrlsMax);
  expect(countSitemapParts(one)).toBe(1);
  const two = { site, paths, events };
  const parts = readUrls(await toSitemap(two), 'sitemapindex');
  expect(parts).toEqual([1, 2].map((part) => `https://events.example/sitemap/${part}.xml`));
  expect(countSitemapParts(two)).toBe(2);
  const first = readUrls(await toSitemapPart(two, 1), 'urlset');
  const second = readUrls(await toSitemapPart(two, 2), 'urlset');
  expect([first.length, second.length]).toEqual([sitemapUrlsMax, 1]);
  expect(new Set([...first, ...second]).size).toBe(sitemapUrlsMax + 1);
});
