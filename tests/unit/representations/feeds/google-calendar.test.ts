import { expect, test } from 'vitest';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { toGoogleCalendarLinks } from '#lib/representations/feeds/google-calendar.ts';
import { makeEvent } from '../../../support/factories/event-factory.ts';

const pageUrl = 'https://events.example/events/lantern-jam';
const inLisbon = { start: null, end: null, location: 'Lisbon, Portugal' };

const wholeEvent = {
  kind: 'event',
  text: 'Lantern Jam',
  dates: '20261212/20261215',
  location: null,
};

function read(overrides: Partial<MarqueeEvent>, today = '2026-11-20') {
  return toGoogleCalendarLinks(makeEvent(overrides), { pageUrl, today }).map(({ kind, url }) => {
    const { searchParams } = new URL(url);
    const [text, dates] = [searchParams.get('text'), searchParams.get('dates')];
    return { kind, text, dates, location: searchParams.get('location') };
  });
}

test('a Google calendar gets whole days: its end is the day after the last', () => {
  const place = { location: 'Lisbon, Portugal' };
  expect(read({ inPerson: inLisbon })).toEqual([{ ...wholeEvent, ...place }]);
  const [link] = toGoogleCalendarLinks(makeEvent(), { pageUrl, today: '2026-11-20' });
  expect(new URL(link?.url ?? '').searchParams.get('details')).toContain(pageUrl);
});

test('days at the place are an entry of their own', () => {
  expect(read({})).toEqual([
    wholeEvent,
    {
      kind: 'in-person',
      text: 'Lantern Jam (in person)',
      dates: '20261213/20261215',
      location: 'Lisbon, Portugal',
    },
  ]);
});

test('only days that are left are entered, and none once an event is over', () => {
  const dates = (today: string) => read({}, today).map((link) => link.dates);
  expect(dates('2026-12-13')).toEqual(['20261213/20261215', '20261213/20261215']);
  expect(dates('2026-12-14')).toEqual(['20261214/20261215', '20261214/20261215']);
  expect(dates('2026-12-15')).toEqual([]);
});

test('in-person days that are over are left out, the rest of the event is not', () => {
  const inPerson = { start: '2026-12-12', end: '2026-12-12', location: 'Lisbon' };
  expect(read({ inPerson }, '2026-12-13').map(({ kind }) => kind)).toEqual(['event']);
});

test('an open-ended event is entered on its first day, later on the current day', () => {
  const event = { endDate: null, inPerson: null };
  expect(read(event)[0]?.dates).toBe('20261212/20261213');
  expect(read(event, '2027-02-01')[0]?.dates).toBe('20270201/20270202');
});

test('nobody enters a cancelled or a postponed event', () => {
  expect(read({ state: 'cancelled' })).toEqual([]);
  expect(read({ state: 'postponed' })).toEqual([]);
});

test('a name stays inside its parameter', () => {
  const event = makeEvent({ name: 'A&text=B#c d', inPerson: null });
  const [link] = toGoogleCalendarLinks(event, { pageUrl, today: '2026-11-20' });
  const url = new URL(link?.url ?? '');
  expect(url.searchParams.getAll('text')).toEqual(['A&text=B#c d']);
  expect(url.hash).toBe('');
});
