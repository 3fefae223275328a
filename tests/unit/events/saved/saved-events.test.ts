import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  addSavedEvent,
  listChanges,
  parseSavedEvents,
  parseSharedIds,
  removeSavedEvent,
  type SavedEvent,
  toSavedEvent,
  updateSavedEvent,
} from '#lib/events/view/saved-events.ts';
import { anyText } from '../../../support/factories/any-text.ts';
import { makeEvent, makeEvents } from '../../../support/factories/event-factory.ts';

const jam = {
  id: 'recV7kQ2mXw4Tn9Lb',
  slug: 'lantern-jam',
  name: 'Lantern Jam',
  startDate: '2026-12-12',
  endDate: '2026-12-14',
  state: 'scheduled',
  place: 'Lisbon, Portugal',
} as const;

const idsOf = (list: readonly { id: string }[]) => list.map(({ id }) => id);

test('a browser remembers what may change', () => {
  expect(toSavedEvent(makeEvent())).toEqual(jam);
  expect(toSavedEvent(makeEvent({ endDate: null, inPerson: null }))).toEqual({
    ...jam,
    endDate: null,
    place: null,
  });
});

test('a list is read back as it was written', () => {
  expect(parseSavedEvents(JSON.stringify([jam]))).toEqual([jam]);
  expect(parseSavedEvents(null)).toEqual([]);
});

test.for([
  ['no JSON', '[{'],
  ['no list', '{"id":"rec1"}'],
  ['null', 'null'],
  ['other things', '[1,"x",null,[],{}]'],
  ['an id that is a path', JSON.stringify([{ ...jam, id: '../proxy' }])],
  ['an id that is a query', JSON.stringify([{ ...jam, id: 'a&limit=1' }])],
  ['an impossible date', JSON.stringify([{ ...jam, startDate: '2026-02-30' }])],
  ['an unknown state', JSON.stringify([{ ...jam, state: 'toString' }])],
  ['an endless name', JSON.stringify([{ ...jam, name: 'x'.repeat(10_001) }])],
] as const)('%s under the list’s name is dropped', ([, text]) => {
  expect(parseSavedEvents(text)).toEqual([]);
});

test('any text gives a list', () => {
  fc.assert(
    fc.property(fc.oneof(anyText(), fc.json()), (text) => {
      expect(Array.isArray(parseSavedEvents(text))).toBe(true);
    }),
  );
});

test('an event is in the list once, and the newest hundred stay', () => {
  const events = makeEvents(101).map(toSavedEvent);
  const [first, second] = events;
  if (first === undefined || second === undefined) throw new Error('too few events');
  let list = addSavedEvent([first, second], first);
  expect(idsOf(list)).toEqual([second.id, first.id]);
  list = events.reduce(addSavedEvent, []);
  expect(list).toHaveLength(100);
  expect(list[0]?.id).toBe(second.id);
  expect(parseSavedEvents(JSON.stringify([...events, ...events]))).toHaveLength(100);
});

test('removing and updating leave the others alone', () => {
  const [first, second, third] = makeEvents(3).map(toSavedEvent);
  if (!first || !second || !third) throw new Error('too few events');
  expect(removeSavedEvent([first, second, third], second.id)).toEqual([first, third]);
  expect(removeSavedEvent([first], 'recUnknown')).toEqual([first]);
  const moved = { ...second, place: 'Porto' };
  expect(updateSavedEvent([first, second, third], moved)).toEqual([first, moved, third]);
  expect(updateSavedEvent([first], moved)).toEqual([first]);
});

test('a link to a list names ids; anything else in it is dropped', () => {
  expect(parseSharedIds('?id=recA,recB&id=recA&id=<b>,,rec-C_1&x=1')).toEqual([
    'recA',
    'recB',
    'rec-C_1',
  ]);
  expect(parseSharedIds('')).toEqual([]);
  const many = Array.from({ length: 150 }, (_, index) => `rec${index}`).join(',');
  expect(parseSharedIds(`?id=${many}`)).toHaveLength(100);
});

test('nothing changed', () => {
  expect(listChanges(jam, jam)).toEqual([]);
  // The slug follows the name.
  expect(listChanges(jam, { ...jam, slug: 'lantern-jam-2' })).toEqual([]);
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
  expect(listChanges(jam, { ...jam, ...change })).toEqual(words);
});

test('an event that was cancelled may be back, at a first place', () => {
  const before: SavedEvent = { ...jam, state: 'cancelled', place: null };
  expect(listChanges(before, jam)).toEqual([
    'It takes place after all.',
    'New place: Lisbon, Portugal.',
  ]);
});
