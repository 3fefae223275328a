import { expect, test } from 'vitest';
import { createPace } from '#lib/events/pacer.ts';
import { selectEvents } from '#lib/events/select.ts';
import { createSnapshot } from '#lib/events/snapshot.ts';
import { toCalendarFilters, toGoogleCalendarUrl } from '#lib/formats/calendar-links.ts';
import { makeDraft } from '../../support/draft-factory.ts';
import { makeEvent } from '../../support/event-factory.ts';

const page = 'https://events.example/events/lantern-jam';

test('a Google calendar gets whole days: its end is the day after the last', () => {
  const { searchParams } = new URL(toGoogleCalendarUrl(makeEvent(), page));
  expect(searchParams.get('text')).toBe('Lantern Jam');
  expect(searchParams.get('dates')).toBe('20261212/20261215');
  expect(searchParams.get('location')).toBe('Lisbon, Portugal');
  expect(searchParams.get('details')).toContain(page);
});

test('an open-ended event is put down on its first day', () => {
  const { searchParams } = new URL(toGoogleCalendarUrl(makeEvent({ endDate: null }), page));
  expect(searchParams.get('dates')).toBe('20261212/20261213');
});

test('what a name holds stays inside its parameter', () => {
  const url = new URL(toGoogleCalendarUrl(makeEvent({ name: 'A&text=B#c d' }), page));
  expect(url.searchParams.getAll('text')).toEqual(['A&text=B#c d']);
  expect(url.hash).toBe('');
});

test.for(['Lantern Jam', `${'Very long '.repeat(40)}name`, 'Fête: 100 % <b>', '夜のゲームジャム'])(
  'the filters find “%s” again, and not its neighbours',
  async (name) => {
    const quiet = { name: 'Quiet Radio', description: null, slackChannel: null };
    const drafts = [
      makeDraft({ id: 'recOne', name }),
      makeDraft({ id: 'recTwo', ...quiet }),
      makeDraft({ id: 'recThree', name, startDate: '2027-01-01', endDate: null }),
    ];
    const read = { readAtMs: 0, day: '2026-12-01', pace: createPace() };
    const snapshot = await createSnapshot(drafts, read);
    const filters = toCalendarFilters(makeEvent({ name }));
    expect(filters.q.length).toBeLessThanOrEqual(200);
    expect(selectEvents(snapshot, filters).map(({ id }) => id)).toEqual(['recOne']);
  },
);
