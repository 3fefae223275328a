import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { makeRejectedRecord, makeUsageRecord } from '../../../support/factories/key-factory.ts';
import { makeDemand, makeLimitedKey, tokens } from '../../../support/factories/limits-factory.ts';
import {
  describeEachLedger,
  type LedgerSetup,
  type TestReservation,
} from '../../../support/servers/each-ledger.ts';
import { storeUsage } from '../../../support/store-usage.ts';
import { rejectedWith } from '../../../support/upstreams/proxy-errors.ts';

const key = makeLimitedKey({ requestsPerMinute: 60 });

describeEachLedger((open) => {
  test('an admitted request reserves its tokens, and the headers show it', async () => {
    const setup = await open();
    setup.clock.moveTo('2026-03-10T23:54:00.000Z');
    const first = await setup.limits.reserve(key, makeDemand(300));
    expect(toHeaders(first)).toEqual({
      'x-ratelimit-limit-tokens': '1000',
      'x-ratelimit-remaining-tokens': '700',
      'x-ratelimit-reset-tokens': '6m0s',
    });
    setup.clock.move(1_500);
    expect(toHeaders(await setup.other.reserve(key, makeDemand(0.5)))).toMatchObject({
      'x-ratelimit-remaining-tokens': '699',
      'x-ratelimit-reset-tokens': '5m59s',
    });
  });

  test('a request is counted, and the headers show it', async () => {
    const setup = await open();
    expect(Object.fromEntries(await setup.limits.countRequest(key))).toEqual({
      'x-ratelimit-limit-requests': '60',
      'x-ratelimit-remaining-requests': '59',
      'x-ratelimit-reset-requests': expect.stringMatching(/^(?:1m[1-5]?[0-9]s|2m0s)$/),
    });
    setup.clock.move(1_500);
    expect(Object.fromEntries(await setup.other.countRequest(key))).toMatchObject({
      'x-ratelimit-remaining-requests': '58',
    });
  });

  test('a small remaining budget is reserved as far as it goes', async () => {
    const setup = await open();
    const first = await setup.limits.reserve(key, makeDemand(700));
    expect(first).toMatchObject({ outputTokens: 700, outputTokensLeft: 300 });
    const second = await setup.other.reserve(key, makeDemand(5_000, { outputTokensMin: 300 }));
    expect(second).toMatchObject({ outputTokens: 300, outputTokensLeft: 0 });
    await rejectedWith(() => setup.limits.reserve(key, makeDemand(5_000, { outputTokensMin: 1 })));
    await second.release();
    await rejectedWith(() =>
      setup.limits.reserve(key, makeDemand(5_000, { outputTokensMin: 301 })),
    );
  });

  test('a reservation is extended while there is something left, and settled as a whole', async () => {
    const setup = await open();
    const first = await setup.limits.reserve(key, makeDemand(500));
    const second = await setup.other.reserve(key, makeDemand(200));
    expect(await first.extend(256)).toBe(256);
    expect(await Promise.all([first.extend(30), first.extend(256)])).toEqual([30, 14]);
    expect(await second.extend(1)).toBe(0);
    await first.settle(tokens(790));
    expect(await first.extend(256)).toBe(0);
    expect(await tokensLeft(setup.limits)).toBe(10);
    await second.release();
    expect(await tokensLeft(setup.limits)).toBe(210);
  });

  test('a reservation is settled once, by whichever end comes first', async () => {
    const setup = await open();
    const [settled, released] = [
      await setup.limits.reserve(key, makeDemand(400)),
      await setup.limits.reserve(key, makeDemand(400)),
    ];
    for (let times = 0; times < 3; times += 1) {
      await Promise.all([settled.settle(tokens(100)), settled.release()]);
      await Promise.all([released.release(), released.settle(tokens(400))]);
    }
    expect(await tokensLeft(setup.other)).toBe(900);
  });

  test('usage above the reservation is charged in full, and blocks later requests', async () => {
    const setup = await open();
    await (await setup.limits.reserve(key, makeDemand(10))).settle(tokens(5_000));
    const error = await rejectedWith(() => setup.other.reserve(key, makeDemand(1)));
    expect(error.code).toBe('insufficient_quota');
    expect(error.headers['x-ratelimit-remaining-tokens']).toBe('0');
  });

  test('a key that has used up its minute is told how long to wait, by every process', async () => {
    const setup = await open();
    const limited = { ...key, requestsPerMinute: 1 };
    await setup.limits.countRequest(limited);
    const error = await rejectedWith(() => setup.other.countRequest(limited));
    expect(error).toMatchObject({
      status: 429,
      code: 'rate_limit_exceeded',
      limit: 'requests per minute of the key',
      headers: { 'x-ratelimit-remaining-requests': '0' },
    });
    // SDKs retry at once if it is longer than a minute.
    const wait = Number(error.headers['Retry-After']);
    expect(wait).toBeGreaterThanOrEqual(1);
    expect(wait).toBeLessThanOrEqual(60);
  });

  test('a key that is over its requests a minute is rejected by its process before anything is stored', async () => {
    const { limits } = await open();
    const limited = { ...key, requestsPerMinute: 2 };
    const begun = [1, 2, 3].map(() => limits.ledger.begin(limited));
    expect(begun.map(({ decision }) => decision.isGranted)).toEqual([true, true, false]);
    expect(begun.map(({ decision }) => decision.left)).toEqual([1, 0, 0]);
  });

  test('requests of other processes are known from the next reservation on', async () => {
    const { limits, other } = await open();
    const limited = { ...key, requestsPerMinute: 3 };
    for (let sent = 0; sent < 3; sent += 1) await other.countRequest(limited);
    const first = limits.ledger.begin(limited);
    expect(first.decision.isGranted).toBe(true);
    expect(await rejectedWith(() => limits.reserve(key, makeDemand(1), first))).toMatchObject({
      status: 429,
      headers: { 'x-ratelimit-remaining-requests': '0' },
    });
    expect(limits.ledger.begin(limited).decision.isGranted).toBe(false);
  });

  test('those that begin later do not take the place of a request whose body is still read', async () => {
    const { limits, other } = await open();
    const limited = { ...key, requestsPerMinute: 2 };
    await other.countRequest(limited);
    await limits.countRequest({ ...limited, requestsPerMinute: 9 });
    const slow = { ...limited, requestsPerMinute: 3 };
    const first = limits.ledger.begin(slow);
    for (let sent = 0; sent < 5; sent += 1) {
      await rejectedWith(() => limits.countRequest(slow));
    }
    await limits.ledger.count(first);
    expect(first.decision).toMatchObject({ isGranted: true, left: 0 });
  });

  test('a request that is rejected counts once, wherever it is rejected', async () => {
    const { limits, other, clock } = await open();
    const [invalid, dear] = [limits.ledger.begin(key), limits.ledger.begin(key)];
    const rejected = { keyId: key.id, at: clock.now() };
    limits.ledger.reject(makeRejectedRecord(rejected), invalid);
    expect(await limits.tryReserve(key, makeDemand(1_001), dear)).toBe(null);
    limits.ledger.reject(makeRejectedRecord(rejected), dear);
    await limits.ledger.flush();
    const headers = Object.fromEntries(await other.countRequest(key));
    expect(headers['x-ratelimit-remaining-requests']).toBe('57');
  });

  test('rejected requests reserve nothing', async () => {
    const setup = await open();
    for (let tries = 0; tries < 5; tries += 1) {
      await rejectedWith(() => setup.limits.reserve(key, makeDemand(1_001)));
    }
    expect(await tokensLeft(setup.limits)).toBe(1_000);
  });

  test('reserved tokens may be released, so a retry is suggested; spent ones may not', async () => {
    const setup = await open();
    const running = await setup.limits.reserve(key, makeDemand(800));
    const reserved = await rejectedWith(() => setup.other.reserve(key, makeDemand(500)));
    expect(reserved).toMatchObject({
      status: 429,
      code: 'rate_limit_exceeded',
      limit: 'tokens per day of the key',
      headers: { 'Retry-After': '1' },
    });
    await running.settle(tokens(800));
    const spent = await rejectedWith(() => setup.other.reserve(key, makeDemand(500)));
    expect(spent).toMatchObject({
      status: 402,
      code: 'insufficient_quota',
      resetsAt: '2026-03-11T00:00:00Z',
    });
    expect(spent.headers).not.toHaveProperty('Retry-After');
    expect(spent.message).toContain('200 tokens are left. This request needs at least 500 tokens');
    await setup.other.reserve(key, makeDemand(200));
  });

  test('a new UTC day has a new budget, and usage is charged to the day of the request', async () => {
    const setup = await open();
    setup.clock.moveTo('2026-03-10T23:59:59.999Z');
    const late = await setup.limits.reserve(key, makeDemand(1_000));
    setup.clock.move(1);
    const early = await setup.limits.reserve(key, makeDemand(600));
    await late.settle(tokens(1_000));
    expect(await tokensLeft(setup.other)).toBe(400);
    await early.release();
    expect(await tokensLeft(setup.other)).toBe(1_000);
  });

  test('usage from before the start counts', async () => {
    const setup = await open();
    const used = { tokensIn: 0, at: setup.clock.now() };
    await storeUsage(setup.database, [
      makeUsageRecord({ ...used, tokensOut: 950 }),
      makeUsageRecord({ ...used, tokensOut: 1_000, at: used.at - 86_400_000 }),
    ]);
    const reservations = await Promise.allSettled(
      Array.from({ length: 10 }, () => setup.limits.reserve(key, makeDemand(20))),
    );
    expect(reservations.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
  });

  test('concurrent requests never spend a budget twice', async () => {
    const setup = await open();
    const sizes = fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 5, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(sizes, async (tokens) => {
        const own = makeLimitedKey({ id: randomUUID(), requestsPerMinute: 1_000 });
        const reservations = await Promise.all(
          tokens.map((size, index) =>
            (index % 2 === 0 ? setup.limits : setup.other).tryReserve(own, makeDemand(size)),
          ),
        );
        const granted = tokens.filter((_, index) => reservations[index] !== null);
        const rejected = tokens.filter((_, index) => reservations[index] === null);
        const sum = granted.reduce((total, size) => total + size, 0);
        expect(sum).toBeLessThanOrEqual(1_000);
        // Nothing is rejected needlessly: each rejected request really had no room.
        for (const size of rejected) expect(sum + size).toBeGreaterThan(1_000);
      }),
      { numRuns: 60 },
    );
  });

  test('after any sequence of requests the remaining budget is what is neither used nor reserved', async () => {
    const setup = await open();
    const step = fc.oneof(
      fc.record({ do: fc.constant('begin' as const), tokens: fc.nat(500) }),
      fc.record({ do: fc.constant('settle' as const), which: fc.nat(9), tokens: fc.nat(600) }),
      fc.record({ do: fc.constant('release' as const), which: fc.nat(9) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const own = makeLimitedKey({ id: randomUUID() });
        const running: { reservation: TestReservation; tokens: number }[] = [];
        let used = 0;
        for (const step of steps) {
          const reserved = running.reduce((sum, { tokens }) => sum + tokens, 0);
          if (step.do === 'begin') {
            const { tokens } = step;
            const reservation = await setup.limits.tryReserve(own, makeDemand(tokens));
            expect(reservation !== null).toBe(used < 1_000 && used + reserved + tokens <= 1_000);
            if (reservation === null) continue;
            expect(toHeaders(reservation)['x-ratelimit-remaining-tokens']).toBe(
              String(1_000 - used - reserved - tokens),
            );
            running.push({ reservation, tokens });
            continue;
          }
          const [over] = running.splice(step.which, 1);
          if (over === undefined) continue;
          if (step.do === 'settle') {
            await over.reservation.settle(tokens(step.tokens));
            used += step.tokens;
          } else {
            await over.reservation.release();
          }
        }
        expect(setup.log.lines).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  test('an invalid number of tokens throws and reserves nothing', async () => {
    const setup = await open();
    await expect(setup.limits.reserve(key, makeDemand(Number.NaN))).rejects.toThrow(RangeError);
    expect(await tokensLeft(setup.limits)).toBe(1_000);
  });
});

async function tokensLeft(limits: LedgerSetup['limits']): Promise<number> {
  const reservation = await limits.reserve(key, makeDemand());
  return Number(toHeaders(reservation)['x-ratelimit-remaining-tokens']);
}

function toHeaders({ headers }: TestReservation): Record<string, string> {
  return Object.fromEntries(headers);
}
