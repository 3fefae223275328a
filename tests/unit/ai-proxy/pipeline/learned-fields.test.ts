import { expect, test } from 'vitest';
import { createLearnedFields, type LearnedFields } from '#lib/ai-proxy/pipeline/learned-fields.ts';
import type { Target } from '#lib/ai-proxy/upstreams/select-targets.ts';
import { HttpError } from '#lib/http/errors/errors.ts';
import { createTestLog } from '../../../support/test-log.ts';

const toTarget = (fields: Partial<Target> = {}) =>
  ({ name: 'north', model: 'm', accepts: null, ...fields }) as Target;
const rejecting = (...rejectedFields: string[]) =>
  new HttpError(400, { message: 'x', rejectedFields });

const toTried = (leftOut: ReturnType<LearnedFields['leftOutFor']>) =>
  ({ leftOut, added: 'all' }) as const;

test('a rejected field is left out for that upstream and model, for an hour', () => {
  let timeMs = 1_760_000_000_000;
  const fields = createLearnedFields({ now: () => timeMs, log: createTestLog() });
  const target = toTarget();
  const before = fields.leftOutFor(target);

  expect(fields.learn(target, toTried(before), rejecting('user'))).toEqual(
    new Set([...before, 'user']),
  );

  timeMs += 3_599_000;
  expect(fields.leftOutFor(target)).toContain('user');
  expect(fields.leftOutFor(toTarget({ model: 'other' }))).not.toContain('user');
  expect(fields.leftOutFor(toTarget({ name: 'south' }))).not.toContain('user');
  timeMs += 2000;
  expect(fields.leftOutFor(target)).toEqual(before);
});

test('nothing but an optional field is learned, and none twice by a request', () => {
  const fields = createLearnedFields({ now: Date.now, log: createTestLog() });
  const target = toTarget();
  const before = fields.leftOutFor(target);

  expect(fields.learn(target, toTried(before), rejecting('messages', 'tools'))).toBeNull();
  expect(fields.learn(target, toTried(before), rejecting())).toBeNull();
  const next = fields.learn(target, toTried(before), rejecting('user'));
  expect(fields.learn(target, toTried(next ?? before), rejecting('user'))).toBeNull();
});

test('a request that ran meanwhile is repeated too, with all that it was told', () => {
  const fields = createLearnedFields({ now: Date.now, log: createTestLog() });
  const target = toTarget();
  const before = fields.leftOutFor(target);
  fields.learn(target, toTried(before), rejecting('user'));

  expect(fields.learn(target, toTried(before), rejecting('user', 'verbosity'))).toContain(
    'verbosity',
  );
  expect(fields.leftOutFor(target)).toEqual(new Set([...before, 'user', 'verbosity']));
});

test('what a client has sent itself is not left out', () => {
  const fields = createLearnedFields({ now: Date.now, log: createTestLog() });
  const target = toTarget();
  const leftOut = fields.leftOutFor(target);

  const tried = { leftOut, added: ['stream_options'] } as const;
  expect(fields.learn(target, tried, rejecting('reasoning_effort'))).toBeNull();
  expect(fields.learn(target, { leftOut, added: [] }, rejecting('stream_options'))).toBeNull();
  expect(fields.learn(target, tried, rejecting('stream_options'))).toContain('stream_options');
});
