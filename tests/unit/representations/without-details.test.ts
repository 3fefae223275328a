import { expect, test } from 'vitest';
import type { EventDraft } from '#lib/events/model/schema.ts';
import { createSnapshot } from '#lib/events/source/snapshot.ts';
import { toDirectoryView } from '#lib/events/view/directory/directory-view.ts';
import { toWhen } from '#lib/events/words/when.ts';
import { createClientShares } from '#lib/http/client-shares.ts';
import { createTimeSlices } from '#lib/http/time-slices.ts';
import { toEmbedHtml } from '#lib/representations/embed/embed-page.ts';
import { toOEmbed } from '#lib/representations/embed/oembed.ts';
import { toGoogleCalendarLinks } from '#lib/representations/feeds/google-calendar.ts';
import { toEventICalendar, toICalendar } from '#lib/representations/feeds/icalendar.ts';
import { toJsonFeed } from '#lib/representations/feeds/json-feed.ts';
import { toRss } from '#lib/representations/feeds/rss.ts';
import { toLlmsTxt } from '#lib/representations/markdown/llms-txt.ts';
import { toDirectoryMarkdown } from '#lib/representations/markdown/pages/directory.ts';
import { toEventMarkdown } from '#lib/representations/markdown/pages/event.ts';
import { toMonthMarkdown } from '#lib/representations/markdown/pages/month.ts';
import { toEventJsonLd } from '#lib/representations/seo/json-ld.ts';
import { createOgImages } from '#lib/site/media/og-image/og-images.ts';
import type { Pictures } from '#lib/site/media/pictures/pictures.ts';
import { createFileStore, type FileStore } from '#lib/site/media/store/file-store.ts';
import { makeDraft } from '../../support/factories/draft-factory.ts';
import { createTestLog } from '../../support/test-log.ts';
import { testSite as site } from '../../support/test-site.ts';

/**
 * What each representation said of events before these had times, places in parts, organizers and prices: a table
 * without these columns gives the same today. The files were written by the version before.
 */
const today = '2026-12-13';
const changedAtMs = Date.parse('2026-12-13T09:00:00Z');
const hall = { start: '2026-12-13', end: '2026-12-13', location: 'Market Hall, Ghent' };

const differences: readonly Partial<EventDraft>[] = [
  {},
  { format: 'online', inPerson: null },
  { startDate: '2026-12-13', endDate: '2026-12-13', format: 'in-person', inPerson: hall },
  { startDate: '2026-11-01', endDate: null, format: 'online', inPerson: null },
  { startDate: '2026-12-14', endDate: '2026-12-14', format: null, inPerson: null, url: null },
  { startDate: '2026-12-01', endDate: '2026-12-12', inPerson: null },
  { startDate: '2026-12-20', endDate: '2026-12-22', state: 'cancelled' },
  { startDate: '2026-12-30', endDate: '2027-01-02', name: 'ورشة', description: null },
];

async function build() {
  const drafts = differences.map((difference, index) =>
    makeDraft({
      id: `rec0000000000000${index}`,
      name: `Lantern Jam ${index}`,
      announcedAt: `2026-11-0${index + 1}T09:30:00.000Z`,
      ...difference,
    }),
  );
  const yieldWhenDue = createTimeSlices();
  return createSnapshot(drafts, { readAtMs: changedAtMs, day: today, yieldWhenDue });
}

function fileOf(name: string): string {
  return `recorded/${name}`;
}

test('calendars', async () => {
  const { events } = await build();
  const options = { site, today, revisions: new Map([['rec00000000000001', 3]]) };
  const files = events.map((event) => toEventICalendar(event, options));
  const links = events.flatMap((event) =>
    toGoogleCalendarLinks(event, { pageUrl: 'https://x.example/', today }).map(({ url }) => url),
  );
  const text = [await toICalendar(events, options), ...files, ...links].join('\n');
  await expect(text).toMatchFileSnapshot(fileOf('calendars.txt'));
});

test('feeds', async () => {
  const { events } = await build();
  const options = { site, selfUrl: `${site.url}/feed`, changedAtMs };
  const texts = [await toRss(events, options), await toJsonFeed(events, options)];
  await expect(texts.join('\n')).toMatchFileSnapshot(fileOf('feeds.txt'));
});

test('Markdown and llms.txt', async () => {
  const { events } = await build();
  const view = toDirectoryView(events, { page: 1, isOneStatus: false });
  const month = {
    month: '2026-12',
    urlMonth: undefined,
    today,
    filters: {},
    problems: [],
    suggestions: [],
    searchChips: [],
  };
  const texts = [
    toDirectoryMarkdown(view, { site, changedAtMs }),
    toMonthMarkdown(events, { site, ...month }),
    ...events.map((event) => toEventMarkdown(event, { site })),
    // Its other lines are about the site.
    ...toLlmsTxt(events, { site })
      .split('\n')
      .filter((line) => line.includes('/events/')),
  ];
  await expect(texts.join('\n')).toMatchFileSnapshot(fileOf('markdown.txt'));
});

test('structured data, words, embeds and Open Graph images', async () => {
  const snapshot = await build();
  const { events } = snapshot;
  const query = { filters: {}, scheme: 'auto', count: 20, event: null } as const;
  const urlOf = (slug: string) => new URL(`${site.url}/events/${slug}`);
  const size = { maxWidth: 2000, maxHeight: 2000, format: 'json' } as const;
  const texts = [
    ...events.map((event) => JSON.stringify(toEventJsonLd(event, { site }), null, 1)),
    ...events.map((event) => JSON.stringify(toWhen(event, today))),
    toEmbedHtml(events, { site, query, today }),
    ...events.map(({ slug }) =>
      JSON.stringify(toOEmbed(snapshot, { url: urlOf(slug), ...size }, site)),
    ),
    ...(await listImageNames(events)),
  ];
  await expect(texts.join('\n')).toMatchFileSnapshot(fileOf('embeds.txt'));
});

/** The names of stored images are digests of everything that is drawn. */
async function listImageNames(events: Parameters<typeof toEmbedHtml>[0]): Promise<string[]> {
  const names: string[] = [];
  const files = createFileStore({
    folder: '/no-such-folder',
    memoryBytesMax: 0,
    log: createTestLog(),
  });
  const store: FileStore = {
    ...files,
    async read({ name }) {
      names.push(name);
      return { bytes: new Uint8Array(), etag: '' };
    },
  };
  const images = createOgImages({
    store,
    pictures: noPictures,
    site,
    shares: createClientShares({ trustedHops: 0 }),
  });
  const request = new Request(site.url);
  for (const event of events) await images.loadEvent(event, async () => undefined, request);
  return names;
}

const noPictures: Pictures = {
  peek: () => undefined,
  load: () => Promise.reject(new Error('These events have no pictures.')),
  loadOriginal: async () => null,
  isMissing: () => false,
  toPicture: () => null,
  ready: Promise.resolve(),
};
