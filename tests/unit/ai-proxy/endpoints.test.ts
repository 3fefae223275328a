import { expect, test } from 'vitest';
import { endpoints } from '#lib/ai-proxy/endpoints.ts';

test('ids and paths are unique', () => {
  const ids = endpoints.map(({ id }) => id);
  const paths = endpoints.map(({ path }) => path);
  expect([new Set(ids).size, new Set(paths).size]).toEqual([ids.length, paths.length]);
});
