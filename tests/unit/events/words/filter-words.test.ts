import { expect, test } from 'vitest';
import type { EventsQuery } from '#lib/events/query/events-query.ts';
import { listFilterWords } from '#lib/events/words/filter-words.ts';

test('filters in words, in their canonical order', () => {
  const filters: EventsQuery = {
    to: '2026-12-24',
    q: 'robot <b>',
    projectType: ['Gamedev', 'CAD'],
    format: ['in-person'],
    status: ['ongoing', 'upcoming'],
    from: '2026-12-01',
    when: 'weekend',
    state: ['cancelled'],
  };
  expect(listFilterWords(filters).map(({ words }) => words)).toEqual([
    'On now or Coming up',
    'Cancelled',
    'In person',
    'Games or CAD',
    '“robot <b>”',
    'This weekend',
    'From 1 Dec 2026',
    'Until 24 Dec 2026',
  ]);
  expect(listFilterWords({ q: '' })).toEqual([]);
});

test('places in words', () => {
  const filters: EventsQuery = {
    city: 'Ghent',
    country: 'be',
    organizer: 'Atelier',
    series: 'Night Shift',
    near: '51.1,-3.7',
    within: 20,
  };
  expect(listFilterWords(filters).map(({ words }) => words)).toEqual([
    'Ghent',
    'Belgium',
    'By Atelier',
    'Night Shift',
    'Within 20 km of 51.1° N, 3.7° W',
  ]);
  expect(listFilterWords({ country: 'HK' })).toEqual([{ name: 'country', words: 'Hong Kong' }]);
  const words = 'OR, United States';
  expect(listFilterWords({ country: 'US-OR' })).toEqual([{ name: 'country', words }]);
  expect(listFilterWords({ near: '0,0' })).toEqual([
    { name: 'near', words: 'Within 50 km of 0° N, 0° E' },
  ]);
});

test.each([
  ['10EUR', 'Under €10'],
  ['12.50EUR', 'Under €12.50'],
  ['15USD', 'Under $15'],
  ['1000JPY', 'Under ¥1,000'],
  ['100SEK', 'Under SEK\u{a0}100'],
  ['15CAD', 'Under CA$15'],
  ['10', 'Under 10'],
])('maxPrice=%s is “%s”', (maxPrice, words) => {
  expect(listFilterWords({ maxPrice })).toEqual([{ name: 'maxPrice', words }]);
});

test('facts in words', () => {
  const filters: EventsQuery = { price: 'paid', audience: 'kids', hasPlaces: 'true' };
  expect(listFilterWords(filters).map(({ words }) => words)).toEqual([
    'Paid',
    'For kids',
    'Places left',
  ]);
});
