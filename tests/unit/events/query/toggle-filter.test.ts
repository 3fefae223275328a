import { expect, test } from 'vitest';
import { hasFilter, toggleFilter, withoutFilters } from '#lib/events/query/toggle-filter.ts';

test('a value is turned on, and off again', () => {
  const on = toggleFilter({ q: 'robot' }, 'format', 'online');
  expect(on).toEqual({ q: 'robot', format: 'online' });
  expect(toggleFilter(on, 'format', 'online')).toEqual({ q: 'robot' });
});

test('project types add up, in one order; other filters replace each other', () => {
  const one = toggleFilter({}, 'projectType', 'Software');
  const two = toggleFilter(one, 'projectType', 'CAD');
  expect(two).toEqual({ projectType: 'CAD,Software' });
  expect(toggleFilter(two, 'projectType', 'Software')).toEqual({ projectType: 'CAD' });
  expect(toggleFilter({ format: 'online' }, 'format', 'in-person')).toEqual({
    format: 'in-person',
  });
});

test('quick dates take the place of a range', () => {
  const range = { from: '2026-12-01', to: '2026-12-24', q: 'robot' };
  expect(toggleFilter(range, 'when', 'weekend')).toEqual({ q: 'robot', when: 'weekend' });
});

test('a value among others is on; a part of a word is not', () => {
  expect(hasFilter({ projectType: 'CAD,Software' }, 'projectType', 'Software')).toBe(true);
  expect(hasFilter({ projectType: 'CAD,Software' }, 'projectType', 'Soft')).toBe(false);
  expect(hasFilter({}, 'projectType', 'CAD')).toBe(false);
});

test('filters are taken off by their names', () => {
  expect(withoutFilters({ q: 'a', from: '2026-01-01', to: '2026-02-01' }, 'from', 'to')).toEqual({
    q: 'a',
  });
});
