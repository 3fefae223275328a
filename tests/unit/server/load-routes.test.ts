import { expect, test } from 'vitest';
import { findHandler } from '#lib/server/load-routes.ts';

const toHandler = (name: string) => async () => new Response(name);
const route = {
  GET: toHandler('GET'),
  HEAD: toHandler('HEAD'),
  OPTIONS: toHandler('OPTIONS'),
  POST: toHandler('POST'),
  PUT: toHandler('PUT'),
  PATCH: toHandler('PATCH'),
  DELETE: toHandler('DELETE'),
};

async function serve(method: string): Promise<string> {
  const request = new Request('https://events.example/');
  const response = await findHandler(route, method)(request, { params: Promise.resolve({}) });
  return response.text();
}

test.each(Object.keys(route))('%s is served by the export of its name', async (method) => {
  expect(await serve(method)).toBe(method);
});

test('a method without an export is rejected, also one named like a property of objects', async () => {
  expect(await serve('PROPFIND')).toBe('OPTIONS');
  expect(await serve('toString')).toBe('OPTIONS');
});
