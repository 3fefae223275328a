import { expect, test } from 'vitest';
import { withTimeout } from '#lib/http/with-timeout.ts';

test('work that finishes in time gives its result, or its own error', async () => {
  expect(await withTimeout(Promise.resolve('done'), 1_000)).toBe('done');
  const failed = Promise.reject(new Error('its own'));
  await expect(withTimeout(failed, 1_000)).rejects.toThrow('its own');
});

test('work that takes too long gives a TimeoutError, and may fail later unnoticed', async () => {
  const { promise, reject } = Promise.withResolvers<never>();
  await expect(withTimeout(promise, 1)).rejects.toMatchObject({
    name: 'TimeoutError',
    code: 'ETIMEDOUT',
  });
  // An unhandled rejection would fail the run.
  reject(new Error('too late'));
});
