import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { type Bill, openBill } from '#lib/spend/bill.ts';
import { noSurcharge } from '#lib/spend/charge.ts';
import { createLedger } from '#lib/spend/ledger/ledger.ts';
import type { UsageRecord } from '#lib/spend/ledger/usage-record.ts';
import { toPrices } from '#lib/spend/prices.ts';
import { noMedia } from '#lib/spend/usage/estimate-tokens.ts';
import { createPromptFactors } from '#lib/spend/usage/prompt-factors.ts';
import type { TokenUsage } from '#lib/spend/usage/token-usage.ts';
import { channels } from '#lib/telemetry/channels.ts';
import { makeLimitedKey } from '../../support/factories/limits-factory.ts';
import { openTestDatabase } from '../../support/servers/each-database.ts';
import { createTestLog } from '../../support/test-log.ts';

const prices = toPrices({ input: 1e-6, output: 2e-6, cacheWrite: 1e-6, reasoning: 0 });

const target = {
  upstream: 'north',
  tariff: { prices, surcharge: noSurcharge, maxCostUsd: 10, trustsLowCost: false, shownUsd: 0 },
  bounds: { contextTokens: null, outputTokens: null, outputFactor: 1 },
};

/** A bill whose call of the upstream `north` has started. */
async function startBill() {
  const log = createTestLog();
  const progress: { read: () => UsageRecord } = { read: failed };
  const now = () => Date.parse('2026-03-10T12:00:00Z');
  const database = await openTestDatabase();
  const ledger = createLedger({ transactions: database.ledger, log });
  const bill = await openBill(
    {
      ledger,
      leases: {
        add(_, toRecord) {
          progress.read = toRecord;
        },
        remove() {},
      },
      nextId: randomUUID,
      factors: createPromptFactors(),
      disputed: new Set(),
      now,
      log,
    },
    {
      request: {
        key: {
          ...makeLimitedKey({ key: {} }),
          owner: 'key_one',
        },
        endpoint: 'chat.completions',
        session: null,
        requestId: null,
        model: 'some/model',
        isStreamed: true,
        at: now(),
        startedAt: performance.now(),
      },
      counted: ledger.begin({ id: 'key_one', requestsPerMinute: 9 }),
      onSettled: () => {},
      need: {
        promptTokensEstimate: 100,
        hasFiles: false,
        media: noMedia,
        outputTokensMin: 1,
        outputTokensMax: 100,
        contextTokens: null,
        prices: null,
        unknownUsd: 0,
        surcharge: noSurcharge,
      },
      first: target,
    },
  );
  bill.start(target);
  return { bill, log, readProgress: () => progress.read() };
}

function failed(): never {
  throw new Error('It has no record.');
}

function withCost(costUsd: number): TokenUsage {
  const counts = { inputTokens: 100, outputTokens: 60, cachedInputTokens: 0, reasoningTokens: 0 };
  return { ...counts, costUsd, isEstimated: false };
}

function countImplausible(): { upstream: string }[] {
  const counted: { upstream: string }[] = [];
  const note = (attempt: { upstream: string }) => void counted.push(attempt);
  channels.implausibleCost.subscribe(note);
  onTestFinished(() => channels.implausibleCost.unsubscribe(note));
  return counted;
}

const ends: readonly (readonly [string, (bill: Bill, usage: TokenUsage) => UsageRecord])[] = [
  ['a complete reply', (bill, usage) => bill.settle(200, usage)],
  [
    'a reply that was cut off',
    (bill, usage) => {
      bill.setProgress(() => ({ usage, reported: usage }));
      return bill.settle(200, null);
    },
  ],
];

test.each(ends)('a cost of %s that is not believed counts and is logged once', async (_, end) => {
  const counted = countImplausible();
  const { bill, log, readProgress } = await startBill();
  const usage = withCost(5);
  bill.setProgress(() => ({ usage, reported: usage }));
  // As each second of a stream.
  for (let second = 0; second < 3; second++) readProgress();

  const { costUsd } = end(bill, usage);
  end(bill, usage);

  expect(costUsd).toBeCloseTo(0.00022, 9);
  expect(counted).toEqual([{ upstream: 'north' }]);
  expect(log.lines).toMatchObject([
    { level: 'warn', fields: { reason: 'implausible_cost', upstream: 'north', costUsd: 5 } },
  ]);
});

test('a cost that is believed counts as none', async () => {
  const counted = countImplausible();
  const { bill, log } = await startBill();
  expect(bill.settle(200, withCost(0.0004)).costUsd).toBe(0.0004);
  expect(counted).toEqual([]);
  expect(log.lines).toEqual([]);
});

test('a record has the error of its last target alone', async () => {
  const { bill } = await startBill();
  bill.setErrorCode('upstream_error');
  bill.start(target);
  bill.setReplyId('chatcmpl-1');
  expect(bill.settle(200, withCost(0.0004))).toMatchObject({
    errorCode: null,
    replyId: 'chatcmpl-1',
  });
  const { bill: failing } = await startBill();
  failing.setErrorCode('upstream_error');
  expect(failing.settle(502, null)).toMatchObject({ errorCode: 'upstream_error', replyId: null });
});
