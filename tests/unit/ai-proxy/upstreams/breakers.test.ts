import { expect, test } from 'vitest';
import { type CallGroup, createBreakers } from '#lib/ai-proxy/upstreams/breakers.ts';
import type { Failure } from '#lib/ai-proxy/upstreams/errors/failure.ts';
import { createFakeClock } from '../../../support/fake-clock.ts';
import { createTestLog } from '../../../support/test-log.ts';

const openMs = 5000;

function makeBreakers() {
  const clock = createFakeClock();
  const log = createTestLog();
  const settings = { failuresMax: 5, openMs, openMsMax: 60_000 };
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

test('an owner that fails alone is blocked alone, however often it fails', () => {
  const { fail, succeeds, log } = makeBreakers();

  expect(fail('bad', 100)).toBe(5);

  expect(succeeds('good')).toBe(true);
  expect(succeeds('bad')).toBe(false);
  expect(succeeds('bad', 'another')).toBe(true);
  expect(log.lines).toMatchObject([{ level: 'warn', fields: { owner: 'bad', openMs } }]);
});

test('failures of two owners in a row block the model for all, and for no other model', () => {
  const { fail, succeeds } = makeBreakers();

  fail('one', 3);
  fail('other', 2);

  expect(succeeds('third')).toBe(false);
  expect(succeeds('third', 'another')).toBe(true);
});

test('one failure of another owner is not enough beside those of one owner', () => {
  const { fail, succeeds } = makeBreakers();

  fail('bad', 4);
  fail('good', 1);

  expect(succeeds('good')).toBe(true);
});

test('an owner that keeps failing while others succeed never counts for them', () => {
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

test('a failed connection counts for everybody and all models', () => {
  const { call } = makeBreakers();

  for (let turn = 0; turn < 5; turn++) call({ circuit: `m${turn}`, owner: 'one' }, 'unreachable');

  expect(call({ circuit: 'm', owner: 'other' }, 'healthy')).toBe(false);
});

test('the state of owners is bounded', () => {
  const { breakers, fail } = makeBreakers();

  for (let number = 0; number < 20_000; number++) fail(`key${number}`, 1, `model${number}`);
  expect(fail('late', 6)).toBe(5);

  // The oldest of many are forgotten: they start anew.
  expect(breakers.enter({ circuit: 'model0', owner: 'key0' })).toBeTypeOf('object');
});

test('what a client has chosen itself counts for nobody else', () => {
  const { call, succeeds } = makeBreakers();

  for (const owner of ['one', 'two', 'three']) {
    for (let turn = 0; turn < 5; turn++) {
      call({ circuit: 'm', owner, isOwnChoice: true }, 'failed');
    }
    expect(succeeds(owner)).toBe(false);
  }

  expect(succeeds('another')).toBe(true);
});

test('names that a client makes up do not push out a breaker that is open', () => {
  const { call, fail, succeeds } = makeBreakers();
  fail('one', 3);
  fail('other', 3);

  for (let number = 0; number < 3000; number++) {
    call({ circuit: `made up ${number}`, owner: 'hostile', isOwnChoice: true }, 'failed');
  }

  expect(succeeds('third')).toBe(false);
});

test('an owner whose requests always fail cannot keep a healthy model blocked by its probes', () => {
  const { fail, succeeds, clock } = makeBreakers();
  fail('one', 3);
  fail('other', 2);

  clock.move(openMs);
  expect(fail('one', 1)).toBe(1);

  expect(succeeds('third')).toBe(true);
  expect(succeeds('third')).toBe(true);
});

test('failed probes of two owners block a model for longer', () => {
  const { fail, succeeds, clock } = makeBreakers();
  fail('one', 3);
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
  const group = { circuit: 'GET /models' };

  for (let turn = 0; turn < 5; turn++) expect(call(group, 'failed')).toBe(true);

  expect(call(group, 'healthy')).toBe(false);
});

test('clients are told to wait for half a minute at most, also where it stays open for longer', () => {
  const { breakers, call, clock } = makeBreakers();
  const group = { circuit: 'm' };
  for (let turn = 0; turn < 5; turn++) call(group, 'failed');
  for (let turn = 0; turn < 6; turn++) {
    clock.move(60_000);
    call(group, 'failed');
  }

  expect(breakers.enter(group)).toBe(30_000);
  clock.move(50_000);
  expect(breakers.enter(group)).toBe(10_000);
});
