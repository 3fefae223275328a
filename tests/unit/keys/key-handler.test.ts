import { expect, test } from 'vitest';
import { toApiKey } from '#lib/keys/api-key.ts';
import { createKeyHandler } from '#lib/keys/key-handler.ts';
import { createRequestCounter } from '#lib/spend/ledger/request-counts.ts';
import { noUsage } from '#lib/spend/usage/usage-totals.ts';
import { makeKeyRecord } from '../../support/factories/key-factory.ts';
import { keyDefaults } from '../../support/factories/key-services.ts';
import { createFakeClock } from '../../support/fake-clock.ts';

function openView(sums: Record<string, number>) {
  const clock = createFakeClock();
  const key = toApiKey(makeKeyRecord(), keyDefaults);
  const view = createKeyHandler({
    authenticator: { authenticate: async () => ({ key, recheck: async () => null }) },
    ledger: { begin: createRequestCounter(clock.now), async count() {} },
    balances: { readUses: async () => [] },
    usage: {
      async sumByDayAndModel() {
        return Object.entries(sums).map(([day, tokensOut]) => ({
          ...noUsage,
          day,
          model: 'demo/small',
          requests: 1,
          tokensOut,
        }));
      },
    },
    now: clock.now,
  });
  const readTokens = async () => {
    const response = await view(new Request('http://localhost/proxy/v1/key'));
    return (await response.json()).data.tokens;
  };
  return { clock, readTokens };
}

test('a request that ended after midnight is part of the total', async () => {
  const sums = { '2026-03-09': 100, '2026-03-10': 20 };
  const { clock, readTokens } = openView(sums);
  clock.moveTo('2026-03-11T00:00:10.000Z');
  expect(await readTokens()).toMatchObject({ daily: 0, total: 120 });
  // It counts for the day on which it began.
  sums['2026-03-10'] = 23;
  expect(await readTokens()).toMatchObject({ daily: 0, weekly: 123, total: 123 });
});
