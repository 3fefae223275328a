import { expect, test } from 'vitest';
import { toTimeGroups } from '#lib/events/view/directory/sections.ts';

function toTitles(today: string, ...dates: string[]): string[] {
  const groups = toTimeGroups(
    dates.map((startDate) => ({ startDate })),
    today,
  );
  return groups.map(({ title, events }) => `${title}: ${events.length}`);
}

test('coming events are divided by week, then by month', () => {
  // A Wednesday.
  const titles = toTitles(
    '2026-11-18',
    '2026-11-19',
    '2026-11-22',
    '2026-11-23',
    '2026-11-29',
    '2026-11-30',
    '2026-12-01',
    '2026-12-24',
    '2027-01-02',
    '2027-12-02',
  );
  expect(titles).toEqual([
    'This week: 2',
    'Next week: 2',
    'Later in November: 1',
    'December: 2',
    'January 2027: 1',
    'December 2027: 1',
  ]);
});

test('what starts later today comes first', () => {
  expect(toTitles('2026-11-18', '2026-11-18', '2026-11-18', '2026-11-19')).toEqual([
    'Later today: 2',
    'This week: 1',
  ]);
});

test('on a Sunday this week is over; on a Monday it has seven days', () => {
  expect(toTitles('2026-11-22', '2026-11-23', '2026-11-29', '2026-11-30')).toEqual([
    'Next week: 2',
    'Later in November: 1',
  ]);
  expect(toTitles('2026-11-23', '2026-11-29', '2026-11-30')).toEqual([
    'This week: 1',
    'Next week: 1',
  ]);
});

test('a week that reaches into the next month leaves the rest of that month', () => {
  expect(toTitles('2026-12-23', '2026-12-28', '2027-01-03', '2027-01-04')).toEqual([
    'Next week: 2',
    'Later in January: 1',
  ]);
});

test('without events there are no groups', () => {
  expect(toTimeGroups([], '2026-11-18')).toEqual([]);
});
