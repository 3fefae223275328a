import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toStatus } from '#lib/events/source/snapshot.ts';

test.for([
  ['2026-03-09', 'upcoming'],
  ['2026-03-10', 'ongoing'],
  ['2026-03-12', 'ongoing'],
  ['2026-03-13', 'ended'],
] as const)('on %s an event from the 10th to the 12th is %s', ([today, status]) => {
  expect(toStatus({ startDate: '2026-03-10', endDate: '2026-03-12' }, today)).toBe(status);
});

test('an event without an end is ongoing forever', () => {
  const dates = { startDate: '2026-03-10', endDate: null };
  expect(toStatus(dates, '2026-03-09')).toBe('upcoming');
  expect(toStatus(dates, '9999-12-31')).toBe('ongoing');
});

test('a status only moves forward', () => {
  const day = fc
    .integer({ min: 0, max: 36_000 })
    .map((days) => new Date(days * 86_400_000).toISOString().slice(0, 10));
  const rank = { upcoming: 0, ongoing: 1, ended: 2 };
  fc.assert(
    fc.property(day, fc.option(day), day, day, (startDate, endDate, a, b) => {
      const [earlier, later] = a <= b ? [a, b] : [b, a];
      const dates = { startDate, endDate };
      expect(rank[toStatus(dates, earlier)]).toBeLessThanOrEqual(rank[toStatus(dates, later)]);
    }),
  );
});
