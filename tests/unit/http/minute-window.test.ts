import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMinuteWindow } from '#lib/http/minute-window.ts';

const start = Date.parse('2026-03-10T12:00:00Z');

/** Sends requests at these intervals, and returns the times of the admitted ones. */
function letIn(distances: readonly number[], limit: number): number[] {
  const minute = createMinuteWindow();
  const times: number[] = [];
  let now = start;
  for (const distance of distances) {
    now += distance;
    if (minute.count(now) >= limit) continue;
    minute.add(now);
    times.push(now);
  }
  return times;
}

test('no 59 s have more requests than the limit', () => {
  const distance = fc.oneof(fc.nat(500), fc.nat(20_000), fc.constantFrom(0, 1, 999, 1_000, 59_999));
  const distances = fc.array(distance, { maxLength: 400, size: 'max' });
  fc.assert(
    fc.property(distances, fc.integer({ min: 1, max: 20 }), (given, limit) => {
      const times = letIn(given, limit);
      times.forEach((time, index) => {
        const later = times[index + limit];
        if (later !== undefined) expect(later - time).toBeGreaterThan(59_000);
      });
    }),
  );
});

test('the wait is sufficient, at most a minute, and not a second too long', () => {
  const distances = fc.array(fc.nat(5_000), { minLength: 30, maxLength: 60 });
  fc.assert(
    fc.property(distances, (given) => {
      const minute = createMinuteWindow();
      let now = start;
      for (const distance of given) {
        now += distance;
        minute.add(now);
      }
      const limit = Math.max(1, minute.count(now) - 3);
      const wait = minute.untilBelow(limit, now);
      expect(wait).toBeLessThanOrEqual(60_000);
      expect(minute.count(now + wait - 1)).toBeGreaterThanOrEqual(limit);
      expect(minute.count(now + wait)).toBeLessThan(limit);
    }),
  );
});

test('a client that sends steadily at its limit is never delayed', () => {
  const everySecond = Array.from({ length: 600 }, () => 1_020);
  expect(letIn(everySecond, 60)).toHaveLength(600);
});

test('a long pause empties the window', () => {
  const minute = createMinuteWindow();
  minute.add(start);
  expect(minute.count(start + 86_400_000 * 400)).toBe(0);
  expect(minute.untilBelow(1, start + 86_400_000 * 400)).toBe(0);
});
