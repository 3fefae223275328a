import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { TimeoutError, withTimeout } from '#lib/http/with-timeout.ts';

test('work that takes too long is a TimeoutError, and may fail later unnoticed', async () => {
  const { promise, reject } = Promise.withResolvers<never>();
  const late = withTimeout(promise, 20);
  await expect(late).rejects.toThrow(TimeoutError);
  await expect(late).rejects.toMatchObject({ code: 'ETIMEDOUT' });
  // An unhandled rejection would fail the run.
  reject(new Error('too late'));
});

test('a result, or an error, in time is passed on', async () => {
  expect(await withTimeout(Promise.resolve(1), 1000)).toBe(1);
  await expect(withTimeout(Promise.reject(new RangeError()), 1000)).rejects.toThrow(RangeError);
});

test('the time in which this process is busy itself is not counted as that of the work', async () => {
  // Three turns of the event loop, as a query needs that connects first.
  const work = nextTurn()
    .then(() => nextTurn())
    .then(() => nextTurn('done'));
  const result = withTimeout(work, 200);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 250);
  expect(await result).toBe('done');
});
