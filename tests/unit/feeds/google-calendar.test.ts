import { expect, test } from 'vitest';
import { toGoogleCalendarUrl } from '#lib/feeds/google-calendar.ts';
import { makeEvent } from '../../support/factories/event-factory.ts';

const page = 'https://events.example/events/lantern-jam';

test('a Google calendar gets whole days: its end is the day after the last', () => {
  const { searchParams } = new URL(toGoogleCalendarUrl(makeEvent(), page));
  expect(searchParams.get('text')).toBe('Lantern Jam');
  expect(searchParams.get('dates')).toBe('20261212/20261215');
  expect(searchParams.get('location')).toBe('Lisbon, Portugal');
  expect(searchParams.get('details')).toContain(page);
});

test('an open-ended event is entered on its first day', () => {
  const { searchParams } = new URL(toGoogleCalendarUrl(makeEvent({ endDate: null }), page));
  expect(searchParams.get('dates')).toBe('20261212/20261213');
});

test('a name stays inside its parameter', () => {
  const url = new URL(toGoogleCalendarUrl(makeEvent({ name: 'A&text=B#c d' }), page));
  expect(url.searchParams.getAll('text')).toEqual(['A&text=B#c d']);
  expect(url.hash).toBe('');
});
