import { expect, test } from 'vitest';
import { compareEvents, isNotable, toCompared, toFingerprint } from '#lib/events/changes/change.ts';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { makeEvent } from '../../../support/factories/event-factory.ts';

const before = toCompared(makeEvent());

function compare(overrides: Partial<MarqueeEvent>) {
  return compareEvents(before, toCompared(makeEvent(overrides)));
}

test('a change has the names of its fields, and the values of those that people plan with', () => {
  expect(compare({ startDate: '2026-12-13', description: 'New.', url: null })).toEqual({
    type: 'event.changed',
    fields: ['description', 'url', 'startDate'],
    old: { url: 'https://lantern.example/', startDate: '2026-12-12' },
    new: { url: null, startDate: '2026-12-13' },
  });
});

test('pictures are no change, and neither is a field that was not stored before', () => {
  const picture = { id: 'attA', url: 'https://e.test/a', width: 1, height: 1, thumbHash: null };
  expect(compare({ pictures: { logo: picture, background: null } })).toBeNull();
  const { audience: _, ...older } = before;
  const stored: object = older;
  expect(compareEvents(stored as typeof before, { ...before, audience: '18+' })).toBeNull();
});

test('an event that comes or goes has all its values on one side', () => {
  const added = compareEvents(null, before);
  expect(added).toMatchObject({ type: 'event.added', fields: [], old: {} });
  expect(added?.new).toMatchObject({ name: 'Lantern Jam', startDate: '2026-12-12', place: null });
  const removed = compareEvents(before, null);
  expect(removed).toMatchObject({ type: 'event.removed', fields: [], new: {} });
  expect(removed?.old).toEqual(added?.new);
});

const shownInCalendars: readonly Partial<MarqueeEvent>[] = [
  { name: 'Renamed' },
  { slug: 'renamed' },
  { state: 'cancelled' },
  { startDate: '2026-12-11' },
  { endDate: null },
  { format: 'online' },
  { inPerson: null },
  { description: 'New.' },
  { requirements: null },
  { projectTypes: [] },
  { startTime: '18:30' },
  { startsAt: '2026-12-12T18:30:00+01:00' },
  { schedule: [{ day: '2026-12-12', time: '19:00', title: 'Doors' }] },
  { organizer: { name: 'Lantern Club', url: null } },
  { price: 'Free' },
];

test.for(shownInCalendars)('a calendar entry has a new SEQUENCE after %j', (overrides) => {
  expect(toFingerprint(toCompared(makeEvent(overrides)))).not.toBe(toFingerprint(before));
});

test('what a calendar does not show leaves SEQUENCE as it is', () => {
  const event = makeEvent({ status: 'ongoing', pinned: true, slackChannel: 'other', url: null });
  expect(toFingerprint(toCompared(event))).toBe(toFingerprint(before));
});

test.for<[Partial<MarqueeEvent>, boolean]>([
  [{ startDate: '2026-12-13' }, true],
  [{ state: 'cancelled' }, true],
  [{ name: 'Renamed' }, true],
  [{ description: 'New.' }, false],
  [{ status: 'ongoing' }, false],
])('a page tells visitors of %j: %s', ([overrides, expected]) => {
  const change = compare(overrides);
  expect(change !== null && isNotable(change)).toBe(expected);
});
