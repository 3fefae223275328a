import fc from 'fast-check';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import Parser from 'rss-parser';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { toEventTitle } from '#lib/events/view/event-facts.ts';
import { toAtom } from '#lib/representations/feeds/atom.ts';
import { makeEvent } from '../../../support/factories/event-factory.ts';
import { hostileEvent } from '../../../support/factories/hostile-text.ts';
import { testSite as site } from '../../../support/test-site.ts';

const selfUrl = 'https://events.example/api/v1/events/feed.atom?format=online&limit=2';
const options = { site, selfUrl, changedAtMs: Date.parse('2026-11-20T08:05:09.000Z') };

// What RFC 4287 §4.1 demands and allows, as far as these feeds use it: no other elements and attributes, each that
// is required once, one alternate link of a type, and an author for all entries.
const timestamp = z.iso.datetime();
const alternate = z.strictObject({
  '@_rel': z.literal('alternate'),
  '@_type': z.literal('text/html'),
  '@_href': z.url(),
});
const related = z.strictObject({ '@_rel': z.literal('related'), '@_href': z.url() });
const self = z.strictObject({
  '@_rel': z.literal('self'),
  '@_type': z.literal('application/atom+xml'),
  '@_href': z.literal(selfUrl),
});
const hub = z.strictObject({ '@_rel': z.literal('hub'), '@_href': z.url() });
const entrySchema = z.strictObject({
  id: z.string().regex(/^tag:marquee\.events,2026:\S+$/),
  title: z.string().min(1),
  published: timestamp,
  updated: timestamp,
  link: z.union([z.tuple([alternate]), z.tuple([alternate, related])]),
  category: z.array(z.strictObject({ '@_term': z.string().min(1) })).optional(),
  summary: z.string(),
  content: z.strictObject({ '@_type': z.literal('html'), '#text': z.string().min(1) }),
});
const feedSchema = z.strictObject({
  '@_xmlns': z.literal('http://www.w3.org/2005/Atom'),
  '@_xml:lang': z.literal('en'),
  id: z.url(),
  title: z.string().min(1),
  subtitle: z.string(),
  updated: timestamp,
  author: z.strictObject({ name: z.string().min(1) }),
  link: z.union([z.tuple([self, alternate]), z.tuple([self, alternate, hub])]),
  entry: z.array(entrySchema).optional(),
});

function readFeed(xml: string) {
  expect(XMLValidator.validate(xml)).toBe(true);
  expect(xml).toMatch(/^<\?xml version="1.0" encoding="UTF-8"\?>\n<feed /);
  const parser = new XMLParser({
    ignoreAttributes: false,
    ignoreDeclaration: true,
    parseTagValue: false,
    htmlEntities: true,
    processEntities: { enabled: true, maxTotalExpansions: 100_000 },
    isArray: (name) => ['entry', 'link', 'category'].includes(name),
  });
  return z.strictObject({ feed: feedSchema }).parse(parser.parse(xml)).feed;
}

test('a feed names itself, its page and the hub, and says when it changed', async () => {
  const feed = readFeed(await toAtom([], { ...options, hub: 'https://hub.example/' }));
  expect(feed).toMatchObject({
    id: selfUrl,
    title: 'Marquee: newly announced events',
    updated: '2026-11-20T08:05:09.000Z',
    author: { name: 'Marquee' },
  });
  expect(feed.link.map((link) => [link['@_rel'], link['@_href']])).toEqual([
    ['self', selfUrl],
    ['alternate', 'https://events.example/'],
    ['hub', 'https://hub.example/'],
  ]);
  expect(feed).not.toHaveProperty('entry');
});

test('an entry has the event’s name, id, times, URLs, types and text', async () => {
  const [entry] = readFeed(await toAtom([makeEvent()], options)).entry ?? [];
  expect(entry).toMatchObject({
    id: 'tag:marquee.events,2026:recV7kQ2mXw4Tn9Lb',
    title: 'Lantern Jam',
    published: '2026-11-02T09:30:00.000Z',
    updated: '2026-11-02T09:30:00.000Z',
    category: [{ '@_term': 'Electronics' }, { '@_term': 'CAD' }],
    summary: '12–14 Dec 2026 · Online · In person 13–14 Dec 2026 · Lisbon, Portugal',
  });
  expect(entry?.link.map((link) => link['@_href'])).toEqual([
    'https://events.example/events/lantern-jam',
    'https://lantern.example/',
  ]);
  expect(entry?.content['#text']).toContain(
    '<p>Build a lantern that <em>reacts</em> to sound.</p>',
  );
});

test('an entry is as new as the last change of its event', async () => {
  const event = makeEvent();
  const change = {
    id: '7',
    type: 'event.changed',
    timestamp: '2026-11-09T10:11:12.000Z',
    eventId: event.id,
    slug: event.slug,
    fields: ['startDate'],
    old: {},
    new: {},
  } as const;
  const lastChanges = new Map([
    [event.id, { day: '2026-11-09', change: { ...change, fields: ['startDate' as const] } }],
  ]);
  const [entry] = readFeed(await toAtom([event], { ...options, lastChanges })).entry ?? [];
  expect(entry).toMatchObject({
    published: '2026-11-02T09:30:00.000Z',
    updated: '2026-11-09T10:11:12.000Z',
  });
});

test('a renamed event or a new site URL does not change the id of an entry', async () => {
  const readId = async (xml: Promise<string>) => readFeed(await xml).entry?.[0]?.id;
  const moved = { ...options, site: { name: 'Other', url: 'https://elsewhere.example' } };
  const renamed = makeEvent({ name: 'New', slug: 'new' });
  expect(await readId(toAtom([renamed], moved))).toBe(await readId(toAtom([makeEvent()], options)));
});

test('rss-parser reads title, link, id and time', async () => {
  const feed = await new Parser().parseString(await toAtom([makeEvent()], options));
  expect(feed.items[0]).toMatchObject({
    title: 'Lantern Jam',
    link: 'https://events.example/events/lantern-jam',
    id: 'tag:marquee.events,2026:recV7kQ2mXw4Tn9Lb',
    isoDate: '2026-11-02T09:30:00.000Z',
  });
});

test('no text breaks the XML, and names round-trip', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(hostileEvent, { maxLength: 3 }), async (events) => {
      const xml = await toAtom(events, options);
      expect(xml).not.toMatch(/[\0-\x08\x0b-\x1f\ufffe\uffff]/);
      expect(xml.isWellFormed()).toBe(true);
      const titles = (readFeed(xml).entry ?? []).map(({ title }) => title);
      expect(titles).toEqual(events.map(toEventTitle));
    }),
    { numRuns: 150 },
  );
});
