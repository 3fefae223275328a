import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toRetryAfter } from '#lib/ai-proxy/upstreams/errors/upstream-failure.ts';
import { parseRetryAfter } from '#lib/http/retry-after.ts';
import { anyText } from '../../../../support/factories/any-text.ts';

const now = Date.parse('2026-03-10T12:00:00Z');

test.for([
  ['0', 0],
  ['7', 7000],
  ['1.5', 1500],
  ['Tue, 10 Mar 2026 12:00:30 GMT', 30_000],
  ['Tue, 10 Mar 2026 11:00:00 GMT', 0],
  ['', null],
  ['-1', null],
  ['soon', null],
  ['1e9', null],
  ['2026-03-10', null],
  [undefined, null],
] as const)('%j is %j ms', ([value, ms]) => {
  expect(parseRetryAfter(value, now)).toBe(ms);
});

test('any value gives a header of 1 to 60 s, or none', () => {
  fc.assert(
    fc.property(fc.oneof(anyText(), fc.nat().map(String)), (value) => {
      const ms = parseRetryAfter(value, now);
      if (ms === null) return;
      expect(toRetryAfter(ms)['Retry-After']).toMatch(/^([1-9]|[1-5]\d|60)$/);
    }),
  );
});
