import { expect, test } from 'vitest';
import { list, openServer, readAll } from './open-airtable-server.ts';

function post(url: string, value: unknown) {
  return fetch(url, { method: 'POST', body: JSON.stringify(value) });
}

test('a fault is set and cleared over HTTP', async () => {
  const server = await openServer();
  expect((await post(`${server.url}/demo/fault`, { kind: '503', times: 5 })).status).toBe(200);
  expect((await list(server)).status).toBe(503);
  expect((await post(`${server.url}/demo/fault`, null)).status).toBe(200);
  expect((await list(server)).status).toBe(200);
});

test('an unknown fault gives 400 with the known ones', async () => {
  const server = await openServer();
  const response = await post(`${server.url}/demo/fault`, { kind: 'gremlins' });
  expect(response.status).toBe(400);
  expect(await response.text()).toContain('429-billing');
});

test('a fault that is not JSON gives 400', async () => {
  const server = await openServer();
  const response = await fetch(`${server.url}/demo/fault`, { method: 'POST', body: '{' });
  expect(response.status).toBe(400);
});

test('the clock is moved over HTTP', async () => {
  const server = await openServer({ requestsPerSecond: 1 });
  await list(server);
  expect((await list(server)).status).toBe(429);
  await post(`${server.url}/demo/clock`, { advanceMs: 30_000 });
  expect((await list(server)).status).toBe(200);
  expect((await post(`${server.url}/demo/clock`, { advanceMs: 'much' })).status).toBe(400);
});

test('statistics are read over HTTP, and reading them does not count', async () => {
  const server = await openServer();
  await readAll(server, 'pageSize=10');
  await fetch(`${server.url}/nowhere`);
  const stats = await (await fetch(`${server.url}/demo/stats`)).json();
  expect(stats).toMatchObject({ requests: 4, listRequests: 3, pagesServed: 3, rateLimited: 0 });
  expect(stats).toEqual(server.stats());
});

test('statistics can be reset', async () => {
  const server = await openServer();
  await list(server);
  server.resetStats();
  expect(server.stats()).toMatchObject({ requests: 0, listRequests: 0, pagesServed: 0 });
});

test('other control paths give 404', async () => {
  const server = await openServer();
  expect((await fetch(`${server.url}/demo/nope`)).status).toBe(404);
  expect((await fetch(`${server.url}/demo/fault`)).status).toBe(404);
});
