import { expect, test } from 'vitest';
import { findMonth, parseMonthQuery, readMonthParams } from '#lib/events/query/month-query.ts';

const today = '2026-11-22';

function parse(search: string) {
  return parseMonthQuery(readMonthParams(search));
}

test('without a month it is the current one', () => {
  expect(parse('')).toEqual({ filters: {}, month: null, problems: [] });
  expect(findMonth('/calendar', today)).toBe('2026-11');
});

test('filters apply, except dates: the month is the range', () => {
  expect(parse('?month=2027-02&format=online&from=2026-12-01&to=2026-12-02&page=3')).toEqual({
    filters: { format: ['online'] },
    month: '2027-02',
    problems: [],
  });
});

test('an invalid filter is ignored and reported', () => {
  const { filters, problems } = parse('?format=ofline');
  expect(filters).toEqual({});
  expect(problems[0]?.hint).toMatch(/Did you mean `online`\?/);
});

test.for([
  ['?month=2027-02', '2027-02'],
  ['?month=', '2026-11'],
  ['?month=2031-11', '2031-11'],
  ['?month=2031-12', null],
  ['?month=2016-10', null],
  ['?month=9999-12', null],
  ['?month=0000-01', null],
  ['?month=2026-13', null],
  ['?month=december', null],
  ['?month=2026-12&month=2027-01', null],
  ['?month=<script>', null],
] as const)('%s shows %s', ([search, expected]) => {
  expect(findMonth(`/calendar${search}`, today)).toBe(expected);
});
