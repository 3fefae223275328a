import { expect, test } from 'vitest';
import { errorType, list, openServer } from './open-airtable-server.ts';

async function statuses(calls: number, server: Awaited<ReturnType<typeof openServer>>) {
  const all = [];
  for (let call = 0; call < calls; call += 1) all.push((await list(server)).status);
  return all;
}

test('the sixth call in a second gives 429, and so does every call for 30 seconds', async () => {
  const server = await openServer({ requestsPerSecond: 5 });
  expect(await statuses(6, server)).toEqual([200, 200, 200, 200, 200, 429]);
  server.advanceClock(29_999);
  expect(await statuses(1, server)).toEqual([429]);
  server.advanceClock(1);
  expect(await statuses(1, server)).toEqual([200]);
  expect(server.stats().rateLimited).toBe(2);
});

test('the window of a second slides', async () => {
  const server = await openServer({ requestsPerSecond: 2 });
  expect(await statuses(1, server)).toEqual([200]);
  server.advanceClock(600);
  expect(await statuses(1, server)).toEqual([200]);
  server.advanceClock(500);
  expect(await statuses(1, server)).toEqual([200]);
  server.advanceClock(400);
  expect(await statuses(1, server)).toEqual([429]);
});

test('both envelopes of a 429 are in use', async () => {
  const server = await openServer({ requestsPerSecond: 0 });
  const bodies = [await (await list(server)).json(), await (await list(server)).json()];
  expect(bodies.map((body) => Object.keys(body)[0])).toEqual(['errors', 'error']);
  expect(await errorType(await list(server))).toBe('RATE_LIMIT_REACHED');
});

test('a call without the token does not count', async () => {
  const server = await openServer({ requestsPerSecond: 1 });
  await list(server, '', { headers: {} });
  expect(await statuses(1, server)).toEqual([200]);
});
