import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type LimitedKey,
  makeDemand,
  makeLimitedKey,
  tokens,
} from '../../../support/factories/limits-factory.ts';
import { describeEachLedger, type TestReservation } from '../../../support/servers/each-ledger.ts';
import { rejectedWith } from '../../../support/upstreams/proxy-errors.ts';

/** A token of the prompt for 1 µUSD, one of the reply for 2 µUSD. */
const price = { fixed: 0, perPromptToken: 1_000, perOutputToken: 2_000 };
const unlimited = { tokensPerDay: null };

describeEachLedger((open) => {
  test('all keys of a member share its budget: more keys give no more', async () => {
    const setup = await open();
    const member = { memberId: 'mbr_ada', member: { tokensPerDay: 1_000 }, key: unlimited };
    const keys = Array.from({ length: 20 }, (_, index) =>
      makeLimitedKey({ id: `key_${index}`, ...member }),
    );
    const granted = [];
    for (const [index, key] of keys.entries()) {
      const limits = index % 2 === 0 ? setup.limits : setup.other;
      granted.push(await limits.tryReserve(key, makeDemand(100)));
    }
    expect(granted.filter((reservation) => reservation !== null)).toHaveLength(10);
    for (const reservation of granted) await reservation?.settle(tokens(100));
    const error = await rejectedWith(() =>
      setup.other.reserve(keys[19] ?? makeLimitedKey(), makeDemand(1)),
    );
    expect(error.message).toBe(
      'Your account may use 1000 tokens a day, and they are used up. Wait until 2026-03-11T00:00:00Z (in 12h0m0s), or ask for a larger budget.',
    );
  });

  test('the tightest of all budgets counts, and each is charged', async () => {
    const setup = await open();
    const key = makeLimitedKey({
      key: { tokensPerDay: 900 },
      memberId: 'mbr_ada',
      member: { tokensPerMonth: 800 },
      groupName: 'staff',
      group: { tokensPerDay: 700 },
      all: { tokensPerDay: 600 },
    });
    const first = await setup.limits.reserve(key, makeDemand(5_000, { outputTokensMin: 1 }));
    expect(first).toMatchObject({ outputTokens: 600, outputTokensLeft: 0 });
    await first.settle(tokens(600));
    expect(await setup.other.read(key)).toMatchObject(
      // key a day; member a month; group a day; site a day.
      [600, 600, 600, 600].map((used) => ({ tokens: used, reservedTokens: 0 })),
    );
    const other = makeLimitedKey({
      id: 'key_two',
      groupName: 'staff',
      group: { tokensPerDay: 700 },
    });
    expect(await setup.other.reserve(other, makeDemand(500, { outputTokensMin: 1 }))).toMatchObject(
      {
        outputTokens: 100,
      },
    );
  });

  test('dollars bound a reply: prompt and reply at their own prices', async () => {
    const setup = await open();
    const key = makeLimitedKey({ key: { nanoUsdPerDay: 1_000_000 } });
    const demand = makeDemand(8_000, { promptTokens: 100, outputTokensMin: 16, price });
    // 100 × 1 µUSD, then 450 × 2 µUSD.
    const first = await setup.limits.reserve(key, demand);
    expect(first).toMatchObject({
      promptTokens: 100,
      outputTokens: 450,
      outputTokensLeft: 0,
      nanoUsd: 1_000_000,
    });
    expect(await setup.other.read(key)).toMatchObject([{ nanoUsd: 0, reservedNanoUsd: 1_000_000 }]);
    await rejectedWith(() => setup.other.reserve(key, demand));
    await first.settle({ tokens: 120, nanoUsd: 140_000 });
    const second = await setup.other.reserve(key, { ...demand, outputTokensMax: 100 });
    expect(second).toMatchObject({ outputTokens: 100, outputTokensLeft: 280 });
    // 280 tokens more cost 560 µUSD, and no cent is left.
    expect(await second.extend(1_000)).toBe(280);
    expect(await second.extend(1)).toBe(0);
    await second.release();
    expect(await setup.limits.read(key)).toMatchObject([
      { tokens: 120, nanoUsd: 140_000, reservedTokens: 0, reservedNanoUsd: 0 },
    ]);
  });

  test('a budget of a month outlasts its days, and the next month is new', async () => {
    const setup = await open();
    setup.clock.moveTo('2026-03-30T23:59:59.000Z');
    const key = makeLimitedKey({ key: { tokensPerMonth: 1_000 } });
    await (await setup.limits.reserve(key, makeDemand(900))).settle(tokens(900));
    setup.clock.move(1_000);
    const error = await rejectedWith(() => setup.other.reserve(key, makeDemand(200)));
    expect(error.message).toBe(
      'This key may use 1000 tokens a month, and 100 tokens are left. This request needs at least 200 tokens. Shorten the prompt, or wait until 2026-04-01T00:00:00Z (in 24h0m0s).',
    );
    expect(error).toMatchObject({ status: 402, resetsAt: '2026-04-01T00:00:00Z' });
    setup.clock.moveTo('2026-04-01T00:00:00.000Z');
    expect(await setup.other.reserve(key, makeDemand(200))).toMatchObject({
      outputTokensLeft: 800,
    });
  });

  test('a budget of a week outlasts its days and the month’s end, and Monday begins a new one', async () => {
    const setup = await open();
    // A Monday; the month ends on Tuesday.
    setup.clock.moveTo('2026-03-30T00:00:00.000Z');
    const key = makeLimitedKey({ key: { tokensPerWeek: 1_000 } });
    await (await setup.limits.reserve(key, makeDemand(900))).settle(tokens(900));
    setup.clock.moveTo('2026-04-05T23:59:59.000Z');
    const error = await rejectedWith(() => setup.other.reserve(key, makeDemand(200)));
    expect(error.message).toBe(
      'This key may use 1000 tokens a week, and 100 tokens are left. This request needs at least 200 tokens. Shorten the prompt, or wait until 2026-04-06T00:00:00Z (in 1s).',
    );
    setup.clock.moveTo('2026-04-06T00:00:00.000Z');
    expect(await setup.other.reserve(key, makeDemand(200))).toMatchObject({
      outputTokensLeft: 800,
    });
  });

  test('a group’s and the site’s budget are named without their numbers', async () => {
    const setup = await open();
    const parts = { key: unlimited, memberId: 'mbr_ada' };
    const inGroup = makeLimitedKey({
      ...parts,
      groupName: 'staff',
      group: { nanoUsdPerMonth: 5_000 },
    });
    await (await setup.limits.reserve(inGroup, makeDemand())).settle({ tokens: 1, nanoUsd: 5_000 });
    const group = await rejectedWith(() =>
      setup.other.reserve(inGroup, makeDemand(100, { price })),
    );
    expect(group.message).toBe(
      'Your group has used up its budget of the month. Wait until 2026-04-01T00:00:00Z (in 516h0m0s), or ask the operator for a larger one.',
    );
    expect(group.limit).toBe('dollars per month of the group');
    const onSite = makeLimitedKey({ ...parts, all: { nanoUsdPerDay: 10_000 } });
    const site = await rejectedWith(() => setup.other.reserve(onSite, makeDemand(100, { price })));
    expect(site.message).toBe(
      'This site has too little left of its budget of the day for this request. Shorten the prompt, or wait until 2026-03-11T00:00:00Z (in 12h0m0s).',
    );
    for (const { headers } of [group, site]) expect(headers).toEqual({});
  });

  test('from 80% on a header warns, of the fullest budget', async () => {
    const setup = await open();
    const key = makeLimitedKey({ key: { tokensPerDay: 1_000, nanoUsdPerMonth: 1_000_000 } });
    const warning = async () => {
      const { headers, release } = await setup.limits.reserve(key, makeDemand());
      await release();
      return Object.fromEntries(headers)['x-marquee-budget-warning'];
    };
    await (await setup.limits.reserve(key, makeDemand())).settle({ tokens: 799, nanoUsd: 0 });
    expect(await warning()).toBeUndefined();
    await (await setup.limits.reserve(key, makeDemand())).settle({ tokens: 1, nanoUsd: 0 });
    expect(await warning()).toBe(
      'This key has used more than 80% of its budget of the day, which ends at 2026-03-11T00:00:00Z.',
    );
    await (await setup.limits.reserve(key, makeDemand())).settle({ tokens: 0, nanoUsd: 900_000 });
    expect(await warning()).toMatch(/^This key has used more than 80% of its budget of the month/);
  });

  test('a key without any limit reserves nothing and is never rejected', async () => {
    const setup = await open();
    const key = makeLimitedKey({ key: unlimited });
    const reservation = await setup.limits.reserve(key, makeDemand(1e9, { price }));
    expect(reservation).toMatchObject({
      outputTokens: 1e9,
      outputTokensLeft: Number.POSITIVE_INFINITY,
    });
    expect(await reservation.extend(256)).toBe(256);
    await reservation.settle({ tokens: 1e9, nanoUsd: 1e9 });
    expect(reservation.headers).toEqual([]);
    expect(await setup.limits.read(key)).toEqual([]);
  });

  test('after any sequence of requests no budget is passed by what was reserved', async () => {
    const setup = await open();
    const step = fc.record({
      key: fc.nat(3),
      do: fc.constantFrom('reserve', 'extend', 'settle', 'release'),
      which: fc.nat(5),
      tokens: fc.nat(400),
      prompt: fc.nat(20),
      factor: fc.constantFrom(1, 3, 32),
      perToken: fc.constantFrom(0, 0.5, 1_000 / 3, 2_000),
    });
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        run += 1;
        const keys = makeFamily(run);
        const running: {
          reservation: TestReservation;
          key: LimitedKey;
          tokens: number;
          per: number;
        }[] = [];
        for (const step of steps) {
          const key = keys[step.key] ?? makeLimitedKey();
          const limits = step.which % 2 === 0 ? setup.limits : setup.other;
          if (step.do === 'reserve') {
            const demand = makeDemand(step.tokens, {
              promptTokens: step.prompt,
              promptTokensExpected: step.prompt * step.factor,
              outputTokensMin: step.tokens / 3,
              price: {
                fixed: step.prompt * 10.5,
                perPromptToken: step.perToken,
                perOutputToken: step.perToken,
              },
            });
            const reservation = await limits.tryReserve(key, demand);
            if (reservation === null) continue;
            const { promptTokens, outputTokens } = reservation;
            expect(outputTokens).toBeGreaterThanOrEqual(demand.outputTokensMin);
            expect(promptTokens).toBeGreaterThanOrEqual(demand.promptTokens);
            const tokens = promptTokens + outputTokens;
            running.push({ reservation, key, tokens, per: step.perToken });
          } else if (step.do === 'extend') {
            const found = running[step.which];
            if (found !== undefined) found.tokens += await found.reservation.extend(step.tokens);
          } else {
            const [over] = running.splice(step.which, 1);
            if (over === undefined) continue;
            const used = Math.min(step.tokens, over.tokens);
            if (step.do === 'release') await over.reservation.release();
            else
              await over.reservation.settle({ tokens: used, nanoUsd: Math.ceil(used * over.per) });
          }
          for (const owner of keys) {
            for (const { limit, ...use } of await setup.limits.read(owner)) {
              expect(use.tokens + use.reservedTokens).toBeLessThanOrEqual(limit.tokens ?? Infinity);
              expect(use.nanoUsd + use.reservedNanoUsd).toBeLessThanOrEqual(
                limit.nanoUsd ?? Infinity,
              );
            }
          }
        }
        for (const { reservation } of running) await reservation.release();
        for (const owner of keys) {
          for (const use of await setup.other.read(owner)) {
            expect(use).toMatchObject({ reservedTokens: 0, reservedNanoUsd: 0 });
          }
        }
      }),
      { numRuns: 25 },
    );
  });
});

/** Four keys: two of one member, one of another in the same group, one of the operator. */
function makeFamily(run: number): LimitedKey[] {
  const all = { nanoUsdPerMonth: 20_000_000 };
  const ada = {
    memberId: `mbr_ada_${run}`,
    member: { tokensPerDay: 700, nanoUsdPerDay: 400_000 },
    groupName: `staff_${run}`,
    group: { nanoUsdPerDay: 500_000, tokensPerMonth: 900 },
    all,
  };
  const bo = { ...ada, memberId: `mbr_bo_${run}` };
  return [
    makeLimitedKey({ id: `key_1_${run}`, key: unlimited, ...ada }),
    makeLimitedKey({ id: `key_2_${run}`, key: { tokensPerDay: 300 }, ...ada }),
    makeLimitedKey({ id: `key_3_${run}`, key: { nanoUsdPerDay: 200_000 }, ...bo }),
    makeLimitedKey({ id: `key_4_${run}`, all }),
  ];
}
