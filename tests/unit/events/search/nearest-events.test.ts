import { expect, test } from 'vitest';
import { findNearestEvents } from '#lib/events/search/nearest-events.ts';
import { makeEvent } from '../../../support/factories/event-factory.ts';

const events = ['overnight-at-the-observatory', 'lantern-jam', 'lantern-night', 'forest-radio'].map(
  (slug, index) => makeEvent({ id: `rec${index}`, slug }),
);

test.for([
  ['lantern-jm', 'lantern-jam'],
  ['Forest-Radio-2', 'forest-radio'],
  ['observatory', 'overnight-at-the-observatory'],
  ['the-observatory-overnight', 'overnight-at-the-observatory'],
  ['obsevatory', 'overnight-at-the-observatory'],
  ['forrest raido', 'forest-radio'],
  // Two letters changed places.
  ['obsevratory', 'overnight-at-the-observatory'],
] as const)('%s is nearest to %s', ([given, nearest]) => {
  expect(findNearestEvents(events, given, 3)[0]?.slug).toBe(nearest);
});

test('an unrelated, empty or very long slug has no similar events', () => {
  expect(findNearestEvents(events, 'zzzz', 3)).toEqual([]);
  expect(findNearestEvents(events, '', 3)).toEqual([]);
  expect(findNearestEvents(events, 'lantern'.repeat(2000), 3)).toEqual([]);
});

test('a slug of short words only is compared, too', () => {
  const short = [makeEvent({ id: 'recS', slug: 'art-now' })];
  expect(findNearestEvents(short, 'art-nwo', 1)).toHaveLength(1);
});

test('at most as many as requested are returned', () => {
  expect(findNearestEvents(events, 'lantern', 1)).toHaveLength(1);
});

test('of many with the same words, those spelled most alike are found', () => {
  const jams = Array.from({ length: 900 }, (_, index) =>
    makeEvent({ id: `rec${index}`, slug: `lantern-jam-${index + 100}` }),
  );
  const found = findNearestEvents(jams, 'lantern-jam-98z', 10).map(({ slug }) => slug);
  expect(found.sort()).toEqual(Array.from({ length: 10 }, (_, index) => `lantern-jam-98${index}`));
});
