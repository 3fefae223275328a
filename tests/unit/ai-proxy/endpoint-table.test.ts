import { expect, test } from 'vitest';
import { endpointTable } from '#lib/ai-proxy/endpoint-table.ts';

test('ids and paths are unique', () => {
  const ids = endpointTable.map(({ id }) => id);
  const paths = endpointTable.map(({ path }) => path);
  expect([new Set(ids).size, new Set(paths).size]).toEqual([ids.length, paths.length]);
});
