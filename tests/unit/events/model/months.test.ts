import { expect, test } from 'vitest';
import {
  addMonths,
  isMonth,
  isMonthInReach,
  lastDayOf,
  toMonday,
  toWeekday,
} from '#lib/events/model/months.ts';

test.for([
  ['2026-12', true],
  ['2026-1', false],
  ['2026-13', false],
  ['2026-00', false],
  ['2026-12-01', false],
  ['٢٠٢٦-١٢', false],
  ['', false],
] as const)('%s is a month: %s', ([text, expected]) => {
  expect(isMonth(text)).toBe(expected);
});

test.for([
  ['2026-12', 1, '2027-01'],
  ['2026-01', -1, '2025-12'],
  ['2026-11', 14, '2028-01'],
  ['2026-05', -17, '2024-12'],
  ['2026-05', 0, '2026-05'],
] as const)('%s plus %i months is %s', ([month, count, expected]) => {
  expect(addMonths(month, count)).toBe(expected);
});

test.for([
  ['2026-02', '2026-02-28'],
  ['2028-02', '2028-02-29'],
  ['2026-12', '2026-12-31'],
] as const)('%s ends on %s', ([month, expected]) => {
  expect(lastDayOf(month)).toBe(expected);
});

test.for([
  ['2026-11-22', 6, '2026-11-16'],
  ['2026-11-23', 0, '2026-11-23'],
  ['2026-12-02', 2, '2026-11-30'],
  ['2027-01-01', 4, '2026-12-28'],
] as const)('%s has weekday %i, and its week begins on %s', ([date, weekday, monday]) => {
  expect(toWeekday(date)).toBe(weekday);
  expect(toMonday(date)).toBe(monday);
});

test('the calendar reaches from ten years back to five years ahead', () => {
  const inReach = (month: string) => isMonthInReach(month, '2026-11-22');
  expect(['2016-10', '2016-11', '2026-11', '2031-11', '2031-12'].map(inReach)).toEqual([
    false,
    true,
    true,
    true,
    false,
  ]);
});
