import { expect, test, vi } from 'vitest';
import {
  createCallCounter,
  describeCallQuota,
  toCallQuota,
} from '#lib/events/source/airtable/call-quota.ts';
import { openTestDatabase } from '../../../../support/servers/each-database.ts';

const november = Date.parse('2026-11-30T23:59:59Z');

test('calls of all instances are added up by month', async () => {
  const database = await openTestDatabase();
  let timeMs = november;
  const create = () => createCallCounter({ store: database.airtableCalls, now: () => timeMs });
  const [first, second] = [create(), create()];
  first.count();
  first.count();
  second.count();
  await Promise.all([first.close(), second.close()]);
  expect(await first.findUsed()).toBe(3);
  timeMs += 1_000;
  expect(await first.findUsed()).toBe(0);
});

test('what could not be stored is stored later', async () => {
  const add = vi.fn(async () => {}).mockRejectedValueOnce(new Error('away'));
  const counter = createCallCounter({
    store: { add, find: async () => 0 },
    now: () => november,
  });
  counter.count();
  await counter.close();
  expect(await counter.findUsed()).toBe(1);
  await counter.close();
  expect(add.mock.calls).toEqual([
    ['2026-11', 1],
    ['2026-11', 1],
  ]);
});

test.for([
  { rows: 0, cacheSeconds: 240, projected: 11_369 },
  { rows: 100, cacheSeconds: 240, projected: 11_369 },
  { rows: 101, cacheSeconds: 240, projected: 22_737 },
  // A read takes 21 s, and begins 31.5 s before the last one is 240 s old.
  { rows: 10_000, cacheSeconds: 240, projected: 1_243_166 },
])(
  '$rows rows every $cacheSeconds s are $projected calls in 30 days',
  ({ projected, ...table }) => {
    expect(toCallQuota({ used: 0, callsMax: null, ...table }).projected).toBe(projected);
  },
);

test('a projection of 80 % is a warning, and more cannot be projected than what was used', () => {
  const quota = { rows: 100, cacheSeconds: 240 };
  expect(toCallQuota({ ...quota, used: 0, callsMax: 14_211 }).isNearlyUsed).toBe(true);
  expect(toCallQuota({ ...quota, used: 0, callsMax: 14_212 }).isNearlyUsed).toBe(false);
  const used = toCallQuota({ ...quota, used: 20_000, callsMax: 100_000 });
  expect(describeCallQuota(used)).toBe(
    '20,000 calls this month, at most 20,000 in 30 days, of 100,000',
  );
});
