import { XMLParser } from 'fast-xml-parser';
import { expect, test } from 'vitest';
import {
  countSitemapParts,
  sitemapUrlsMax,
  toSitemap,
  toSitemapPart,
} from '#lib/representations/seo/sitemap.ts';
import { makeEvents } from '../../../../support/factories/event-factory.ts';
import { testSite as site } from '../../../../support/test-site.ts';

const paths = ['/', '/docs'];
const parser = new XMLParser({ isArray: (name) => name === 'url' || name === 'sitemap' });

function readUrls(xml: string, list: 'urlset' | 'sitemapindex'): string[] {
  const { [list]: found } = parser.parse(xml);
  const entries: { loc: string }[] = found.url ?? found.sitemap;
  return entries.map(({ loc }) => loc);
}

test('too many URLs for one file give an index of files, each within the limits', async () => {
  const events = makeEvents(sitemapUrlsMax * 2);
  const contents = { site, paths, events };
  const parts = readUrls(await toSitemap(contents), 'sitemapindex');
  expect(parts).toEqual([1, 2, 3].map((part) => `https://events.example/sitemap/${part}.xml`));
  expect(countSitemapParts(contents)).toBe(3);
  const all: string[] = [];
  for (const part of parts.keys()) {
    const urls = readUrls(await toSitemapPart(contents, part + 1), 'urlset');
    expect(urls.length).toBeLessThanOrEqual(sitemapUrlsMax);
    all.push(...urls);
  }
  expect(new Set(all).size).toBe(paths.length + events.length);
});
