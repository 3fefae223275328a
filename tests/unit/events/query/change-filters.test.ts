import { expect, test } from 'vitest';
import { hasFilter, toggleFilter, toNearFilters } from '#lib/events/query/change-filters.ts';

test('a value is turned on, and off again', () => {
  const on = toggleFilter({ q: 'robot' }, 'format', 'online');
  expect(on).toEqual({ q: 'robot', format: ['online'] });
  expect(toggleFilter(on, 'format', 'online')).toEqual({ q: 'robot' });
});

test('project types add up, in one order; other filters replace each other', () => {
  const one = toggleFilter({}, 'projectType', 'Software');
  const two = toggleFilter(one, 'projectType', 'CAD');
  expect(two).toEqual({ projectType: ['CAD', 'Software'] });
  expect(toggleFilter(two, 'projectType', 'Software')).toEqual({ projectType: ['CAD'] });
  expect(toggleFilter({ format: ['online'] }, 'format', 'in-person')).toEqual({
    format: ['in-person'],
  });
});

test('quick dates take the place of a range', () => {
  const range = { from: '2026-12-01', to: '2026-12-24', q: 'robot' };
  expect(toggleFilter(range, 'when', 'weekend')).toEqual({ q: 'robot', when: 'weekend' });
});

test('a value among others is on; a part of a word is not', () => {
  expect(hasFilter({ projectType: ['CAD', 'Software'] }, 'projectType', 'Software')).toBe(true);
  expect(hasFilter({ projectType: ['CAD', 'Software'] }, 'projectType', 'Soft')).toBe(false);
  expect(hasFilter({}, 'projectType', 'CAD')).toBe(false);
});

const status = ['ongoing', 'upcoming'] as const;

test('what is left out grows: the days, the kind, the search, everything', () => {
  expect(toNearFilters({ q: 'robot', format: ['online'], when: 'weekend' })).toEqual([
    { title: 'On other days', filters: { q: 'robot', format: ['online'], status } },
    { title: 'Other kinds of events', filters: { q: 'robot', status } },
    { title: 'What else is on', filters: { format: ['online'], when: 'weekend', status } },
    { title: 'On now and coming up', filters: { status } },
  ]);
});

test('a search alone has nothing else to leave out', () => {
  expect(toNearFilters({ q: 'telescop' })).toEqual([
    { title: 'What else is on', filters: { status } },
  ]);
});

test('a status alone is a day left out', () => {
  expect(toNearFilters({ status: ['ended'] })).toEqual([
    { title: 'On other days', filters: { status } },
  ]);
});
