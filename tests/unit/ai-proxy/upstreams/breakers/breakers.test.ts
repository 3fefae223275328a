import { expect, test } from 'vitest';
import { type CallGroup, createBreakers } from '#lib/ai-proxy/upstreams/breakers/breakers.ts';
import type { Failure } from '#lib/ai-proxy/upstreams/errors/failure.ts';
import { createFakeClock } from '../../../../support/fake-clock.ts';
import { createTestLog } from '../../../../support/test-log.ts';

const openMs = 5000;

function makeBreakers() {
  const clock = createFakeClock();
  const log = createTestLog();
  const settings = { failuresMax: 5, openMs, openMsMax: 60_000 };
  const breakers = createBreakers({ ...settings, now: clock.now, log });
  /** One complete call; false if it was rejected. */
  const call = (group: CallGroup, health: Failure['health']) => {
    const admission = breakers.enter(group);
    if (typeof admission === 'number') return false;
    if (health === 'healthy') admission.responded();
    admission.end(health);
    return true;
  };
  const fail = (keyId: string, times: number, circuit = 'm') =>
    Array.from({ length: times }, () => call({ circuit, keyId }, 'failed')).filter(Boolean).length;
  const succeeds = (keyId: string, circuit = 'm') => call({ circuit, keyId }, 'healthy');
  return { breakers, call, fail, succeeds, clock, log };
}

test('a key that fails alone is blocked alone, however often it fails', () => {
  const { fail, succeeds, log } = makeBreakers();

  expect(fail('bad', 100)).toBe(5);

  expect(succeeds('good')).toBe(true);
  expect(succeeds('bad')).toBe(false);
  expect(succeeds('bad', 'another')).toBe(true);
  expect(log.lines).toMatchObject([{ level: 'warn', fields: { keyId: 'bad', openMs } }]);
});

test('failures of two keys in a row block the model for all, and for no other model', () => {
  const { fail, succeeds } = makeBreakers();

  fail('one', 3);
  fail('other', 2);

  expect(succeeds('third')).toBe(false);
  expect(succeeds('third', 'another')).toBe(true);
});

test('one failure of another key is not enough beside those of one key', () => {
  const { fail, succeeds } = makeBreakers();

  fail('bad', 4);
  fail('good', 1);

  expect(succeeds('good')).toBe(true);
});

test('a key that keeps failing while others succeed never counts for them', () => {
  const { fail, succeeds, clock } = makeBreakers();

  for (let round = 0; round < 50; round++) {
    fail('bad', 4);
    expect(succeeds('good')).toBe(true);
    fail('good', 2);
    expect(succeeds('good')).toBe(true);
    clock.move(openMs);
  }
});

test('after the wait a call that succeeds closes it for all', () => {
  const { fail, succeeds, clock } = makeBreakers();
  fail('one', 3);
  fail('other', 3);

  clock.move(openMs);
  expect(succeeds('third')).toBe(true);
  expect(succeeds('one')).toBe(true);
});

test('a failed connection counts for all keys and models', () => {
  const { call } = makeBreakers();

  for (let turn = 0; turn < 5; turn++) call({ circuit: `m${turn}`, keyId: 'one' }, 'unreachable');

  expect(call({ circuit: 'm', keyId: 'other' }, 'healthy')).toBe(false);
});

test('the state of keys is bounded', () => {
  const { breakers, fail } = makeBreakers();

  for (let number = 0; number < 20_000; number++) fail(`key${number}`, 1, `model${number}`);
  expect(fail('late', 6)).toBe(5);

  // The oldest of many are forgotten: they start anew.
  expect(breakers.enter({ circuit: 'model0', keyId: 'key0' })).toBeTypeOf('object');
});
