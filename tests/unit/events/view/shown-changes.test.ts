import { expect, test } from 'vitest';
import {
  type ChangedValues,
  compareEvents,
  type EventChange,
  toCompared,
} from '#lib/events/changes/change.ts';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { toChangeInWords, toMark } from '#lib/events/view/shown-changes.ts';
import { makeEvent } from '../../../support/factories/event-factory.ts';

function toChange(before: Partial<MarqueeEvent>, after: Partial<MarqueeEvent>): EventChange {
  const [old, current] = [before, after].map((fields) => toCompared(makeEvent(fields)));
  const difference = compareEvents(old ?? null, current ?? null);
  if (difference === null) throw new Error('Nothing has changed.');
  const { id: eventId, slug } = makeEvent();
  return { id: '1', timestamp: '', eventId, slug, ...difference };
}

test.for<[Partial<MarqueeEvent>, Partial<MarqueeEvent>, string]>([
  [
    { startDate: '2027-01-05', endDate: '2027-01-06' },
    { startDate: '2027-02-03', endDate: '2027-02-04' },
    'Moved from 5–6 Jan 2027 to 3–4 Feb 2027',
  ],
  [
    { startDate: '2027-01-05', endDate: null },
    { startDate: '2027-02-03', endDate: null },
    'Moved from 5 Jan 2027 to 3 Feb 2027',
  ],
  [{ endDate: '2026-12-14' }, { endDate: '2026-12-16' }, 'Now until 16 Dec 2026'],
  [{}, { endDate: null }, 'Now open-ended'],
  [{ startTime: '18:00' }, { startTime: '18:30' }, 'Now at 18:30'],
  [{}, { startTime: '18:30', endTime: '21:00' }, 'Now at 18:30–21:00'],
  [{ endTime: '20:00' }, { endTime: '21:00' }, 'Now until 21:00'],
  [{ startTime: '18:00' }, {}, 'Without a time'],
  [{}, { state: 'cancelled' }, 'Cancelled'],
  [{ state: 'cancelled' }, {}, 'Takes place after all'],
  [{}, { state: 'moved-online' }, 'Moved online'],
  [{}, { inPerson: { start: null, end: null, location: 'Old\nMill' } }, 'New place: Old Mill'],
  [{}, { inPerson: null }, 'No longer at a place'],
  [{}, { name: 'Candle Jam' }, 'Renamed, was “Lantern Jam”'],
  [{}, { pinned: true }, 'Details changed'],
  [{}, { state: 'postponed', name: 'New' }, 'Postponed, renamed, was “Lantern Jam”'],
])('from %j to %j: %s', ([before, after, expected]) => {
  expect(toChangeInWords(toChange(before, after))).toBe(expected);
});

test.for<[Partial<MarqueeEvent>, Partial<MarqueeEvent>, string]>([
  [{}, { state: 'cancelled' }, 'Cancelled'],
  [{}, { state: 'postponed', startDate: '2027-02-03' }, 'Postponed'],
  [{ state: 'postponed' }, {}, 'Back'],
  [{}, { state: 'moved-online' }, 'Moved'],
  [{}, { startTime: '18:30' }, 'Moved'],
  [{}, { inPerson: { start: null, end: null, location: 'Old Mill' } }, 'Moved'],
  [{}, { name: 'Candle Jam' }, 'Changed'],
])('from %j to %j has the mark %s', ([before, after, expected]) => {
  expect(toMark(toChange(before, after))).toBe(expected);
});

test('an event that comes has its days, one that goes is removed', () => {
  const values: ChangedValues = { startDate: '2026-12-12', endDate: '2026-12-14' };
  const change = { id: '1', timestamp: '', eventId: 'recA', slug: 'a', fields: [] };
  const added = { ...change, type: 'event.added', old: {}, new: values } as const;
  expect(toMark(added)).toBe('New');
  expect(toChangeInWords(added)).toBe('Announced: 12–14 Dec 2026');
  const removed = { ...change, type: 'event.removed', old: values, new: {} } as const;
  expect(toMark(removed)).toBe('Removed');
  expect(toChangeInWords(removed)).toBe('Removed from the list');
});
