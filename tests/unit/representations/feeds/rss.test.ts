import fc from 'fast-check';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import Parser from 'rss-parser';
import { expect, test } from 'vitest';
import { toEventTitle } from '#lib/events/view/event-facts.ts';
import { toRss } from '#lib/representations/feeds/rss.ts';
import { makeEvent } from '../../../support/factories/event-factory.ts';
import { hostileEvent } from '../../../support/factories/hostile-text.ts';
import { testSite as site } from '../../../support/test-site.ts';

const selfUrl = 'https://events.example/api/v1/events/rss?limit=2&x=%3C';
const options = { site, selfUrl, changedAtMs: Date.parse('2026-11-20T08:05:09.000Z') };
const rfc822 = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/;

test('rss-parser reads title, link, guid, date, categories and text', async () => {
  const feed = await new Parser().parseString(await toRss([makeEvent()], options));
  expect(feed.items[0]).toMatchObject({
    title: 'Lantern Jam',
    link: 'https://events.example/events/lantern-jam',
    guid: 'tag:marquee.events,2026:recV7kQ2mXw4Tn9Lb',
    pubDate: 'Mon, 02 Nov 2026 09:30:00 GMT',
    categories: ['Electronics', 'CAD'],
    contentSnippet: [
      '12–14 Dec 2026 · Online · In person 13–14 Dec 2026 · Lisbon, Portugal',
      'Build a lantern that reacts to sound.',
      'Requirements',
      'A soldering iron.',
    ].join('\n'),
  });
});

test('the channel’s description comes before its first item', async () => {
  const xml = await toRss([makeEvent()], options);
  const channel = readChannel(xml);
  expect(channel).toMatchObject({
    title: 'Marquee: newly announced events',
    link: 'https://events.example/',
    docs: 'http://www.rssboard.org/rss-specification',
    lastBuildDate: 'Fri, 20 Nov 2026 08:05:09 GMT',
    'atom:link': { '@_href': selfUrl, '@_rel': 'self', '@_type': 'application/rss+xml' },
  });
  expect(Number(channel.ttl)).toBeGreaterThan(0);
  const names = Object.keys(channel).filter((name) => name !== '#text');
  expect(names.at(-1)).toBe('item');
  expect(xml).toContain('isPermaLink="false"');
});

test('a feed with filters has them in its title', async () => {
  const channel = readChannel(await toRss([], { ...options, filters: 'Online, “a & b”' }));
  expect(channel.title).toBe('Marquee: newly announced events (Online, “a & b”)');
});

test('a renamed event or a new site URL does not change the guid', async () => {
  const before = readGuid(await toRss([makeEvent()], options));
  const moved = { ...options, site: { name: 'Other', url: 'https://elsewhere.example' } };
  expect(readGuid(await toRss([makeEvent({ name: 'New', slug: 'new' })], moved))).toBe(before);
});

test('a title is plain text that readers decode once', async () => {
  const xml = await toRss([makeEvent({ name: 'Cats & <b>dogs</b>' })], options);
  expect(xml).toContain('<title>Cats &#x26; &#x3C;b&#x3E;dogs&#x3C;/b&#x3E;</title>');
});

test('text that looks like tags survives in a reader that shows descriptions as HTML', async () => {
  const xml = await toRss([makeEvent({ description: 'Learn <html> & more' })], options);
  const feed = await new Parser().parseString(xml);
  expect(feed.items[0]?.contentSnippet).toContain('Learn <html> & more');
});

// ASVS 1.3.5
test('descriptions are HTML with paragraphs, lists and absolute links, and nothing that runs', async () => {
  const description = [
    'Build a *lantern*.',
    '- Bring [a battery](https://battery.example/?a=1&b=2)',
    '- Not [this](/here), [that](javascript:alert(1)) or <script>alert(1)</script>',
  ].join('\n\n');
  const [item] = readItems(await toRss([makeEvent({ description })], options));
  const html = String(item?.description);
  expect(html).toContain('<p>Build a <em>lantern</em>.</p>');
  expect(html).toContain('<a href="https://battery.example/?a=1&#x26;b=2">a battery</a>');
  expect(html).toMatch(/<ul>\s*<li>/);
  expect(html).toContain('&#x3C;script>');
  expect([...html.matchAll(/href="([^"]*)"/g)].map(([, url]) => url)).toEqual([
    'https://battery.example/?a=1&#x26;b=2',
  ]);
  expect(item).not.toHaveProperty('content:encoded');
});

test('a text that is too long for the description is complete in content:encoded', async () => {
  const description = `${'A long text. '.repeat(300)}\n\nIts end.`;
  const xml = await toRss([makeEvent({ description })], options);
  const [item] = readItems(xml);
  expect(String(item?.description)).toMatch(/<p>…<\/p>/);
  expect(String(item?.description)).not.toContain('Its end.');
  expect(String(item?.['content:encoded'])).toContain('<p>Its end.</p>');
  expect((await new Parser().parseString(xml)).items[0]?.['content:encoded']).toContain('Its end.');
});

test('a feed without events is valid', async () => {
  const feed = await new Parser().parseString(await toRss([], options));
  expect(feed.items).toEqual([]);
});

test('no text breaks the XML, and names round-trip', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(hostileEvent, { maxLength: 3 }), async (events) => {
      const xml = await toRss(events, options);
      expect(XMLValidator.validate(xml)).toBe(true);
      expect(xml).not.toMatch(/[\0-\x08\x0b-\x1f\ufffe\uffff]/);
      expect(xml.isWellFormed()).toBe(true);
      const items = readItems(xml);
      expect(items.map((item) => item.title)).toEqual(events.map(toEventTitle));
      for (const item of items) expect(item.pubDate).toMatch(rfc822);
    }),
    { numRuns: 150 },
  );
});

type Element = Record<string, unknown>;

function readChannel(xml: string): Element {
  const parser = new XMLParser({
    ignoreAttributes: false,
    parseTagValue: false,
    trimValues: false,
    htmlEntities: true,
    processEntities: { enabled: true, maxTotalExpansions: 100_000 },
    isArray: (name) => name === 'item',
  });
  const parsed: { rss: { channel: Element } } = parser.parse(xml);
  return parsed.rss.channel;
}

function readItems(xml: string): Element[] {
  return (readChannel(xml).item ?? []) as Element[];
}

function readGuid(xml: string): unknown {
  const guid = readItems(xml)[0]?.guid as Element;
  return guid['#text'];
}
