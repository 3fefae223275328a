import { expect, test } from 'vitest';
import { toSearch } from '#lib/events/query/filters.ts';

test('no filters give no query', () => {
  expect(toSearch({})).toBe('');
  expect(toSearch({ q: '  ', status: [], format: '' })).toBe('');
});

test('filters stand in one order, whatever order they came in', () => {
  expect(toSearch({ q: 'jam', status: ['ongoing', 'upcoming'] })).toBe(
    '?status=ongoing,upcoming&q=jam',
  );
});

test('what a visitor typed is escaped', () => {
  expect(toSearch({ q: '<script>&a=b#c' })).toBe('?q=%3Cscript%3E%26a%3Db%23c');
});

test('the first page goes unsaid', () => {
  expect(toSearch({ status: ['ended'] }, 1)).toBe('?status=ended');
  expect(toSearch({ status: ['ended'] }, 3)).toBe('?status=ended&page=3');
});
