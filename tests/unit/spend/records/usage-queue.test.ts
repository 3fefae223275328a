import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toUsageRecord } from '#lib/spend/records/usage-queue.ts';
import { anyText } from '../../../support/factories/any-text.ts';
import { makeUsageEntry } from '../../../support/factories/key-factory.ts';
import { describeEachDatabase, openTestDatabase } from '../../../support/servers/each-database.ts';

const now = Date.parse('2026-03-10T12:00:00Z');

describeEachDatabase((createTestDatabase) => {
  test('no input of a client or an upstream gives a record that the database rejects', async () => {
    const database = await openTestDatabase(await createTestDatabase());
    const number = fc.oneof(fc.double(), fc.integer(), fc.constantFrom(2 ** 53, -1, 2 ** 31));
    const entry = fc.record({
      model: anyText(300),
      at: number,
      status: number,
      tokensIn: number,
      tokensOut: number,
      costUsd: fc.option(number),
      firstByteMs: fc.option(number),
      durationMs: number,
    });
    const entries = [...fc.sample(entry, 300), { model: 'nul\0 \ud800 lone' }];
    await database.usage.insert(
      entries.map((given, index) => toUsageRecord(makeUsageEntry(given), `id-${index}`, now)),
    );
    const sums = await database.usage.sumByDayAndModel('key_one', '');
    expect(sums.reduce((count, { requests }) => count + requests, 0)).toBe(301);
  });
});

test('times are whole ms', () => {
  const entry = makeUsageEntry({ firstByteMs: 12.4, durationMs: 80.6 });
  expect(toUsageRecord(entry, 'id', now)).toMatchObject({ firstByteMs: 12, durationMs: 81 });
});

test.for([
  [0.0003, 300_000],
  [0.1 + 0.2, 300_000_000],
  [0.000_000_000_1, 1],
  [12.000_000_000_5, 12_000_000_001],
  [0, 0],
  [-1, 0],
  [Number.POSITIVE_INFINITY, null],
  [null, null],
])('%s dollars are %s billionths: rounded up once', ([costUsd, costNanoUsd]) => {
  const record = toUsageRecord(makeUsageEntry({ costUsd: costUsd ?? null }), 'id', now);
  expect(record).toMatchObject({ costNanoUsd, costSource: costNanoUsd === null ? null : 'price' });
});
