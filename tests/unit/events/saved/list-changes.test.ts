import { expect, test } from 'vitest';
import { listChanges, type SavedEvent, toSavedEvent } from '#lib/events/view/saved-events.ts';
import { makeEvent } from '../../../support/factories/event-factory.ts';

const saved: SavedEvent = toSavedEvent(makeEvent());

test('nothing changed', () => {
  expect(listChanges(saved, saved)).toEqual([]);
  // The slug follows the name.
  expect(listChanges(saved, { ...saved, slug: 'lantern-jam-2' })).toEqual([]);
});

test.for<[string, Partial<SavedEvent>, string[]]>([
  [
    'new dates',
    { startDate: '2026-12-19', endDate: '2026-12-21' },
    ['New dates: 19–21 Dec 2026 instead of 12–14 Dec 2026.'],
  ],
  [
    'an end that was dropped',
    { endDate: null },
    ['New dates: from 12 Dec 2026, open-ended instead of 12–14 Dec 2026.'],
  ],
  ['a new place', { place: 'Porto' }, ['New place: Porto instead of Lisbon, Portugal.']],
  ['a place that was dropped', { place: null }, ['It is no longer at Lisbon, Portugal.']],
  ['a cancellation', { state: 'cancelled' }, ['It was cancelled.']],
  ['a postponement', { state: 'postponed' }, ['It was postponed.']],
  ['a move to the network', { state: 'moved-online', place: null }, ['It was moved online.']],
  ['a new name', { name: 'Lamp Jam' }, ['It was called “Lantern Jam”.']],
  [
    'all at once',
    { name: 'Lamp Jam', place: 'Porto', state: 'postponed', endDate: '2026-12-15' },
    [
      'It was postponed.',
      'New dates: 12–15 Dec 2026 instead of 12–14 Dec 2026.',
      'New place: Porto instead of Lisbon, Portugal.',
      'It was called “Lantern Jam”.',
    ],
  ],
])('%s', ([, change, words]) => {
  expect(listChanges(saved, { ...saved, ...change })).toEqual(words);
});

test('an event that was cancelled may be back, at a first place', () => {
  const before: SavedEvent = { ...saved, state: 'cancelled', place: null };
  expect(listChanges(before, saved)).toEqual([
    'It takes place after all.',
    'New place: Lisbon, Portugal.',
  ]);
});
