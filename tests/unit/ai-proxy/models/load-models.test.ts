import { expect, test } from 'vitest';
import { createCachedValue } from '#lib/ai-proxy/models/load-models.ts';
import { createFakeClock } from '../../../support/fake-clock.ts';

function makeCache() {
  const clock = createFakeClock();
  const loads: PromiseWithResolvers<number>[] = [];
  const previous: (number | null)[] = [];
  const cache = createCachedValue<number>({
    load(before) {
      previous.push(before);
      const load = Promise.withResolvers<number>();
      loads.push(load);
      return load.promise;
    },
    now: clock.now,
    freshMs: 1000,
    retryMs: 100,
  });
  return { clock, cache, loads, previous };
}

/** Lets settled promises run their callbacks. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

test('a failure is cached for a while, then retried', async () => {
  const { clock, cache, loads } = makeCache();
  const first = cache.current();
  loads[0]?.reject(new Error('down'));
  await expect(first).rejects.toThrow('down');
  await expect(cache.current()).rejects.toThrow('down');
  expect(loads).toHaveLength(1);
  clock.move(100);
  const again = cache.current();
  loads[1]?.resolve(3);
  expect((await again).value).toBe(3);
});

test('peek returns the cached value at once, and refreshes it in the background', async () => {
  const { clock, cache, loads } = makeCache();
  expect(cache.peek()).toBeNull();
  loads[0]?.resolve(1);
  await turn();
  clock.move(2000);
  expect(cache.peek()?.value).toBe(1);
  expect(cache.peek()?.value).toBe(1);
  expect(loads).toHaveLength(2);
  loads[1]?.resolve(2);
  await turn();
  expect(cache.peek()?.value).toBe(2);
});

test('peek never throws, and retries a failing load only after a pause', async () => {
  const { cache, loads } = makeCache();
  cache.peek();
  loads[0]?.reject(new Error('down'));
  await turn();
  for (let time = 0; time < 10; time++) expect(cache.peek()).toBeNull();
  expect(loads).toHaveLength(1);
});

test('a clock that is set back does not extend the TTL', async () => {
  const { clock, cache, loads } = makeCache();
  const first = cache.current();
  loads[0]?.resolve(1);
  await first;
  clock.move(-86_400_000);
  cache.current().catch(() => {});
  expect(loads).toHaveLength(2);
});
