import { XMLParser } from 'fast-xml-parser';
import { expect, test } from 'vitest';
import { sitemapUrlsMax, toSitemap } from '#lib/representations/seo/sitemap.ts';
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

test('50,000 URLs fit into one file', async () => {
  const contents = { site, paths, events: makeEvents(sitemapUrlsMax - paths.length) };
  expect(readUrls(await toSitemap(contents), 'urlset')).toHaveLength(sitemapUrlsMax);
});
