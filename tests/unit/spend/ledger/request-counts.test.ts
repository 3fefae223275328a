import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RequestCounts } from '#lib/spend/ledger/books.ts';
import { decideRequest } from '#lib/spend/ledger/request-counts.ts';

const start = Date.parse('2026-03-10T12:00:00Z');

/** A key whose requests are counted one after the other. */
function createCounter(requestsPerMinute: number) {
  let counts: RequestCounts | undefined;
  return (now: number) => {
    const counted = decideRequest({ keyId: 'one', requestsPerMinute, counts }, now);
    counts = counted.counts;
    return counted.decision;
  };
}

test('a minute has as many requests as the limit, and says how many are left', () => {
  const count = createCounter(3);
  expect([0, 1, 2].map((at) => count(start + at))).toMatchObject([
    { isGranted: true, left: 2, waitMs: 0 },
    { isGranted: true, left: 1, waitMs: 0 },
    { isGranted: true, left: 0 },
  ]);
  expect(count(start + 3)).toMatchObject({ isGranted: false, left: 0 });
});

test('of the minute before counts the share that the last sixty seconds contain', () => {
  const count = createCounter(60);
  for (let sent = 0; sent < 60; sent += 1) count(start);
  // A quarter of a minute later than the turn, three quarters of 60 count.
  expect(count(start + 75_000)).toMatchObject({ isGranted: true, left: 14 });
  expect(count(start + 3 * 60_000)).toMatchObject({ isGranted: true, left: 59 });
});

test('a client that waits as long as it is told gets its turn', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 30 }),
      fc.array(fc.nat(9_000), { minLength: 1, maxLength: 80 }),
      (limit, distances) => {
        const count = createCounter(limit);
        let now = start;
        let last = count(now);
        for (const distance of distances) {
          now += distance;
          last = count(now);
        }
        expect(count(now + last.waitMs)).toMatchObject({ isGranted: true });
      },
    ),
  );
});

test('a client that sends steadily below its limit is never rejected', () => {
  const count = createCounter(60);
  for (let sent = 0; sent < 600; sent += 1) {
    expect(count(start + sent * 1_020)).toMatchObject({ isGranted: true });
  }
});

test('in no minute, whenever it begins, are much more granted than the limit', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(3_000), { maxLength: 300 }), (distances) => {
      const count = createCounter(10);
      const times: number[] = [];
      let now = start;
      for (const distance of distances) {
        now += distance;
        if (count(now).isGranted) times.push(now);
      }
      // The share is an average: a burst at the end of a minute counts too little at the start of the next.
      for (const time of times) {
        const inMinute = times.filter((other) => other >= time && other < time + 60_000);
        expect(inMinute.length).toBeLessThanOrEqual(20);
      }
    }),
  );
});

test('rejected requests count, so that sending again and again does not help', () => {
  const count = createCounter(10);
  for (let sent = 0; sent < 100; sent += 1) count(start + sent);
  expect(count(start + 60_000)).toMatchObject({ isGranted: false });
  expect(count(start + 100_000)).toMatchObject({ isGranted: false });
});

test('a clock that was set back or far ahead does not stop a key for good', () => {
  const count = createCounter(1);
  count(start + 3_600_000_000);
  expect(count(start + 60_000)).toMatchObject({ isGranted: false });
  expect(count(start + 180_000)).toMatchObject({ isGranted: true });
});
