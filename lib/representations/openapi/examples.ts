import type { EventChange } from '#lib/events/changes/change.ts';
import { toDetails } from '#lib/events/model/field-lists.ts';
import type { PublishedEvent } from '#lib/events/model/schema.ts';
import { toApiErrorBody } from '#lib/http/errors/api-error.ts';
import { createApiError } from '#lib/http/errors/errors.ts';

/** Examples in the documentation. The tests validate each against its schema. */

const generatedAt = '2026-11-21T09:30:00.000Z';

export const exampleEvent: PublishedEvent = {
  id: 'recV7kQ2mXw4Tn9Lb',
  slug: 'lantern-jam',
  name: 'Lantern Jam',
  description: 'Build a lantern that **reacts**: to sound, to weather, to people walking by.',
  url: 'https://lantern-jam.example/',
  status: 'ongoing',
  state: 'scheduled',
  startDate: '2026-11-14',
  endDate: '2026-12-06',
  startTime: '18:00',
  endTime: '16:30',
  timeZone: 'Europe/Lisbon',
  startsAt: '2026-11-14T18:00:00+00:00',
  endsAt: '2026-12-06T16:30:00+00:00',
  schedule: [
    { day: '2026-12-05', time: '10:00', title: 'Doors' },
    { day: '2026-12-06', time: '15:00', title: 'Parade along the river' },
  ],
  announcedAt: '2026-10-02T16:00:00.000Z',
  format: 'both',
  inPerson: { start: '2026-12-05', end: '2026-12-06', location: 'Old Tram Depot' },
  place: {
    name: 'Old Tram Depot',
    address: 'Rua do Açúcar 10',
    city: 'Lisbon',
    region: null,
    country: 'PT',
    latitude: 38.7365,
    longitude: -9.1024,
  },
  organizer: { name: 'Lantern Club', url: 'https://lantern-club.example/' },
  ...toDetails(({ example }) => example),
  priceRange: { min: 12, max: 12, currency: 'EUR' },
  projectTypes: ['Electronics', 'CAD'],
  slackChannel: 'lantern-jam',
  slackUrl: 'https://chat.example/archives/C0LANTERN',
  requirements: 'A soldering iron, or a friend who has one.',
  pinned: true,
  logoUrl: 'https://files.example/signed/4f1c/lantern.webp',
  background: {
    type: 'image',
    color: '#1b1035',
    imageUrl: 'https://files.example/signed/9a07/night.webp',
  },
  theme: {
    text: '#fff4d6',
    accent: '#ffb454',
    logoSize: 120,
    button: {
      color: '#ffb454',
      textColor: '#1b1035',
      borderRadius: 12,
      borderWidth: 0,
      borderColor: '#ffb454',
    },
  },
  pictures: {
    logo: {
      id: 'attB4sW8nKx2QmT6Z',
      url: 'https://events.example/media/attB4sW8nKx2QmT6Z',
      width: 400,
      height: 400,
      thumbHash: 'H4oKDQKYh3h3h3hweIiHh3l4CI9/',
    },
    background: {
      id: 'attQ7rZ0sWv3xYb2N',
      url: 'https://events.example/media/attQ7rZ0sWv3xYb2N',
      width: 1200,
      height: 900,
      thumbHash: null,
    },
  },
};

export const exampleList = { data: [exampleEvent], meta: { count: 1, generatedAt } };
export const exampleItem = { data: exampleEvent, meta: { generatedAt } };

/** Excerpt of a feed; an ellipsis marks omitted lines. */
export const exampleFeed = `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:atom="http://www.w3.org/2005/Atom">
  <channel>
    <title>Marquee: newly announced events</title>
    …
    <item>
      <title>Lantern Jam</title>
      <link>https://events.example/events/lantern-jam</link>
      …
      <category>Electronics</category>
      <category>CAD</category>
      <guid isPermaLink="false">tag:marquee.events,2026:recV7kQ2mXw4Tn9Lb</guid>
      <pubDate>Fri, 02 Oct 2026 16:00:00 GMT</pubDate>
    </item>
  </channel>
</rss>`;

/** One error for each status that an operation can return. */
export function toExampleErrors(siteUrl: string) {
  const errors = {
    bad_request: createApiError('bad_request', {
      message: 'Invalid value “start” for the parameter `sort`.',
      hint: 'Did you mean `startDate`? `sort` must be one of `startDate`, `announcedAt`, `name`, `price`.',
    }),
    not_found: createApiError('not_found', {
      message: 'No event has this id or slug.',
      hint: 'Did you mean `lantern-jam`? Slugs change when an event is renamed; ids never do.',
    }),
    not_acceptable: createApiError('not_acceptable', {
      message: 'This endpoint only returns application/json, which the Accept header rules out.',
      hint: 'Send `Accept: application/json`, or no Accept header.',
    }),
    too_many_requests: createApiError('too_many_requests', {
      message: 'Your network has 256 event streams open.',
      hint: 'Close one of them first.',
    }),
    server_misconfigured: createApiError('server_misconfigured', {
      message: 'This server has no access to its events table yet.',
      hint: 'Its operator has to set AIRTABLE_TOKEN.',
    }),
    upstream_error: createApiError('upstream_error', {
      message: 'The events table could not be read.',
      hint: 'Your request was fine. Try again in a little while.',
    }),
    events_not_read_yet: createApiError('events_not_read_yet', {
      message: 'The events table is still being read: 12,300 rows so far.',
      hint: 'Your request was fine. Try again when `Retry-After` says.',
    }),
  };
  return Object.values(errors).map((error) => toApiErrorBody(error, siteUrl));
}

export const exampleChanges = {
  data: [
    {
      id: '1042',
      type: 'event.changed',
      timestamp: '2026-11-21T09:30:02.000Z',
      eventId: 'recV7kQ2mXw4Tn9Lb',
      slug: 'lantern-jam',
      fields: ['endDate', 'endsAt'],
      old: { endDate: '2026-12-05', endsAt: '2026-12-05T16:30:00+00:00' },
      new: { endDate: '2026-12-06', endsAt: '2026-12-06T16:30:00+00:00' },
    },
  ] satisfies EventChange[],
  meta: { next: '1042', hasMore: false, generatedAt },
};
