import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LimitedKey, Limits, Reservation } from '#lib/ai-proxy/limits/limits.ts';
import { isProxyError } from '#lib/ai-proxy/proxy-error.ts';
import { describeEachLimits } from '../../../support/each-limits-store.ts';
import { refusalOf } from '../../../support/refusal.ts';

const key: LimitedKey = { id: 'key_one', requestsPerMinute: 60, tokensPerDay: 1_000 };

describeEachLimits((open) => {
  test('a request that is let in holds its tokens, and the headers say so', async () => {
    await using house = open();
    house.clock.moveTo('2026-03-10T23:54:00.000Z');
    const first = await house.limits.begin(key, { tokens: 300 });
    expect(toHeaders(first)).toEqual({
      'x-ratelimit-limit-requests': '60',
      'x-ratelimit-remaining-requests': '59',
      'x-ratelimit-reset-requests': '1m1s',
      'x-ratelimit-limit-tokens': '1000',
      'x-ratelimit-remaining-tokens': '700',
      'x-ratelimit-reset-tokens': '6m0s',
    });
    house.clock.move(1_500);
    expect(toHeaders(await house.other.begin(key, { tokens: 0.5 }))).toMatchObject({
      'x-ratelimit-remaining-requests': '58',
      'x-ratelimit-remaining-tokens': '699',
      'x-ratelimit-reset-tokens': '5m59s',
    });
  });

  test('an ending counts once, whichever comes first', async () => {
    await using house = open();
    const [settled, released] = [
      await house.limits.begin(key, { tokens: 400 }),
      await house.limits.begin(key, { tokens: 400 }),
    ];
    for (let times = 0; times < 3; times += 1) {
      settled.settle(100);
      settled.release();
      released.release();
      released.settle(400);
    }
    await house.settled();
    expect(await tokensLeft(house.other)).toBe(900);
  });

  test('more than was held is charged in full, and stops what comes after', async () => {
    await using house = open();
    (await house.limits.begin(key, { tokens: 10 })).settle(5_000);
    await house.settled();
    const error = await refusalOf(() => house.other.begin(key, { tokens: 1 }));
    expect(error.code).toBe('insufficient_quota');
    expect(error.headers['x-ratelimit-remaining-tokens']).toBe('0');
  });

  test('the 61st request of a minute waits as long as it is told, and is then let in', async () => {
    await using house = open();
    for (let sent = 0; sent < 60; sent += 1) {
      await (sent % 2 === 0 ? house.limits : house.other).begin(key, { tokens: 1 });
      house.clock.move(250);
    }
    const error = await refusalOf(() => house.limits.begin(key, { tokens: 1 }));
    expect(error).toMatchObject({
      status: 429,
      type: 'rate_limit_error',
      code: 'rate_limit_exceeded',
      headers: { 'Retry-After': '46', 'x-ratelimit-remaining-requests': '0' },
    });
    expect(error.headers['x-should-retry']).toBeUndefined();
    house.clock.move(45_000);
    await refusalOf(() => house.other.begin(key, { tokens: 1 }));
    house.clock.move(1_000);
    await house.other.begin(key, { tokens: 1 });
  });

  test('refused requests use up nothing', async () => {
    await using house = open();
    const small = { ...key, requestsPerMinute: 2 };
    for (let tries = 0; tries < 5; tries += 1) {
      await refusalOf(() => house.limits.begin(small, { tokens: 1_001 }));
    }
    await house.limits.begin(small, { tokens: 1 });
    expect(toHeaders(await house.limits.begin(small, { tokens: 1 }))).toMatchObject({
      'x-ratelimit-remaining-requests': '0',
      'x-ratelimit-remaining-tokens': '998',
    });
  });

  test('a failed request gives its tokens back, not its place in the minute', async () => {
    await using house = open();
    (await house.limits.begin(key, { tokens: 900 })).release();
    await house.settled();
    expect(toHeaders(await house.limits.begin(key, { tokens: 900 }))).toMatchObject({
      'x-ratelimit-remaining-requests': '58',
      'x-ratelimit-remaining-tokens': '100',
    });
  });

  test('tokens that others hold may come back: try again; tokens that are spent do not', async () => {
    await using house = open();
    const holder = await house.limits.begin(key, { tokens: 800 });
    const held = await refusalOf(() => house.other.begin(key, { tokens: 500 }));
    expect(held).toMatchObject({
      status: 429,
      type: 'rate_limit_error',
      headers: { 'Retry-After': '1' },
    });
    holder.settle(800);
    await house.settled();
    const spent = await refusalOf(() => house.other.begin(key, { tokens: 500 }));
    expect(spent).toMatchObject({
      status: 429,
      type: 'insufficient_quota',
      code: 'insufficient_quota',
      headers: { 'x-should-retry': 'false', 'Retry-After': String(12 * 3_600) },
    });
    expect(spent.message).toContain('may take 500, and 200 are left');
    await house.other.begin(key, { tokens: 200 });
  });

  test('a new day (UTC) has a new budget, and the old one pays for what began in it', async () => {
    await using house = open();
    house.clock.moveTo('2026-03-10T23:59:59.999Z');
    const late = await house.limits.begin(key, { tokens: 1_000 });
    house.clock.move(1);
    const early = await house.limits.begin(key, { tokens: 600 });
    late.settle(1_000);
    await house.settled();
    expect(await tokensLeft(house.other)).toBe(400);
    early.release();
    await house.settled();
    expect(await tokensLeft(house.other)).toBe(1_000);
  });

  test('what was used before the start counts', async () => {
    await using house = open();
    house.written.set('key_one 2026-03-10', 950).set('key_one 2026-03-09', 1_000);
    const begun = await Promise.allSettled(
      Array.from({ length: 10 }, () => house.limits.begin(key, { tokens: 20 })),
    );
    expect(begun.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
  });

  test('keys do not share their limits', async () => {
    await using house = open();
    await house.limits.begin({ ...key, id: 'key_two' }, { tokens: 1_000 });
    expect(await tokensLeft(house.limits)).toBe(1_000);
  });

  test('requests at the same time never spend a budget twice', async () => {
    await using house = open();
    const sizes = fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 5, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(sizes, async (tokens) => {
        const own = { ...key, id: randomUUID(), requestsPerMinute: 1_000 };
        const begun = await Promise.all(
          tokens.map((size, index) =>
            tryBegin(index % 2 === 0 ? house.limits : house.other, own, size),
          ),
        );
        const granted = tokens.filter((_, index) => begun[index] !== null);
        const refused = tokens.filter((_, index) => begun[index] === null);
        const sum = granted.reduce((total, size) => total + size, 0);
        expect(sum).toBeLessThanOrEqual(1_000);
        // And nothing is held back in vain: whoever was refused would not have had room.
        for (const size of refused) expect(sum + size).toBeGreaterThan(1_000);
      }),
      { numRuns: 60 },
    );
  });

  test('whatever callers do, what is left is what was not used and not held', async () => {
    await using house = open();
    const step = fc.oneof(
      fc.record({ do: fc.constant('begin' as const), tokens: fc.nat(500) }),
      fc.record({ do: fc.constant('settle' as const), which: fc.nat(9), tokens: fc.nat(600) }),
      fc.record({ do: fc.constant('release' as const), which: fc.nat(9) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const own = { ...key, id: randomUUID() };
        const under: { reservation: Reservation; tokens: number }[] = [];
        let used = 0;
        for (const one of steps) {
          const held = under.reduce((sum, { tokens }) => sum + tokens, 0);
          if (one.do === 'begin') {
            const { tokens } = one;
            const reservation = await tryBegin(house.limits, own, tokens);
            expect(reservation !== null).toBe(used < 1_000 && used + held + tokens <= 1_000);
            if (reservation === null) continue;
            expect(toHeaders(reservation)['x-ratelimit-remaining-tokens']).toBe(
              String(1_000 - used - held - tokens),
            );
            under.push({ reservation, tokens });
            continue;
          }
          const [over] = under.splice(one.which, 1);
          if (over === undefined) continue;
          if (one.do === 'settle') {
            over.reservation.settle(one.tokens);
            used += one.tokens;
          } else {
            over.reservation.release();
          }
          await house.settled();
        }
        expect(house.log.lines).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  test('a reservation of nothing is ended like any other', async () => {
    await using house = open();
    for (let times = 0; times < 3; times += 1) {
      (await house.limits.begin(key, { tokens: 0 })).release();
      (await house.limits.begin(key, { tokens: 0 })).settle(1);
      await house.settled();
    }
    expect(await tokensLeft(house.limits)).toBe(997);
    expect(house.log.lines).toEqual([]);
  });

  test('a number of tokens that is none is a mistake of ours, and takes nothing', async () => {
    await using house = open();
    await expect(house.limits.begin(key, { tokens: Number.NaN })).rejects.toThrow(RangeError);
    expect(await tokensLeft(house.limits)).toBe(1_000);
  });
});

async function tryBegin(
  limits: Limits,
  own: LimitedKey,
  tokens: number,
): Promise<Reservation | null> {
  try {
    return await limits.begin(own, { tokens });
  } catch (error) {
    if (isProxyError(error) && error.status === 429) return null;
    throw error;
  }
}

async function tokensLeft(limits: Limits): Promise<number> {
  const reservation = await limits.begin(key, { tokens: 0 });
  return Number(toHeaders(reservation)['x-ratelimit-remaining-tokens']);
}

function toHeaders({ headers }: Reservation): Record<string, string> {
  return Object.fromEntries(
    headers.flatMap((name, index) =>
      index % 2 === 0 ? [[name, headers[index + 1] ?? ''] as const] : [],
    ),
  );
}
