import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { createClientShares } from '#lib/http/client-shares.ts';
import { createFairFlight } from '#lib/http/fair-flight.ts';
import { createFairQueue } from '#lib/http/fair-queue.ts';
import { requestFrom } from '../../support/clients/request-from.ts';

const [hostile, visitor] = ['198.51.100.1', '203.0.113.1'];

function setUp(waitingMax?: number) {
  const queue = createFairQueue({
    concurrency: 1,
    shares: createClientShares({ trustedHops: 0 }),
    ...(waitingMax !== undefined && { waitingMax }),
  });
  return createFairFlight<string>(queue);
}

/** Work that lasts until it is told to end. */
function startLongWork(flights: ReturnType<typeof setUp>) {
  const { promise, resolve } = Promise.withResolvers<string>();
  const done = flights.run('long', { request: requestFrom('192.0.2.1') }, () => promise);
  return async () => {
    resolve('long');
    await done;
  };
}

test('requests for the same key share one run', async () => {
  const flights = setUp();
  const work = vi.fn(async () => 'page');

  const all = Array.from({ length: 20 }, () =>
    flights.run('a', { request: requestFrom(visitor) }, work),
  );

  expect(new Set(await Promise.all(all))).toEqual(new Set(['page']));
  expect(work).toHaveBeenCalledTimes(1);
});

test('a visitor does not wait in the line of the client that asked for the same first', async () => {
  const flights = setUp();
  const endLongWork = startLongWork(flights);
  const order: string[] = [];
  const run = (address: string, key: string) =>
    flights.run(key, { request: requestFrom(address) }, () => {
      order.push(key);
      return key;
    });
  const all = ['a', 'b', 'c', 'popular'].map((key) => run(hostile, key));

  const visit = run(visitor, 'popular');
  await endLongWork();

  expect(await visit).toBe('popular');
  expect(order).toEqual(['a', 'popular']);
  expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'popular']);
  expect(order).toEqual(['a', 'popular', 'b', 'c']);
});

test('many may wait for the same page while the queue is full', async () => {
  const flights = setUp(1);
  const endLongWork = startLongWork(flights);
  const run = (key: string) =>
    flights.run(key, { request: requestFrom(visitor), mayBeRejected: true }, () => key);

  const same = Array.from({ length: 20 }, () => run('a'));

  await expect(run('b')).rejects.toMatchObject({ status: 503, outcome: 'queue-full' });
  await endLongWork();
  expect(new Set(await Promise.all(same))).toEqual(new Set(['a']));
});

test('the work is done for those that wait, though the first of them has left', async () => {
  const flights = setUp();
  const endLongWork = startLongWork(flights);
  const leaving = new AbortController();
  const work = vi.fn(() => 'page');
  const first = flights.run('a', { request: requestFrom(hostile, leaving.signal) }, work);
  const second = flights.run('a', { request: requestFrom(visitor) }, work);

  leaving.abort();

  await expect(first).rejects.toMatchObject({ outcome: 'disconnected' });
  await endLongWork();
  expect(await second).toBe('page');
  expect(work).toHaveBeenCalledTimes(1);
});

test('work that everybody has left is not done, and the next request starts anew', async () => {
  const flights = setUp();
  const endLongWork = startLongWork(flights);
  const leaving = new AbortController();
  const work = vi.fn(() => 'page');
  const left = flights.run('a', { request: requestFrom(hostile, leaving.signal) }, work);

  leaving.abort();
  await expect(left).rejects.toMatchObject({ outcome: 'disconnected' });
  await endLongWork();
  await nextTurn();

  expect(work).not.toHaveBeenCalled();
  expect(await flights.run('a', { request: requestFrom(visitor) }, work)).toBe('page');
});

test('an error goes to all that wait, and is not remembered', async () => {
  const flights = setUp();
  const work = vi.fn().mockRejectedValueOnce(new Error('broken')).mockResolvedValue('page');
  const run = () => flights.run('a', { request: requestFrom(visitor) }, work);

  const results = await Promise.allSettled([run(), run()]);

  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await run()).toBe('page');
});
