import { expect, test } from 'vitest';
import { toDuration } from '#lib/spend/rate-limits.ts';

test.for([
  [0, '0ms'],
  [0.2, '1ms'],
  [20, '20ms'],
  [999, '999ms'],
  [999.5, '1s'],
  [1_000, '1s'],
  [1_001, '2s'],
  [59_001, '1m0s'],
  [360_000, '6m0s'],
  [3_599_999, '1h0m0s'],
  [86_340_000, '23h59m0s'],
  [86_400_000, '24h0m0s'],
  [-5, '0ms'],
] as const)('%d ms are %s', ([ms, text]) => {
  expect(toDuration(ms)).toBe(text);
});
