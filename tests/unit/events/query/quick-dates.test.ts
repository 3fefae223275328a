import fc from 'fast-check';
import { expect, test } from 'vitest';
import { weekdayOf } from '#lib/events/model/dates.ts';
import {
  isTonight,
  quickDates,
  toDateRange,
  toPeriodStart,
} from '#lib/events/query/quick-dates.ts';

test.for([
  ['today', '2026-11-22', '2026-11-22', '2026-11-22'],
  // A Monday, a Friday, a Saturday and a Sunday.
  ['weekend', '2026-11-23', '2026-11-28', '2026-11-29'],
  ['weekend', '2026-11-27', '2026-11-28', '2026-11-29'],
  ['weekend', '2026-11-28', '2026-11-28', '2026-11-29'],
  ['weekend', '2026-11-29', '2026-11-29', '2026-11-29'],
  ['weekend', '2026-12-31', '2027-01-02', '2027-01-03'],
  ['next-7-days', '2026-11-27', '2026-11-27', '2026-12-03'],
  ['month', '2026-11-22', '2026-11-22', '2026-11-30'],
  ['next-month', '2026-11-30', '2026-12-01', '2026-12-31'],
  ['next-month', '2026-12-31', '2027-01-01', '2027-01-31'],
  ['month', '2026-11-30', '2026-11-30', '2026-11-30'],
  ['month', '2028-02-01', '2028-02-01', '2028-02-29'],
] as const)('“%s” on %s is %s to %s', ([name, today, from, to]) => {
  expect(toDateRange(name, today)).toEqual({ from, to });
});

test('a period starts with the later of the days that a filter names, a weekend with its Saturday', () => {
  const sunday = '2026-11-29';
  expect(toPeriodStart({ when: 'weekend' }, sunday)).toBe('2026-11-28');
  expect(toPeriodStart({ when: 'tonight' }, sunday)).toBe(sunday);
  expect(toPeriodStart({ from: '2026-12-05' }, sunday)).toBe('2026-12-05');
  expect(toPeriodStart({ when: 'next-month', from: '2026-11-05' }, sunday)).toBe('2026-12-01');
});

test('without days a period starts today, unless the list is searched by words, a status or the past', () => {
  const today = '2026-11-29';
  expect(toPeriodStart({}, today)).toBe(today);
  expect(toPeriodStart({ to: '2026-12-05' }, today)).toBe(today);
  expect(toPeriodStart({ to: '2026-11-28' }, today)).toBeNull();
  expect(toPeriodStart({ q: 'robot' }, today)).toBeNull();
  expect(toPeriodStart({ status: ['ongoing'] }, today)).toBeNull();
  expect(toPeriodStart({ status: ['ongoing'], when: 'today' }, today)).toBe(today);
});

test('every range begins today or later, and a weekend has only Saturdays and Sundays', () => {
  const day = fc
    .integer({ min: 0, max: 40_000 })
    .map((days) => new Date(days * 86_400_000).toISOString().slice(0, 10));
  fc.assert(
    fc.property(day, fc.constantFrom(...quickDates), (today, name) => {
      const { from, to } = toDateRange(name, today);
      expect(from >= today && to >= from).toBe(true);
      if (name === 'weekend')
        for (const date of [from, to]) expect([0, 6]).toContain(weekdayOf(date));
    }),
  );
});

test.for([
  ['2026-11-24T17:00:00+01:00', null, true],
  ['2026-11-24T16:59:00-08:00', null, false],
  ['2026-11-24T10:00:00+09:00', '2026-11-24T18:00:00+09:00', false],
  ['2026-11-24T10:00:00+09:00', '2026-11-24T18:01:00+09:00', true],
  [null, '2026-11-24T21:00:00+00:00', true],
  // A weekend of hacking goes on all night, until its last afternoon.
  ['2026-11-23T18:00:00+00:00', '2026-11-25T16:00:00+00:00', true],
  ['2026-11-22T18:00:00+00:00', '2026-11-24T16:00:00+00:00', false],
  [null, null, false],
] as const)('from %s to %s is tonight: %s', ([startsAt, endsAt, expected]) => {
  const times = { endDate: '2026-11-25', startTime: null, endTime: null, startsAt, endsAt };
  expect(isTonight(times, '2026-11-24')).toBe(expected);
});

test.for([
  ['17:00', '17:30', true],
  ['10:00', '18:30', true],
  ['10:00', '17:30', false],
  [null, null, false],
] as const)('without an end, the times of every day count: from %s to %s, tonight: %s', (times) => {
  const [startTime, endTime, expected] = times;
  const startsAt = startTime && `2026-09-01T${startTime}:00+02:00`;
  const event = { endDate: null, startTime, endTime, startsAt, endsAt: null };
  expect(isTonight(event, '2026-11-24')).toBe(expected);
});
