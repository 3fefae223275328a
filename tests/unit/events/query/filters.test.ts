import { expect, test } from 'vitest';
import { toListSearch, toSearch } from '#lib/events/query/filters.ts';

test('no filters give an empty query', () => {
  expect(toSearch({})).toBe('');
  expect(toSearch({ q: '  ', status: [], format: '' })).toBe('');
});

test('filters have a fixed order', () => {
  expect(toSearch({ q: 'jam', status: ['ongoing', 'upcoming'] })).toBe(
    '?status=ongoing,upcoming&q=jam',
  );
});

test('search texts are escaped', () => {
  expect(toSearch({ q: '<script>&a=b#c' })).toBe('?q=%3Cscript%3E%26a%3Db%23c');
});

test('in person and online also mean events that are both, in lists and feeds', () => {
  expect(toListSearch({ format: 'in-person', q: 'jam' })).toBe('?format=in-person,both&q=jam');
  expect(toListSearch({ format: ['online'] })).toBe('?format=online,both');
  expect(toListSearch({ format: 'both,online' })).toBe('?format=both,online');
  expect(toListSearch({ format: 'both' })).toBe('?format=both');
  expect(toListSearch({})).toBe('');
});

test('the first page is left out', () => {
  expect(toSearch({ status: ['ended'] }, 1)).toBe('?status=ended');
  expect(toSearch({ status: ['ended'] }, 3)).toBe('?status=ended&page=3');
});
