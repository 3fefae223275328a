import { expect, test } from 'vitest';
import { describeHealth } from '#lib/site/playground/model-health.ts';

const record = { requests: 1000, failed: 1, firstByteMs: 420, tokensPerSecond: 61.6 };

test('a model’s day in words, rounded down so that 100% means all', () => {
  const health = {
    models: { a: record, b: { ...record, failed: 0, firstByteMs: null } },
    outOfOrder: [],
  };
  expect(describeHealth(health, 'a')).toBe(
    '99.9% worked · first token after 0.4 s · 62 tokens a second',
  );
  expect(describeHealth(health, 'b')).toBe('100% worked · 62 tokens a second');
  for (const id of ['c', '__proto__', 'constructor']) expect(describeHealth(health, id)).toBeNull();
});
