import { expect, test } from 'vitest';
import { toNearFilters } from '#lib/events/query/near-filters.ts';

const status = 'ongoing,upcoming';

test('what is left out grows: the days, the kind, the search, everything', () => {
  expect(toNearFilters({ q: 'robot', format: 'online', when: 'weekend' })).toEqual([
    { title: 'On other days', filters: { q: 'robot', format: 'online', status } },
    { title: 'Other kinds of events', filters: { q: 'robot', status } },
    { title: 'What else is on', filters: { format: 'online', when: 'weekend', status } },
    { title: 'On now and coming up', filters: { status } },
  ]);
});

test('a search alone has nothing else to leave out', () => {
  expect(toNearFilters({ q: 'telescop' })).toEqual([
    { title: 'What else is on', filters: { status } },
  ]);
});

test('a status alone is a day left out', () => {
  expect(toNearFilters({ status: 'ended' })).toEqual([
    { title: 'On other days', filters: { status } },
  ]);
});
