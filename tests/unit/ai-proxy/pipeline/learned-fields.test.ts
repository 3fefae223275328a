import { expect, test } from 'vitest';
import { createLearnedFields, type LearnedFields } from '#lib/ai-proxy/pipeline/learned-fields.ts';
import type { Target } from '#lib/ai-proxy/upstreams/select-targets.ts';
import { HttpError } from '#lib/http/errors/errors.ts';
import { createTestLog } from '../../../support/test-log.ts';

const toTarget = (fields: Partial<Target> = {}) =>
  ({ name: 'north', model: 'm', accepts: null, ...fields }) as Target;
const rejecting = (...names: string[]) =>
  new HttpError(400, {
    message: 'x',
    rejectedFields: names.map((name) => ({ name, values: [] })),
  });
const rejectingEffort = (...values: string[]) =>
  new HttpError(400, { message: 'x', rejectedFields: [{ name: 'reasoning_effort', values }] });

const toTried = (limits: ReturnType<LearnedFields['limitsFor']>) =>
  ({ limits, added: 'all' }) as const;

test('a rejected field is left out for that upstream and model, for an hour', () => {
  let timeMs = 1_760_000_000_000;
  const fields = createLearnedFields({ now: () => timeMs, log: createTestLog() });
  const target = toTarget();
  const before = fields.limitsFor(target);

  expect(fields.learn(target, toTried(before), rejecting('user'))).toEqual(
    new Map([...before, ['user', []]]),
  );

  timeMs += 3_599_000;
  expect([...fields.limitsFor(target).keys()]).toContain('user');
  expect([...fields.limitsFor(toTarget({ model: 'other' })).keys()]).not.toContain('user');
  expect([...fields.limitsFor(toTarget({ name: 'south' })).keys()]).not.toContain('user');
  timeMs += 2000;
  expect(fields.limitsFor(target)).toEqual(before);
});

test('nothing but an optional field is learned, and none twice by a request', () => {
  const fields = createLearnedFields({ now: Date.now, log: createTestLog() });
  const target = toTarget();
  const before = fields.limitsFor(target);

  expect(fields.learn(target, toTried(before), rejecting('messages', 'tools'))).toBeNull();
  expect(fields.learn(target, toTried(before), rejecting())).toBeNull();
  const next = fields.learn(target, toTried(before), rejecting('user'));
  expect(fields.learn(target, toTried(next ?? before), rejecting('user'))).toBeNull();
});

test('a request that ran meanwhile is repeated too, with all that it was told', () => {
  const fields = createLearnedFields({ now: Date.now, log: createTestLog() });
  const target = toTarget();
  const before = fields.limitsFor(target);
  fields.learn(target, toTried(before), rejecting('user'));

  const next = fields.learn(target, toTried(before), rejecting('user', 'verbosity'));
  expect(next?.get('verbosity')).toEqual([]);
  expect(fields.limitsFor(target)).toEqual(new Map([...before, ['user', []], ['verbosity', []]]));
});

test('what a client has sent itself is not left out', () => {
  const fields = createLearnedFields({ now: Date.now, log: createTestLog() });
  const target = toTarget();
  const limits = fields.limitsFor(target);

  const tried = { limits, added: ['stream_options'] } as const;
  expect(fields.learn(target, tried, rejecting('reasoning_effort'))).toBeNull();
  expect(fields.learn(target, { limits, added: [] }, rejecting('stream_options'))).toBeNull();
  expect(fields.learn(target, tried, rejecting('stream_options'))?.get('stream_options')).toEqual(
    [],
  );
});

test('of a field whose values are limited, these are learned; none, if one of them is rejected, too', () => {
  const fields = createLearnedFields({ now: Date.now, log: createTestLog() });
  const target = toTarget();
  const before = fields.limitsFor(target);

  const limited = fields.learn(target, toTried(before), rejectingEffort('low', 'high'));
  expect(limited?.get('reasoning_effort')).toEqual(['low', 'high']);
  const leftOut = fields.learn(target, toTried(limited ?? before), rejectingEffort('low', 'high'));
  expect(leftOut?.get('reasoning_effort')).toEqual([]);
  expect(fields.learn(target, toTried(leftOut ?? before), rejectingEffort('low'))).toBeNull();
});
