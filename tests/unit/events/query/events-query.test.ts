import { expect, test } from 'vitest';
import {
  formatListQuery,
  formatQuery,
  hasFilter,
  readFilters,
  toggleFilter,
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

test('a value is turned on, and off again', () => {
  const on = toggleFilter({ q: 'robot' }, 'format', 'online');
  expect(on).toEqual({ q: 'robot', format: ['online'] });
  expect(toggleFilter(on, 'format', 'online')).toEqual({ q: 'robot' });
});

test('project types add up, in one order; other filters replace each other', () => {
  const query = toggleFilter({}, 'projectType', 'Software');
  const two = toggleFilter(query, 'projectType', 'CAD');
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
