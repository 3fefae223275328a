import { expect, test } from 'vitest';
import { toMonthAgenda } from '#lib/events/view/month/month-agenda.ts';

const plain = { state: 'scheduled', inPerson: null } as const;

const events = [
  { id: 'over', startDate: '2026-12-01', endDate: '2026-12-02' },
  { id: 'long', startDate: '2026-11-01', endDate: '2027-01-15' },
  { id: 'short', startDate: '2026-12-03', endDate: '2026-12-06' },
  { id: 'today', startDate: '2026-12-05', endDate: '2026-12-05' },
  { id: 'later', startDate: '2026-12-20', endDate: null },
  { id: 'january', startDate: '2027-01-01', endDate: '2027-01-01' },
  { id: 'always', startDate: '2026-01-01', endDate: null },
].map((event) => ({ ...plain, ...event }));

function toIds(options: Readonly<{ month: string; today: string }>) {
  const { running, days, earlier } = toMonthAgenda(events, options);
  const toDays = (parts: typeof days) =>
    parts.map(({ date, events: some }) => [date, ...some.map(({ id }) => id)]);
  return {
    running: running.events.map(({ id }) => id),
    days: toDays(days),
    earlier: toDays(earlier),
  };
}

test('the current month begins today, with what is on since before', () => {
  expect(toIds({ month: '2026-12', today: '2026-12-05' })).toEqual({
    running: ['short', 'long'],
    days: [
      ['2026-12-05', 'today'],
      ['2026-12-20', 'later'],
    ],
    earlier: [['2026-12-01', 'over']],
  });
});

test('any other month begins on its first day', () => {
  expect(toIds({ month: '2026-12', today: '2026-10-09' })).toEqual({
    running: ['long'],
    days: [
      ['2026-12-01', 'over'],
      ['2026-12-03', 'short'],
      ['2026-12-05', 'today'],
      ['2026-12-20', 'later'],
    ],
    earlier: [],
  });
});

test('an event is listed on the day it begins, and on the day it begins at its place', () => {
  const inPerson = { start: '2026-12-12', end: '2026-12-14', location: 'Lisbon' };
  const jam = { ...plain, id: 'jam', startDate: '2026-12-01', endDate: '2026-12-20', inPerson };
  const { days } = toMonthAgenda([jam], { month: '2026-12', today: '2026-11-22' });
  expect(days.map(({ date }) => date)).toEqual(['2026-12-01', '2026-12-12']);
});

test('a day with 50 events shows 8, and one with 9 shows all', () => {
  const make = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      id: `e${index}`,
      startDate: '2026-12-05',
      endDate: '2026-12-05',
      ...plain,
    }));
  const toDay = (count: number) =>
    toMonthAgenda(make(count), { month: '2026-12', today: '2026-12-01' }).days[0];
  expect([toDay(50)?.events.length, toDay(50)?.hidden.length]).toEqual([8, 42]);
  expect([toDay(9)?.events.length, toDay(9)?.hidden.length]).toEqual([9, 0]);
});
