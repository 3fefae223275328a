import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  createBreaker,
  type Outcome,
  type Pass,
} from '#lib/ai-proxy/upstreams/breakers/breaker.ts';
import { createFakeClock } from '../../../../support/fake-clock.ts';
import {
  chatWith,
  makeCall,
  startModelUpstream,
} from '../../../../support/upstreams/model-upstream.ts';

function makeBreaker() {
  const clock = createFakeClock();
  const changes: (number | null)[] = [];
  const breaker = createBreaker({
    now: clock.now,
    ...{ failuresMax: 3, openMs: 1000, openMsMax: 4000 },
    onChange: (openMs) => changes.push(openMs),
  });
  /** One complete call; returns the wait if it was rejected. */
  const call = (outcome: Outcome) => {
    const pass = breaker.enter();
    if (typeof pass === 'number') return pass;
    if (outcome === 'healthy') breaker.responded(pass);
    breaker.end(pass, outcome);
    return pass;
  };
  return { breaker, call, clock, changes };
}

test('consecutive failures open it, with the remaining time as the wait', () => {
  const { call, clock } = makeBreaker();
  expect([call('failed'), call('failed'), call('failed')]).toEqual(['closed', 'closed', 'closed']);
  expect(call('healthy')).toBe(1000);
  clock.move(400);
  expect(call('healthy')).toBe(600);
});

test('a success resets the count of failures, a disconnect does not', () => {
  const { call } = makeBreaker();
  for (const outcome of ['failed', 'failed', 'healthy', 'failed', 'failed'] as const) call(outcome);
  expect(call('unknown')).toBe('closed');
  expect(call('failed')).toBe('closed');
  expect(call('failed')).toBeGreaterThan(0);
});

test('a response that starts well and then fails is a failure', () => {
  const { breaker } = makeBreaker();
  for (let turn = 0; turn < 3; turn++) {
    const pass = breaker.enter();
    if (typeof pass === 'number') throw new Error('open too soon');
    breaker.responded(pass);
    breaker.end(pass, 'failed');
  }
  expect(breaker.enter()).toBe(1000);
});

test('one probe at a time; its response headers close the breaker before the call ends', () => {
  const { breaker, call, clock, changes } = makeBreaker();
  for (let turn = 0; turn < 3; turn++) call('failed');
  clock.move(1000);
  const probe = breaker.enter();
  expect(probe).toBe('probe');
  expect(breaker.enter()).toBe(1000);
  if (typeof probe !== 'number') breaker.responded(probe);
  expect(call('healthy')).toBe('closed');
  expect(changes).toEqual([1000, null]);
});

test('each failed probe doubles the time, up to a maximum', () => {
  const { call, clock, changes } = makeBreaker();
  for (let turn = 0; turn < 3; turn++) call('failed');
  for (const openMs of [1000, 2000, 4000, 4000]) {
    clock.move(openMs - 1);
    expect(call('failed')).toBe(1);
    clock.move(1);
    expect(call('failed')).toBe('probe');
  }
  expect(changes).toEqual([1000, 2000, 4000, 4000, 4000]);
});

test('a probe whose client disconnects lets the next one through', () => {
  const { call, clock } = makeBreaker();
  for (let turn = 0; turn < 3; turn++) call('failed');
  clock.move(1000);
  expect(call('unknown')).toBe('probe');
  expect(call('healthy')).toBe('probe');
  expect(call('healthy')).toBe('closed');
});

test('calls from before it opened change nothing, however they end', () => {
  const { breaker, call, clock } = makeBreaker();
  const passes = [breaker.enter(), breaker.enter(), breaker.enter()];
  for (let turn = 0; turn < 3; turn++) call('failed');
  const outcomes = ['failed', 'healthy', 'unknown'] as const;
  for (const [index, pass] of passes.entries()) {
    if (typeof pass !== 'number') breaker.end(pass, outcomes[index] ?? 'healthy');
  }
  clock.move(999);
  expect(breaker.enter()).toBe(1);
});

test('a clock that is set back does not keep it open longer', () => {
  const { breaker, call, clock } = makeBreaker();
  for (let turn = 0; turn < 3; turn++) call('failed');
  clock.move(-3_600_000);
  expect(breaker.enter()).toBe('probe');
});

test('it is never open for longer than the maximum after the last failure', () => {
  const step = fc.oneof(
    fc.constantFrom('enter' as const, 'responded' as const),
    fc.constantFrom<Outcome>('healthy', 'failed', 'unknown'),
    fc.nat(3000),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const { breaker, clock } = makeBreaker();
      const open: Pass[] = [];
      for (const one of steps) {
        if (typeof one === 'number') clock.move(one);
        else if (one === 'enter') {
          const pass = breaker.enter();
          if (typeof pass !== 'number') open.push(pass);
        } else if (one === 'responded') {
          if (open[0]) breaker.responded(open[0]);
        } else {
          const pass = open.shift();
          if (pass) breaker.end(pass, one);
        }
      }
      for (const pass of open) breaker.end(pass, 'unknown');
      clock.move(4000);
      expect(breaker.enter()).toBeTypeOf('string');
    }),
  );
});

const opensAtThree = { failuresMax: 3, openMs: 60_000, openMsMax: 60_000 };

test('a failing upstream gets no requests: 503 at once, with Retry-After', async () => {
  const clock = createFakeClock();
  await using fixture = await startModelUpstream({}, { breaker: opensAtThree, now: clock.now });
  for (const name of ['500', 'cut', 'html']) {
    await makeCall(fixture.upstream, chatWith(`fault/${name}`, true));
  }
  const { error } = await makeCall(fixture.upstream, chatWith('lantern-demo/wick-3', true));
  expect(error).toMatchObject({
    status: 503,
    code: 'server_is_overloaded',
    headers: { 'Retry-After': '60' },
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
    await makeCall(fixture.upstream, chatWith('fault/hang', true), {
      timeoutMs: 50,
      onStart: (call) => setTimeout(() => call.abort(), 30),
    });
    expect(fixture.models.stats().requests).toBe(requests + 1);
  }
  expect(
    (await makeCall(fixture.upstream, chatWith('lantern-demo/wick-3', true))).error,
  ).toBeNull();
});

test('a failing model opens only its own breaker', async () => {
  await using fixture = await startModelUpstream({}, { breaker: opensAtThree });
  const statusOf = async (model: string) =>
    (await makeCall(fixture.upstream, { ...chatWith(model, true), group: { circuit: model } }))
      .error?.status;
  for (let turn = 0; turn < 3; turn++) expect(await statusOf('fault/500')).toBe(502);
  expect(await statusOf('fault/500')).toBe(503);
  expect(await statusOf('lantern-demo/wick-3')).toBeUndefined();
  expect(fixture.models.stats().requests).toBe(4);
});

test('an unreachable upstream opens the breaker for all models', async () => {
  await using fixture = await startModelUpstream({}, { breaker: opensAtThree });
  await fixture.models.close();
  const statusOf = async (circuit: string) =>
    (await makeCall(fixture.upstream, { ...chatWith('x', true), group: { circuit } })).error
      ?.status;
  expect([await statusOf('a'), await statusOf('b'), await statusOf('c')]).toEqual([502, 502, 502]);
  expect(await statusOf('d')).toBe(503);
});
