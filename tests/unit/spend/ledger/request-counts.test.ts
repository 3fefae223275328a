import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLedger } from '#lib/spend/ledger/ledger.ts';
import { openTestDatabase } from '../../../support/servers/each-database.ts';
import { createTestLog } from '../../../support/test-log.ts';

const start = Date.parse('2026-03-10T12:00:00Z');

/** Counts requests one after the other, at the times that are given; each counter is a new key. */
async function openCounters() {
  let time = start;
  const now = () => time;
  const { ledger: transactions } = await openTestDatabase({ now });
  const ledger = createLedger({ transactions, log: createTestLog(), now });
  let keys = 0;
  return (requestsPerMinute: number) => {
    keys += 1;
    const key = { id: `key_${keys}`, requestsPerMinute };
    return async (at: number) => {
      time = at;
      const request = ledger.begin(key);
      const known = request.decision;
      await ledger.count(request);
      // No other process counts: the database decides the same.
      expect(request.decision).toEqual(known);
      return request.decision;
    };
  };
}

test('a minute has as many requests as the limit, and says how many are left', async () => {
  const count = (await openCounters())(3);
  expect(await count(start)).toMatchObject({ isGranted: true, left: 2, waitMs: 0 });
  expect(await count(start + 1)).toMatchObject({ isGranted: true, left: 1, waitMs: 0 });
  expect(await count(start + 2)).toMatchObject({ isGranted: true, left: 0 });
  expect(await count(start + 3)).toMatchObject({ isGranted: false, left: 0 });
});

test('of the minute before counts the share that the last sixty seconds contain', async () => {
  const count = (await openCounters())(60);
  for (let sent = 0; sent < 60; sent += 1) await count(start);
  // A quarter of a minute later than the turn, three quarters of 60 count.
  expect(await count(start + 75_000)).toMatchObject({ isGranted: true, left: 14 });
  expect(await count(start + 3 * 60_000)).toMatchObject({ isGranted: true, left: 59 });
});

test('a client that waits as long as it is told gets its turn', async () => {
  const createCounter = await openCounters();
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 30 }),
      fc.array(fc.nat(9_000), { minLength: 1, maxLength: 80 }),
      async (limit, distances) => {
        const count = createCounter(limit);
        let now = start;
        let last = await count(now);
        for (const distance of distances) {
          now += distance;
          last = await count(now);
        }
        expect(await count(now + last.waitMs)).toMatchObject({ isGranted: true });
      },
    ),
  );
});

test('a client that sends steadily below its limit is never rejected', async () => {
  const count = (await openCounters())(60);
  for (let sent = 0; sent < 600; sent += 1) {
    expect(await count(start + sent * 1_020)).toMatchObject({ isGranted: true });
  }
});

test('in no minute, whenever it begins, are much more granted than the limit', async () => {
  const createCounter = await openCounters();
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(3_000), { maxLength: 300 }), async (distances) => {
      const count = createCounter(10);
      const times: number[] = [];
      let now = start;
      for (const distance of distances) {
        now += distance;
        if ((await count(now)).isGranted) times.push(now);
      }
      // The share is an average: a burst at the end of a minute counts too little at the start of the next.
      for (const time of times) {
        const inMinute = times.filter((other) => other >= time && other < time + 60_000);
        expect(inMinute.length).toBeLessThanOrEqual(20);
      }
    }),
  );
});

test('rejected requests count, so that sending again and again does not help', async () => {
  const count = (await openCounters())(10);
  for (let sent = 0; sent < 100; sent += 1) await count(start + sent);
  expect(await count(start + 60_000)).toMatchObject({ isGranted: false });
  expect(await count(start + 100_000)).toMatchObject({ isGranted: false });
});

test('a clock that was set back or far ahead does not stop a key for good', async () => {
  const count = (await openCounters())(1);
  await count(start + 3_600_000_000);
  expect(await count(start + 60_000)).toMatchObject({ isGranted: false });
  expect(await count(start + 180_000)).toMatchObject({ isGranted: true });
});
