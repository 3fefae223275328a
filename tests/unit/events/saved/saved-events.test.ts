import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  addSavedEvent,
  parseSavedEvents,
  parseSharedIds,
  removeSavedEvent,
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
