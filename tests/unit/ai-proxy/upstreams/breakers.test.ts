import { expect, test } from 'vitest';
import { type CallGroup, createBreakers } from '#lib/ai-proxy/upstreams/breakers.ts';
import type { Failure } from '#lib/ai-proxy/upstreams/errors/upstream-failure.ts';
import { createFakeClock } from '../../../support/fake-clock.ts';
import { createTestLog } from '../../../support/test-log.ts';

const openMs = 5000;

function makeBreakers() {
  const clock = createFakeClock();
  const log = createTestLog();
  const settings = { failuresMax: 3, openMs, openMsMax: 60_000 };
  const breakers = createBreakers({ ...settings, uptime: clock.now, log });
  /** One complete call; false if it was rejected. */
  const call = (group: CallGroup, health: Failure['health']) => {
    const admission = breakers.enter(group);
    if (typeof admission === 'number') return false;
    if (health === 'healthy') admission.responded();
    admission.end(health);
    return true;
  };
  const fail = (owner: string, times: number, circuit = 'm') =>
    Array.from({ length: times }, () => call({ circuit, owner }, 'failed')).filter(Boolean).length;
  const succeeds = (owner: string, circuit = 'm') => call({ circuit, owner }, 'healthy');
  return { breakers, call, fail, succeeds, clock, log };
}

test('while others use a model, one owner cannot block it, however often it fails', () => {
  const { fail, succeeds, clock, log } = makeBreakers();

  for (let round = 0; round < 20; round++) {
    expect(succeeds('good')).toBe(true);
    expect(fail('bad', 100)).toBe(100);
    clock.move(openMs);
  }

  expect(log.lines).toEqual([]);
});

test('an owner that is alone with a model blocks it for itself, and for nobody who comes later', () => {
  const { fail, succeeds, clock } = makeBreakers();
  succeeds('other');
  clock.move(60_000);

  expect(fail('only', 100)).toBe(3);
  expect(succeeds('only', 'another')).toBe(true);
  expect(succeeds('later')).toBe(true);
});

test('what one owner has blocked for itself is blocked for all once another fails, too', () => {
  const { fail, succeeds } = makeBreakers();
  fail('one', 3);

  expect(fail('other', 1)).toBe(1);
  expect([succeeds('one'), succeeds('other'), succeeds('third')]).toEqual([false, false, false]);
});

test('an owner that was alone cannot keep a model blocked once others use it', () => {
  const { fail, succeeds, clock } = makeBreakers();
  fail('bad', 3);

  clock.move(openMs);
  expect(fail('bad', 1)).toBe(1);
  for (let turn = 0; turn < 5; turn++) expect(succeeds('good')).toBe(true);
});

test('failures of two owners in a row block the model for all, and for no other model', () => {
  const { fail, succeeds, log } = makeBreakers();

  fail('one', 2);
  fail('other', 1);

  expect(succeeds('third')).toBe(false);
  expect(succeeds('third', 'another')).toBe(true);
  expect(log.lines).toMatchObject([{ level: 'warn', fields: { circuit: 'm', openMs } }]);
});

test('a success of anybody begins the row anew', () => {
  const { fail, succeeds } = makeBreakers();

  for (let round = 0; round < 50; round++) {
    expect(fail('one', 1) + fail('other', 1)).toBe(2);
    expect(succeeds('third')).toBe(true);
  }
});

test('after the wait a call that succeeds closes it for all', () => {
  const { fail, succeeds, clock } = makeBreakers();
  fail('one', 2);
  fail('other', 2);

  clock.move(openMs);
  expect(succeeds('third')).toBe(true);
  expect(succeeds('one')).toBe(true);
});

test('a failed connection counts for everybody and all models', () => {
  const { call } = makeBreakers();

  for (let turn = 0; turn < 3; turn++) call({ circuit: `m${turn}`, owner: 'one' }, 'unreachable');

  expect(call({ circuit: 'm', owner: 'other' }, 'healthy')).toBe(false);
  expect(call({ circuit: null, owner: 'other' }, 'healthy')).toBe(false);
});

test('the state of models is bounded', () => {
  const { breakers, fail } = makeBreakers();
  fail('one', 3, 'model0');

  for (let number = 1; number < 20_000; number++) fail('one', 1, `model${number}`);

  // The oldest of many are forgotten: they start anew.
  expect(breakers.enter({ circuit: 'model0', owner: 'one' })).toBeTypeOf('object');
});

test('what a client has chosen itself counts for no model', () => {
  const { breakers, call } = makeBreakers();

  for (const owner of ['one', 'two', 'three']) {
    for (let turn = 0; turn < 5; turn++) {
      expect(call({ circuit: null, owner }, 'failed')).toBe(true);
    }
  }

  expect(breakers.blocked()).toEqual({ breaker: 'closed', circuits: [] });
});

test('failed probes of two owners block a model for longer', () => {
  const { fail, succeeds, clock } = makeBreakers();
  fail('one', 2);
  fail('other', 2);

  clock.move(openMs);
  expect(fail('one', 1) + fail('other', 1)).toBe(2);
  clock.move(2 * openMs - 1);
  expect(succeeds('third')).toBe(false);
  clock.move(1);
  expect(succeeds('third')).toBe(true);
});

test('lists have no owner: their failures alone block their circuit', () => {
  const { call } = makeBreakers();
  const group = { circuit: 'GET /models', owner: null };

  for (let turn = 0; turn < 3; turn++) expect(call(group, 'failed')).toBe(true);

  expect(call(group, 'healthy')).toBe(false);
});

test('clients are told to wait for half a minute at most, also where it stays open for longer', () => {
  const { breakers, call, clock } = makeBreakers();
  const group = { circuit: 'm', owner: null };
  for (let turn = 0; turn < 3; turn++) call(group, 'failed');
  for (let turn = 0; turn < 6; turn++) {
    clock.move(60_000);
    call(group, 'failed');
  }

  expect(breakers.enter(group)).toBe(30_000);
  clock.move(50_000);
  expect(breakers.enter(group)).toBe(10_000);
});
