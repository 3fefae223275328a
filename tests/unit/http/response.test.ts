import { expect, test } from 'vitest';
import { toCacheControl } from '#lib/http/response.ts';

test('max-age is the remaining lifetime; without one the response must be revalidated', () => {
  expect(toCacheControl(60)).toBe('public, max-age=60');
  expect(toCacheControl(0)).toBe('no-cache');
});
