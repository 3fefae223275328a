import { expect, test } from 'vitest';
import { createLearnedFields } from '#lib/ai-proxy/pipeline/learned-fields.ts';
import type { Target } from '#lib/ai-proxy/upstreams/select-targets.ts';
import { HttpError } from '#lib/http/errors/errors.ts';
import { createTestLog } from '../../../support/test-log.ts';

const toTarget = (fields: Partial<Target> = {}) =>
  ({ name: 'north', model: 'm', accepts: null, ...fields }) as Target;
const rejecting = (...rejectedFields: string[]) =>
  new HttpError(400, { message: 'x', rejectedFields });

test('a rejected field is left out for that upstream and model, for an hour', () => {
  let timeMs = 1_760_000_000_000;
  const fields = createLearnedFields({ now: () => timeMs, log: createTestLog() });
  const target = toTarget();
  const before = fields.leftOutFor(target);

  expect(fields.learn(target, before, rejecting('user'))).toEqual(new Set([...before, 'user']));

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

  expect(fields.learn(target, before, rejecting('messages', 'temperature'))).toBeNull();
  expect(fields.learn(target, before, rejecting())).toBeNull();
  const next = fields.learn(target, before, rejecting('user'));
  expect(fields.learn(target, next ?? before, rejecting('user'))).toBeNull();
});

test('a request that ran meanwhile is repeated too, with all that it was told', () => {
  const fields = createLearnedFields({ now: Date.now, log: createTestLog() });
  const target = toTarget();
  const before = fields.leftOutFor(target);
  fields.learn(target, before, rejecting('user'));

  expect(fields.learn(target, before, rejecting('user', 'verbosity'))).toContain('verbosity');
  expect(fields.leftOutFor(target)).toEqual(new Set([...before, 'user', 'verbosity']));
});
