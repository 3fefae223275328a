import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { toEventTitle } from '#lib/events/view/event-facts.ts';
import { toJsonFeed } from '#lib/representations/feeds/json-feed.ts';
import { makeEvent } from '../../../support/factories/event-factory.ts';
import { hostileEvent } from '../../../support/factories/hostile-text.ts';
import { testSite as site } from '../../../support/test-site.ts';

const selfUrl = 'https://events.example/api/v1/events/feed.json';
const options = { site, selfUrl, changedAtMs: Date.parse('2026-11-20T08:05:09.000Z') };

// Required by https://www.jsonfeed.org/version/1.1/; names of custom fields begin with an
// underscore.
const itemSchema = z.strictObject({
  id: z.string().min(1),
  url: z.url({ protocol: /^https?$/ }),
  external_url: z.url({ protocol: /^(?:https?|mailto)$/ }).optional(),
  title: z.string().min(1),
  summary: z.string(),
  content_text: z.string().min(1),
  date_published: z.iso.datetime({ offset: true }),
  tags: z.array(z.string()).optional(),
  _marquee: z.looseObject({
    id: z.string(),
    startDate: z.iso.date(),
    endDate: z.iso.date().nullable(),
  }),
});
const feedSchema = z.strictObject({
  version: z.literal('https://jsonfeed.org/version/1.1'),
  title: z.string().min(1),
  description: z.string(),
  language: z.literal('en'),
  home_page_url: z.url(),
  feed_url: z.literal(selfUrl),
  _marquee: z.looseObject({ about: z.url() }),
  items: z.array(itemSchema),
});

test('an item has the event’s name, id, dates, URLs and tags', async () => {
  const feed = feedSchema.parse(JSON.parse(await toJsonFeed([makeEvent()], options)));
  expect(feed.items[0]).toMatchObject({
    id: 'tag:marquee.events,2026:recV7kQ2mXw4Tn9Lb',
    url: 'https://events.example/events/lantern-jam',
    external_url: 'https://lantern.example/',
    title: 'Lantern Jam',
    date_published: '2026-11-02T09:30:00.000Z',
    tags: ['Electronics', 'CAD'],
    _marquee: { id: 'recV7kQ2mXw4Tn9Lb', startDate: '2026-12-12', endDate: '2026-12-14' },
  });
  expect(feed.items[0]?.content_text).toContain('Build a lantern that reacts to sound.');
});

test('missing values are left out, and there is always content', async () => {
  const event = makeEvent({ url: null, description: null, requirements: null, projectTypes: [] });
  const [item] = feedSchema.parse(JSON.parse(await toJsonFeed([event], options))).items;
  expect(item).not.toHaveProperty('external_url');
  expect(item).not.toHaveProperty('tags');
  expect(item?.content_text).toContain('12–14 Dec 2026');
});

test('no text breaks the feed, and names round-trip', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(hostileEvent, { maxLength: 3 }), async (events) => {
      const feed = feedSchema.parse(JSON.parse(await toJsonFeed(events, options)));
      expect(feed.items.map((item) => item.title)).toEqual(events.map(toEventTitle));
    }),
    { numRuns: 150 },
  );
});
