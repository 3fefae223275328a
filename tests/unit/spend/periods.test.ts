import { expect, test } from 'vitest';
import { periods, toLastPeriodEnd, toPeriodDays, toPeriodEnd } from '#lib/spend/periods.ts';

test.each([
  // A Monday, a Sunday, and around the ends of a month and a year.
  ['2026-03-09', '2026-03-09', '2026-03-15'],
  ['2026-03-15', '2026-03-09', '2026-03-15'],
  ['2026-02-28', '2026-02-23', '2026-03-01'],
  ['2026-03-01', '2026-02-23', '2026-03-01'],
  ['2026-12-31', '2026-12-28', '2027-01-03'],
  ['2027-01-03', '2026-12-28', '2027-01-03'],
  ['2024-02-29', '2024-02-26', '2024-03-03'],
])('the week of %s is from Monday %s to Sunday %s', (day, first, last) => {
  expect(periods.week.toFirstDay(day)).toBe(first);
  expect(periods.week.toLastDay(day)).toBe(last);
});

test.each([
  ['2026-02-01', '2026-02-28'],
  ['2024-02-29', '2024-02-29'],
  ['2026-12-31', '2026-12-31'],
  ['2026-04-15', '2026-04-30'],
])('the month of %s ends with %s', (day, last) => {
  expect(periods.month.toFirstDay(day)).toBe(`${day.slice(0, 7)}-01`);
  expect(periods.month.toLastDay(day)).toBe(last);
});

test.each([
  ['2026-03-15T23:59:59.999Z', 'day', '2026-03-16T00:00:00Z'],
  ['2026-03-15T23:59:59.999Z', 'week', '2026-03-16T00:00:00Z'],
  ['2026-03-16T00:00:00.000Z', 'week', '2026-03-23T00:00:00Z'],
  ['2026-12-31T23:59:59.999Z', 'week', '2027-01-04T00:00:00Z'],
  ['2026-12-31T23:59:59.999Z', 'month', '2027-01-01T00:00:00Z'],
] as const)('at %s the %s ends at %s', (now, period, end) => {
  expect(toPeriodEnd(Date.parse(now), period)).toBe(Date.parse(end));
});

test('the last period to end is the week where it goes on in the next month', () => {
  expect(toLastPeriodEnd(Date.parse('2026-12-31T12:00:00Z'))).toBe(Date.parse('2027-01-04'));
  expect(toLastPeriodEnd(Date.parse('2026-12-27T12:00:00Z'))).toBe(Date.parse('2027-01-01'));
});

test('the days of all periods are those of the month, and of a week that reaches beyond it', () => {
  expect(toPeriodDays('2026-04-01')).toEqual({ firstDay: '2026-03-30', lastDay: '2026-04-30' });
  expect(toPeriodDays('2026-12-31')).toEqual({ firstDay: '2026-12-01', lastDay: '2027-01-03' });
  expect(toPeriodDays('2026-12-15')).toEqual({ firstDay: '2026-12-01', lastDay: '2026-12-31' });
});
