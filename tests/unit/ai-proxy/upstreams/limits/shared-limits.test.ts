import { expect, test } from 'vitest';
import {
  createSharedLimits,
  divideLimits,
  type UpstreamLimits,
} from '#lib/ai-proxy/upstreams/limits/shared-limits.ts';
import type { Database } from '#lib/database.ts';
import {
  describeEachDatabase,
  openTestDatabase,
} from '../../../../support/servers/each-database.ts';

test.for([
  [7, [4, 3]],
  [2, [1, 1]],
  [7, [3, 2, 2]],
  [64, [16, 16, 16, 16]],
  // Too small: counted in the database.
  [1, [undefined, undefined]],
  [undefined, [undefined, undefined]],
] as const)('a limit of %s is divided into %s', ([limit, parts]) => {
  const divided = parts.map((_, index) => {
    const limits = { concurrentRequests: limit, requestsPerMinute: limit };
    return divideLimits(limits, { index, count: parts.length });
  });
  expect(divided.map(({ concurrentRequests }) => concurrentRequests)).toEqual(parts);
  expect(divided.map(({ requestsPerMinute }) => requestsPerMinute)).toEqual(parts);
});

const overloaded = { status: 503, code: 'server_is_overloaded' };

describeEachDatabase((createTestDatabase) => {
  /** Two of four workers, each with its own connection. */
  async function openWorkers(limits: UpstreamLimits) {
    const options = await createTestDatabase();
    const databases = [await openTestDatabase(options), await openTestDatabase(options)] as const;
    return databases.map((database) => admitTo(database, limits));
  }

  function admitTo(database: Database, limits: UpstreamLimits, upstream = 'north') {
    const admit = createSharedLimits(upstream, limits, { index: 0, count: 4 }, database);
    if (admit === undefined) throw new Error('They are not shared.');
    return admit;
  }

  const countAdmitted = (results: readonly PromiseSettledResult<unknown>[]) =>
    results.filter(({ status }) => status === 'fulfilled').length;

  test('of calls at once in several workers, as many as the limit run', async () => {
    const admits = await openWorkers({ concurrentRequests: 3 });
    const calls = Array.from({ length: 20 }, (_, index) => admits[index % 2]?.());
    expect(countAdmitted(await Promise.allSettled(calls))).toBe(3);
  });

  test('a call that has ended makes room for one of another worker', async () => {
    const [first, second] = await openWorkers({ concurrentRequests: 1 });
    const end = await first?.();
    await expect(second?.()).rejects.toMatchObject(overloaded);
    end?.();
    await expect
      .poll(() =>
        second?.().then(
          () => 'admitted',
          () => 'rejected',
        ),
      )
      .toBe('admitted');
  });

  test('a limit of calls in a minute holds for those that have ended, too, and says when to try again', async () => {
    const [first, second] = await openWorkers({ requestsPerMinute: 2 });
    const calls = [first, second, first, second, first].map(async (admit) => (await admit?.())?.());
    const results = await Promise.allSettled(calls);
    expect(countAdmitted(results)).toBe(2);
    await expect(second?.()).rejects.toMatchObject({
      ...overloaded,
      headers: { 'Retry-After': expect.stringMatching(/^(5\d|60)$/) },
    });
  });

  test('a call that the minute rejects does not count as running', async () => {
    const [first, second] = await openWorkers({ concurrentRequests: 1, requestsPerMinute: 1 });
    const end = await first?.();
    end?.();
    await expect
      .poll(() => first?.().catch(({ reason }) => reason))
      .toBe('too many calls in a minute');
    await expect(second?.()).rejects.toMatchObject({ reason: 'too many calls in a minute' });
  });

  test('what a killed worker had taken is free once its lease has expired', async () => {
    const { slots } = await openTestDatabase(await createTestDatabase());
    const claim = { upstream: 'north', kind: 'running', limit: 1 } as const;
    const killed = await slots.take({ ...claim, owner: 'killed', now: 1_000, until: 31_000 });
    expect(await slots.take({ ...claim, owner: 'next', now: 30_999, until: 60_999 })).toBe(31_000);
    const taken = await slots.take({ ...claim, owner: 'next', now: 31_000, until: 61_000 });
    expect(taken).toMatchObject({ slot: 0, owner: 'next' });
    // It was only slow.
    if (typeof killed !== 'number') await slots.free(killed);
    expect(await slots.take({ ...claim, owner: 'third', now: 31_001, until: 61_001 })).toBe(61_000);
  });

  test('upstreams do not share their limits', async () => {
    const database = await openTestDatabase(await createTestDatabase());
    await admitTo(database, { concurrentRequests: 1 }, 'north')();
    await expect(admitTo(database, { concurrentRequests: 1 }, 'south')()).resolves.toBeTypeOf(
      'function',
    );
  });
});
