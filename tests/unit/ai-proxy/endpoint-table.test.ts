import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { endpointTable } from '#lib/ai-proxy/endpoint-table.ts';

const app = resolve(import.meta.dirname, '../../../app');

test('each row of the table has its route.ts, and each route.ts of an endpoint has its row', () => {
  const files = globSync('proxy/v1/**/route.ts', { cwd: app });
  const routes = files.flatMap((file) => {
    const text = readFileSync(`${app}/${file}`, 'utf8');
    const id = /create(?:Endpoint|Handled)Route\(\s*getServices,\s*'(\w+)'/.exec(text)?.[1];
    return id === undefined ? [] : [{ id, path: `/${file.replace('/route.ts', '')}` }];
  });
  const byPath = (one: { path: string }, other: { path: string }) =>
    one.path < other.path ? -1 : 1;
  const rows = endpointTable.map(({ id, path }) => ({ id, path }));
  expect(routes.toSorted(byPath)).toEqual(rows.toSorted(byPath));
});

test('ids and paths are unique', () => {
  const ids = endpointTable.map(({ id }) => id);
  const paths = endpointTable.map(({ path }) => path);
  expect([new Set(ids).size, new Set(paths).size]).toEqual([ids.length, paths.length]);
});
