import { expect, test } from 'vitest';
import { findNearest } from '#lib/events/query/nearest-events.ts';
import { makeEvent } from '../../../support/event-factory.ts';

const events = ['overnight-at-the-observatory', 'lantern-jam', 'lantern-night', 'forest-radio'].map(
  (slug, index) => makeEvent({ id: `rec${index}`, slug }),
);

test.for([
  ['lantern-jm', 'lantern-jam'],
  ['Forest-Radio-2', 'forest-radio'],
  ['observatory', 'overnight-at-the-observatory'],
  ['the-observatory-overnight', 'overnight-at-the-observatory'],
] as const)('%s is nearest to %s', ([given, nearest]) => {
  expect(findNearest(events, given, 3)[0]?.slug).toBe(nearest);
});

test('nothing is near to what is like nothing', () => {
  expect(findNearest(events, 'zzzz', 3)).toEqual([]);
  expect(findNearest(events, '', 3)).toEqual([]);
  expect(findNearest(events, 'lantern'.repeat(2000), 3)).toEqual([]);
});

test('no more are named than were asked for', () => {
  expect(findNearest(events, 'lantern', 1)).toHaveLength(1);
});
