import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  addDays,
  addMonths,
  daysBetween,
  daysInMonth,
  isCalendarDate,
  isMonth,
  isMonthInReach,
  lastDayOf,
  toMonday,
  weekdayOf,
} from '#lib/events/model/dates.ts';
import { calendarDateSchema } from '#lib/events/model/time-and-place.ts';

test.for([
  '2026-02-29',
  '2026-13-01',
  '2026-00-10',
  '2026-01-00',
  '2025-09-31',
  '2026-7-25',
  '2026-09',
  ' 2026-01-01',
  '2026-01-01\n',
  '٢٠٢٦-٠١-٠١',
  '99999-01-01',
  '',
])('%j is not a day', (text) => {
  expect(isCalendarDate(text)).toBe(false);
});

test.for(['2024-02-29', '2000-02-29', '2026-12-31', '0001-01-01', '9999-12-31'])(
  '%s is a day',
  (text) => {
    expect(isCalendarDate(text)).toBe(true);
  },
);

test('the schema accepts exactly the existing days', () => {
  const part = (max: number, digits: number) =>
    fc.integer({ min: 0, max }).map((number) => String(number).padStart(digits, '0'));
  const text = fc.tuple(part(9999, 4), part(13, 2), part(32, 2)).map((parts) => parts.join('-'));
  fc.assert(
    fc.property(text, (date) => {
      expect(isCalendarDate(date)).toBe(calendarDateSchema.safeParse(date).success);
    }),
    { numRuns: 300, examples: [['0000-02-29'], ['1900-02-29'], ['0096-02-29'], ['0100-02-29']] },
  );
});

test('each month has its number of days', () => {
  expect([
    daysInMonth(2024, 2),
    daysInMonth(2025, 2),
    daysInMonth(1900, 2),
    daysInMonth(2026, 12),
  ]).toEqual([29, 28, 28, 31]);
});

test('days are added and subtracted across months and years', () => {
  expect(addDays('2026-12-31', 1)).toBe('2027-01-01');
  expect(addDays('2024-03-01', -1)).toBe('2024-02-29');
});

test('dates end at 9999-12-31', () => {
  // Spreadsheets use "9999-12-31" for "no end".
  expect(isCalendarDate(addDays('9999-12-31', 1))).toBe(true);
});

test.for([
  ['2026-11-22', 0],
  ['2026-11-23', 1],
  ['2026-11-28', 6],
  ['2024-02-29', 4],
] as const)('%s is weekday %i, counted from Sunday', ([date, weekday]) => {
  expect(weekdayOf(date)).toBe(weekday);
});

test.for([
  ['2026-11-22', '2026-11-22', 0],
  ['2026-12-30', '2027-01-02', 3],
  ['2026-03-01', '2026-02-28', -1],
  ['2024-02-28', '2024-03-01', 2],
] as const)('from %s to %s it is %i days', ([from, to, days]) => {
  expect(daysBetween(from, to)).toBe(days);
});

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
  ['2026-11-22', '2026-11-16'],
  ['2026-11-23', '2026-11-23'],
  ['2026-12-02', '2026-11-30'],
  ['2027-01-01', '2026-12-28'],
] as const)('the week of %s begins on %s', ([date, monday]) => {
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
