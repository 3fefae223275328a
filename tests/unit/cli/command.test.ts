import { expect, test } from 'vitest';
import { callCommand } from '../../support/programs/call-command.ts';

function fail(error: unknown) {
  return callCommand(() => Promise.reject(error), [], {});
}

test('an expected error is its message, and the exit code is 1', async () => {
  const outcome = { code: 1, out: '', error: 'Say what to change.\n' };
  expect(await fail(new Error('Say what to change.'))).toEqual(outcome);
  // Node's own errors about what it was given.
  const ofNode = Object.assign(new TypeError('Say what to change.'), { code: 'ERR_INVALID_URL' });
  expect(await fail(ofNode)).toEqual(outcome);
  expect(await fail('Say what to change.')).toEqual(outcome);
});

test('an error in the code is its stack', async () => {
  const { code, error } = await fail(new TypeError('keys is not a function'));
  expect(code).toBe(1);
  expect(error).toMatch(/^TypeError: keys is not a function\n +at .*command\.test\.ts/);
});
