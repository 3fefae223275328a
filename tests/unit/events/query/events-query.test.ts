import { expect, test } from 'vitest';
import {
  formatListQuery,
  formatQuery,
  readFilters,
  withoutFilters,
} from '#lib/events/query/events-query.ts';

test('no filters give an empty query', () => {
  expect(formatQuery({})).toBe('');
  expect(formatQuery({ q: '  ', status: [], format: [] })).toBe('');
});

test('filters have a fixed order', () => {
  expect(formatQuery({ q: 'jam', status: ['ongoing', 'upcoming'] })).toBe(
    '?status=ongoing,upcoming&q=jam',
  );
});

test('search texts are escaped', () => {
  expect(formatQuery({ q: '<script>&a=b#c' })).toBe('?q=%3Cscript%3E%26a%3Db%23c');
});

test('in person and online also mean events that are both, in lists and feeds', () => {
  expect(formatListQuery({ format: ['in-person'], q: 'jam' })).toBe('?format=in-person,both&q=jam');
  expect(formatListQuery({ format: ['online'] })).toBe('?format=online,both');
  expect(formatListQuery({ format: ['both', 'online'] })).toBe('?format=both,online');
  expect(formatListQuery({ format: ['both'] })).toBe('?format=both');
  expect(formatListQuery({})).toBe('');
});

test('the first page and the usual layout are left out', () => {
  expect(formatQuery({ status: ['ended'], page: 1, view: 'posters' })).toBe('?status=ended');
  expect(formatQuery({ status: ['ended'], page: 3, view: 'list' })).toBe(
    '?status=ended&page=3&view=list',
  );
});

test('filters are read as they were written, without validation', () => {
  const search = new URLSearchParams('?status=ended,upcoming&q=a,b&format=ofline&page=2&from=');
  expect(readFilters(search)).toEqual({
    status: ['ended', 'upcoming'],
    q: 'a,b',
    format: ['ofline'],
  });
  expect(formatQuery(readFilters(search))).toBe('?status=ended,upcoming&format=ofline&q=a,b');
});

test('filters are taken off by their names', () => {
  expect(withoutFilters({ q: 'a', from: '2026-01-01', to: '2026-02-01' }, 'from', 'to')).toEqual({
    q: 'a',
  });
});
