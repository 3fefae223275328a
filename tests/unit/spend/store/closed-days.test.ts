import { expect, test } from 'vitest';
import { createClosedDays } from '#lib/spend/store/closed-days.ts';

test('days before yesterday are read once, and all others each time', async () => {
  const sums = new Map([
    ['2026-03-01', 1],
    ['2026-03-04', 2],
    ['2026-03-09', 3],
    ['2026-03-10', 4],
  ]);
  const reads: string[] = [];
  const read = createClosedDays(async (fromDay) => {
    reads.push(fromDay);
    return [...sums].filter(([day]) => day >= fromDay).map(([day, count]) => ({ day, count }));
  });
  const countOf = async (fromDay: string, today: string) =>
    (await read(fromDay, today)).reduce((sum, { count }) => sum + count, 0);
  expect(await countOf('2026-03-03', '2026-03-10')).toBe(9);
  sums.set('2026-03-09', 5);
  expect(await countOf('2026-03-03', '2026-03-10')).toBe(11);
  expect(await countOf('2026-03-04', '2026-03-10')).toBe(11);
  // Not all of these days have been read.
  expect(await countOf('2026-03-01', '2026-03-10')).toBe(12);
  expect(await countOf('2026-03-01', '2026-03-11')).toBe(12);
  expect(await countOf('2026-03-10', '2026-03-10')).toBe(4);
  expect(reads).toEqual([
    '2026-03-03',
    '2026-03-09',
    '2026-03-09',
    '2026-03-01',
    '2026-03-09',
    '2026-03-10',
  ]);
});
