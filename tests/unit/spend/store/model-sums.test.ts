import { expect, test } from 'vitest';
import { makeUsageRecord } from '../../../support/factories/key-factory.ts';
import { describeEachDatabase, openTestDatabase } from '../../../support/servers/each-database.ts';
import { storeUsage } from '../../../support/store-usage.ts';

const at = Date.parse('2026-03-10T12:00:00Z');

describeEachDatabase((createTestDatabase) => {
  test('a model has its requests, failures and speed since an hour', async () => {
    const database = await openTestDatabase(await createTestDatabase());
    const stream = { isStreamed: true, firstByteMs: 500, durationMs: 2_500, tokensOut: 100 };
    await storeUsage(database, [
      makeUsageRecord({ id: 'old', at: at - 3_600_000, model: 'a', status: 500 }),
      makeUsageRecord({ id: '1', at, model: 'a', ...stream }),
      makeUsageRecord({
        id: '2',
        at,
        model: 'a',
        ...stream,
        firstByteMs: 1_500,
        durationMs: 3_500,
      }),
      // The mistake of a client is no failure of the model.
      makeUsageRecord({ id: '3', at, model: 'a', status: 400, firstByteMs: null }),
      makeUsageRecord({ id: '4', at, model: 'a', status: 502, firstByteMs: null }),
      makeUsageRecord({ id: '5', at, model: 'b', firstByteMs: null }),
    ]);
    const sums = await database.usage.sumOfModels(at);
    expect(sums.toSorted((a, b) => a.model.localeCompare(b.model))).toEqual([
      { model: 'a', requests: 4, failed: 1, firstByteMs: 1_000, tokensPerSecond: 50 },
      { model: 'b', requests: 1, failed: 0, firstByteMs: null, tokensPerSecond: null },
    ]);
  });
});
