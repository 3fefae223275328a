import { expect, test } from 'vitest';
import { toSearch } from '#lib/events/query/filters.ts';

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

test('the first page is left out', () => {
  expect(toSearch({ status: ['ended'] }, 1)).toBe('?status=ended');
  expect(toSearch({ status: ['ended'] }, 3)).toBe('?status=ended&page=3');
});
