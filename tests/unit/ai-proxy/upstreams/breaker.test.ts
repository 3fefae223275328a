import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Admission, createBreakers } from '#lib/ai-proxy/upstreams/breakers.ts';
import { createFakeClock } from '../../../support/fake-clock.ts';
import { createTestLog } from '../../../support/test-log.ts';
import {
  chatWith,
  makeCall,
  startModelUpstream,
} from '../../../support/upstreams/model-upstream.ts';

const outcomes = ['healthy', 'failed', 'unknown'] as const;
type Outcome = (typeof outcomes)[number];

function makeBreaker() {
  const clock = createFakeClock();
  const log = createTestLog();
  const settings = { failuresMax: 3, openMs: 1000, openMsMax: 4000 };
  const breakers = createBreakers({ ...settings, uptime: clock.now, log });
  const enter = () => breakers.enter({ circuit: 'm', owner: null });
  const mustEnter = () => {
    const admission = enter();
    if (typeof admission === 'number') throw new Error('It is open.');
    return admission;
  };
  /** One complete call; returns the wait if it was rejected. */
  const call = (outcome: Outcome) => {
    const admission = enter();
    if (typeof admission === 'number') return admission;
    if (outcome === 'healthy') admission.responded();
    admission.end(outcome);
    return 'admitted';
  };
  const changes = () => log.lines.map(({ fields }) => ('openMs' in fields ? fields.openMs : null));
  return { enter, mustEnter, call, clock, changes };
}

test('consecutive failures open it, with the remaining time as the wait', () => {
  const { call, clock } = makeBreaker();
  expect([1, 2, 3].map(() => call('failed'))).toEqual(['admitted', 'admitted', 'admitted']);
  expect(call('healthy')).toBe(1000);
  clock.move(400);
  expect(call('healthy')).toBe(600);
});

test('a success resets the count of failures, a disconnect does not', () => {
  const { call } = makeBreaker();
  for (const outcome of ['failed', 'failed', 'healthy', 'failed', 'failed'] as const) call(outcome);
  expect(call('unknown')).toBe('admitted');
  expect(call('failed')).toBe('admitted');
  expect(call('failed')).toBeGreaterThan(0);
});

test('a response that starts well and then fails is a failure', () => {
  const { enter, mustEnter } = makeBreaker();
  for (let turn = 0; turn < 3; turn++) {
    const admission = mustEnter();
    admission.responded();
    admission.end('failed');
  }
  expect(enter()).toBe(1000);
});

test('one probe at a time; its response headers close the breaker before the call ends', () => {
  const { enter, mustEnter, call, clock, changes } = makeBreaker();
  for (let turn = 0; turn < 3; turn++) call('failed');
  clock.move(1000);
  const probe = mustEnter();
  expect(enter()).toBe(1000);
  probe.responded();
  expect(call('healthy')).toBe('admitted');
  expect(changes()).toEqual([1000, null]);
});

test('each failed probe doubles the time, up to a maximum', () => {
  const { call, clock, changes } = makeBreaker();
  for (let turn = 0; turn < 3; turn++) call('failed');
  for (const openMs of [1000, 2000, 4000, 4000]) {
    clock.move(openMs - 1);
    expect(call('failed')).toBe(1);
    clock.move(1);
    expect(call('failed')).toBe('admitted');
  }
  expect(changes()).toEqual([1000, 2000, 4000, 4000, 4000]);
});

test('a probe whose client disconnects lets the next one through', () => {
  const { call, clock, changes } = makeBreaker();
  for (let turn = 0; turn < 3; turn++) call('failed');
  clock.move(1000);
  expect(call('unknown')).toBe('admitted');
  expect(changes()).toEqual([1000]);
  expect(call('healthy')).toBe('admitted');
  expect(changes()).toEqual([1000, null]);
});

test('calls from before it opened change nothing, however they end', () => {
  const { enter, mustEnter, call, clock } = makeBreaker();
  const admissions = [mustEnter(), mustEnter(), mustEnter()];
  for (let turn = 0; turn < 3; turn++) call('failed');
  for (const [index, admission] of admissions.entries()) {
    admission.end(outcomes[index] ?? 'healthy');
  }
  clock.move(999);
  expect(enter()).toBe(1);
});

test('it is never open for longer than the maximum after the last failure', () => {
  const step = fc.oneof(
    fc.constantFrom('enter' as const, 'responded' as const),
    fc.constantFrom<Outcome>(...outcomes),
    fc.nat(3000),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const { enter, clock } = makeBreaker();
      const open: Admission[] = [];
      for (const step of steps) {
        if (typeof step === 'number') clock.move(step);
        else if (step === 'enter') {
          const admission = enter();
          if (typeof admission !== 'number') open.push(admission);
        } else if (step === 'responded') {
          open[0]?.responded();
        } else {
          open.shift()?.end(step);
        }
      }
      for (const admission of open) admission.end('unknown');
      clock.move(4000);
      expect(enter()).toBeTypeOf('object');
    }),
  );
});

const opensAtThree = { failuresMax: 3, openMs: 60_000, openMsMax: 60_000 };

test('a failing upstream gets no requests: 503 at once, which says when to try again', async () => {
  const clock = createFakeClock();
  await using fixture = await startModelUpstream({}, { breaker: opensAtThree, uptime: clock.now });
  for (const name of ['500', 'cut', 'html']) {
    await makeCall(fixture.upstream, chatWith(`fault/${name}`, true));
  }
  const { error } = await makeCall(fixture.upstream, chatWith('lantern-demo/wick-3', true));
  expect(error).toMatchObject({
    status: 503,
    code: 'server_is_overloaded',
    message: expect.stringContaining('try it again in 30 s'),
    // Codex repeats an error with a Retry-After thirty times, other agents one without Retry-After-Ms for minutes.
    headers: { 'x-should-retry': 'false', 'Retry-After-Ms': '500' },
  });
  expect(fixture.models.stats().requests).toBe(3);
  clock.move(60_000);
  expect(
    (await makeCall(fixture.upstream, chatWith('lantern-demo/wick-3', true))).error,
  ).toBeNull();
  expect(fixture.log.lines.map(({ level }) => level)).toEqual(['warn', 'info']);
});

test('client errors, account errors and disconnects never open it', async () => {
  await using fixture = await startModelUpstream({}, { breaker: opensAtThree });
  for (const name of ['400', '400-key', '401', '402', '403', '404', '413', '422', '429']) {
    for (let turn = 0; turn < 3; turn++) {
      await makeCall(fixture.upstream, chatWith(`fault/${name}`, true));
    }
  }
  for (let turn = 0; turn < 5; turn++) {
    const requests = fixture.models.stats().requests;
    const call = fixture.upstream.call(chatWith('fault/hang', true));
    await expect.poll(() => fixture.models.stats().requests).toBe(requests + 1);
    call.close();
  }
  expect(
    (await makeCall(fixture.upstream, chatWith('lantern-demo/wick-3', true))).error,
  ).toBeNull();
});

test('an unreachable upstream opens the breaker for all models', async () => {
  await using fixture = await startModelUpstream({}, { breaker: opensAtThree });
  await fixture.models.close();
  const statusOf = async (circuit: string) => {
    const request = { ...chatWith('x', true), group: { circuit, owner: null } };
    return (await makeCall(fixture.upstream, request)).error?.status;
  };
  expect([await statusOf('a'), await statusOf('b'), await statusOf('c')]).toEqual([502, 502, 502]);
  expect(await statusOf('d')).toBe(503);
});
