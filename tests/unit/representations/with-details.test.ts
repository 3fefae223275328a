import { expect, test } from 'vitest';
import type { NamedGroup } from '#lib/events/source/name-index.ts';
import { toEmbedHtml } from '#lib/representations/embed/embed-page.ts';
import { toEventText } from '#lib/representations/feeds/feed.ts';
import { toGoogleCalendarLinks } from '#lib/representations/feeds/google-calendar.ts';
import { toICalendar } from '#lib/representations/feeds/icalendar.ts';
import { toEventMarkdown } from '#lib/representations/markdown/pages/event.ts';
import { toEventJsonLd } from '#lib/representations/seo/json-ld.ts';
import { makeEvening, makePlace } from '../../support/factories/event-factory.ts';
import { testSite as site } from '../../support/test-site.ts';

const today = '2026-11-20';

async function linesOf(...events: ReturnType<typeof makeEvening>[]): Promise<string[]> {
  const calendar = await toICalendar(events, { site, today });
  return calendar.replaceAll('\r\n ', '').split('\r\n');
}

test('a calendar has moments in UTC, the address, coordinates and a contact', async () => {
  const lines = await linesOf(makeEvening());
  expect(lines).toContain('DTSTART:20261124T173000Z');
  expect(lines).toContain('DTEND:20261124T200000Z');
  expect(lines).toContain('LOCATION:Market Hall\\, Oude Beestenmarkt 10\\, Ghent\\, Belgium');
  expect(lines).toContain('GEO:51.0543;3.7174');
  expect(lines).toContain('CONTACT:Lantern Club\\, https://lantern-club.example/');
  expect(lines).toContain('X-WR-TIMEZONE:Europe/Brussels');
  expect(lines.filter((line) => line.startsWith('ORGANIZER'))).toEqual([]);
});

test('a calendar of several zones names none, and open-ended events have whole days', async () => {
  const other = makeEvening({ id: 'recOther', timeZone: 'Asia/Tokyo' });
  expect((await linesOf(makeEvening(), other)).join()).not.toContain('X-WR-TIMEZONE');
  const openEnded = await linesOf(makeEvening({ endDate: null, endsAt: null }));
  expect(openEnded.join()).not.toContain('X-WR-TIMEZONE');
  expect(openEnded).toContain('DTSTART;VALUE=DATE:20261124');
});

test('a Google Calendar entry has the same moments', () => {
  const options = { pageUrl: 'https://x.example/', today };
  const [link] = toGoogleCalendarLinks(makeEvening(), options);
  const { searchParams } = new URL(link?.url ?? '');
  expect(searchParams.get('dates')).toBe('20261124T173000Z/20261124T200000Z');
  expect(searchParams.get('location')).toBe('Market Hall, Oude Beestenmarkt 10, Ghent, Belgium');
});

test('the Markdown page has all of it, and the schedule as a table', () => {
  const markdown = toEventMarkdown(makeEvening(), { site });
  for (const text of [
    '18:30',
    'Europe/Brussels',
    '2026-11-24T21:00:00+01:00',
    'Oude Beestenmarkt 10',
    'Belgium (BE)',
    '51.0543, 3.7174',
    '[Lantern Club](https://lantern-club.example/)',
    'Things that Glow',
    '€8',
    '24',
    '13–18',
    '## Schedule',
    'Talks',
  ]) {
    expect(markdown).toContain(text);
  }
});

test('feeds say the series, the age and the schedule, and embeds the time', () => {
  const text = toEventText(makeEvening(), 500);
  expect(text).toContain('Series: Things that Glow · Age: 13–18');
  expect(text).toContain('18:30 Doors\n19:00 Talks');
  const query = { filters: {}, scheme: 'auto', count: 5, event: null } as const;
  expect(toEmbedHtml([makeEvening()], { site, query, today })).toContain(
    'Tue 24 Nov, 18:30–21:00, in 4 days\u00a0· Market Hall, Ghent',
  );
});

// ASVS 1.1.2
test('markup in an organizer, a schedule or an address stays text', () => {
  const evil = '<img src=x onerror=alert(1)> [a](javascript:alert(1)) | `';
  const event = makeEvening({
    organizer: { name: evil, url: 'https://x.example/' },
    schedule: [{ day: '2026-11-24', time: '18:30', title: evil }],
    place: makePlace({ address: evil, city: evil }),
  });
  const markdown = toEventMarkdown(event, { site });
  expect(markdown).not.toMatch(/(?<!\\)<img|(?<!\\)\[a\]\(javascript/);
});

const series: NamedGroup = {
  kind: 'series',
  slug: 'night-shift',
  name: 'Night Shift](x)',
  country: null,
  region: null,
  isAmbiguous: false,
  positions: [0],
};
const city: NamedGroup = { ...series, kind: 'city', slug: 'ghent', name: 'Ghent', country: 'BE' };

test('Markdown and structured data lead to the pages of the city and the series', () => {
  const groups = [city, series];
  expect(toEventMarkdown(makeEvening(), { site, groups })).toContain(
    'More: [Events in Ghent, Belgium](https://events.example/in/ghent.md) · [Night Shift\\](x): all events](https://events.example/series/night-shift.md)',
  );
  expect(toEventJsonLd(makeEvening(), { site, groups })).toMatchObject({
    subjectOf: [
      { '@type': 'CollectionPage', url: 'https://events.example/in/ghent' },
      { '@type': 'CollectionPage', url: 'https://events.example/series/night-shift' },
    ],
  });
  expect(toEventMarkdown(makeEvening(), { site })).not.toContain('More:');
  expect(toEventJsonLd(makeEvening(), { site })).not.toHaveProperty('subjectOf');
});
