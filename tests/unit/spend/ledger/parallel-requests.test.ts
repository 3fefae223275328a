import { expect, test } from 'vitest';
import { isHttpError } from '#lib/http/errors/errors.ts';
import {
  createPromptFactors,
  type PromptFactors,
  toExpectedTokens,
} from '#lib/spend/usage/prompt-factors.ts';
import {
  type LimitedKey,
  makeDemand,
  makeLimitedKey,
  tokens,
} from '../../../support/factories/limits-factory.ts';
import {
  describeEachLedger,
  type LedgerSetup,
  type TestReservation,
} from '../../../support/servers/each-ledger.ts';
import { rejectedWith } from '../../../support/upstreams/proxy-errors.ts';

const estimate = 1_000;
const price = { fixed: 0, perPromptToken: 3_000, perOutputToken: 15_000 };

describeEachLedger((open) => {
  test.for([
    ['tokens', { tokensPerDay: 33_000 }],
    ['tokens of which most requests fit', { tokensPerDay: 1_000_000 }],
    ['dollars', { nanoUsdPerDay: 1_000_000_000 }],
  ] as const)(
    'a hundred requests at once, each of 20 times its estimate, pass a budget by one request at most: %s',
    async ([, budget]) => {
      const setup = await open();
      const key = makeLimitedKey({ key: { tokensPerDay: null, ...budget } });
      const factors = createPromptFactors();
      const statuses = new Set<number>();
      // Each round settles before the next: clients that try again after a second.
      for (let round = 0; round < 50 && !statuses.has(402); round += 1) {
        await sendAtOnce(setup, key, factors, statuses);
      }
      const [limit] = key.limits;
      const [use] = await setup.limits.read(key);
      expect(use).toMatchObject({ reservedTokens: 0, reservedNanoUsd: 0 });
      const needed = { tokens: 20 * estimate + 500, nanoUsd: 20 * estimate * 3_000 + 500 * 15_000 };
      if (limit?.tokens != null) {
        expect(use?.tokens).toBeGreaterThanOrEqual(limit.tokens - estimate - 16);
        expect(use?.tokens).toBeLessThan(limit.tokens + needed.tokens);
      }
      if (limit?.nanoUsd != null) {
        expect(use?.nanoUsd).toBeGreaterThanOrEqual(limit.nanoUsd - estimate * 3_000 - 16 * 15_000);
        expect(use?.nanoUsd).toBeLessThan(limit.nanoUsd + needed.nanoUsd);
      }
      expect([...statuses].sort()).toEqual([200, 402, 429]);
    },
  );

  test('a prompt that is expected to be too large runs alone, and reserves everything', async () => {
    const setup = await open();
    const key = makeLimitedKey();
    const demand = makeDemand(300, {
      promptTokens: 100,
      promptTokensExpected: 3_200,
      outputTokensMin: 16,
    });
    const alone = await setup.limits.reserve(key, demand);
    expect(alone).toMatchObject({ promptTokens: 700, outputTokens: 300, outputTokensLeft: 0 });
    expect(await rejectedWith(() => setup.other.reserve(key, makeDemand(1)))).toMatchObject({
      status: 429,
      code: 'rate_limit_exceeded',
      headers: { 'Retry-After': '1' },
    });
    await alone.release();
    const small = await setup.other.reserve(key, makeDemand(1));
    expect(await rejectedWith(() => setup.limits.reserve(key, demand))).toMatchObject({
      status: 429,
    });
    await small.settle(tokens(1));
    expect(await setup.limits.reserve(key, demand)).toMatchObject({ promptTokens: 699 });
  });

  test('it runs beside requests of a larger budget in which it fits', async () => {
    const setup = await open();
    const all = { tokensPerDay: 100_000 };
    await setup.limits.reserve(makeLimitedKey({ id: 'key_two', all }), makeDemand(500));
    const demand = makeDemand(300, { promptTokens: 100, promptTokensExpected: 3_200 });
    const own = await setup.other.reserve(makeLimitedKey({ all }), demand);
    expect(own).toMatchObject({ promptTokens: 700, outputTokens: 300 });
  });

  test('only where the plain estimate does not fit it is 402', async () => {
    const setup = await open();
    const key = makeLimitedKey();
    const demand = (promptTokens: number) =>
      makeDemand(300, { promptTokens, promptTokensExpected: 9_000, outputTokensMin: 16 });
    expect(await rejectedWith(() => setup.limits.reserve(key, demand(985)))).toMatchObject({
      status: 402,
      code: 'insufficient_quota',
      resetsAt: '2026-03-11T00:00:00Z',
    });
    expect(await setup.limits.reserve(key, demand(984))).toMatchObject({
      promptTokens: 984,
      outputTokens: 16,
    });
  });

  test('beside others a prompt is reserved as expected, and the reply gets what is left', async () => {
    const setup = await open();
    const key = makeLimitedKey();
    await setup.limits.reserve(key, makeDemand(100));
    const demand = { promptTokens: 10, promptTokensExpected: 320, outputTokensMin: 16 };
    expect(await setup.other.reserve(key, makeDemand(300, demand))).toMatchObject({
      promptTokens: 320,
      outputTokens: 300,
      outputTokensLeft: 280,
    });
    expect(
      await setup.other.reserve(key, makeDemand(300, { ...demand, promptTokensExpected: 200 })),
    ).toMatchObject({
      promptTokens: 200,
      outputTokens: 80,
      outputTokensLeft: 0,
    });
  });
});

/** Sends a hundred requests of two instances, and settles those that run once all have been decided. */
async function sendAtOnce(
  { limits, other }: LedgerSetup,
  key: LimitedKey,
  factors: PromptFactors,
  statuses: Set<number>,
): Promise<void> {
  const demand = makeDemand(8_192, {
    promptTokens: estimate,
    promptTokensExpected: toExpectedTokens(estimate, factors.factorOf('model', key.id)),
    outputTokensMin: 16,
    price,
  });
  const reservations: TestReservation[] = [];
  await Promise.all(
    Array.from({ length: 100 }, async (_, index) => {
      try {
        reservations.push(await (index % 2 === 0 ? limits : other).reserve(key, demand));
        statuses.add(200);
      } catch (error) {
        if (!isHttpError(error)) throw error;
        statuses.add(error.status);
      }
    }),
  );
  const promptTokens = 20 * estimate;
  await Promise.all(
    reservations.map(({ settle, outputTokens }) => {
      const output = Math.min(500, outputTokens);
      factors.learn('model', key.id, { estimate, actual: promptTokens });
      const nanoUsd = promptTokens * price.perPromptToken + output * price.perOutputToken;
      return settle({ tokens: promptTokens + output, nanoUsd });
    }),
  );
}
