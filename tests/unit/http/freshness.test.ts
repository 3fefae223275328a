import { expect, test } from 'vitest';
import { toCacheControl } from '#lib/http/freshness.ts';

test('what stays true may be kept for as long, what does not has to be asked for again', () => {
  expect(toCacheControl(60)).toBe('public, max-age=60');
  expect(toCacheControl(0)).toBe('no-cache');
});
