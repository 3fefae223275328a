import { expect, test } from 'vitest';
import {
  errorType,
  list,
  numberedRecords,
  openServer,
  readAll,
  readPage,
} from './open-airtable-server.ts';

test('reading all pages loses and repeats no record', async () => {
  const server = await openServer({ records: numberedRecords(250) });
  const pages = await readAll(server);
  expect(pages.map(({ records }) => records.length)).toEqual([100, 100, 50]);
  const ids = pages.flatMap(({ records }) => records.map(({ id }) => id));
  expect(ids.toSorted()).toEqual(
    numberedRecords(250)
      .map(({ id }) => id)
      .toSorted(),
  );
});

test('without a sort two reads have different orders', async () => {
  const server = await openServer();
  const [first, second] = [await readPage(server), await readPage(server)];
  expect(first.records.map(({ id }) => id)).not.toEqual(second.records.map(({ id }) => id));
});

test('a sort works in both directions', async () => {
  const server = await openServer();
  const page = await readPage(server, '?sort[0][field]=Name&sort[0][direction]=desc&pageSize=2');
  expect(page.records.map(({ fields }) => fields.Name)).toEqual(['Event 9', 'Event 8']);
  const ascending = await readPage(server, '?sort%5B0%5D%5Bfield%5D=Name&pageSize=1');
  expect(ascending.records[0]?.fields.Name).toBe('Event 0');
});

test.each([
  ['no token', {}],
  ['a wrong token', { authorization: 'Bearer something-else' }],
  ['another scheme', { authorization: 'Basic pat-of-the-test' }],
])('%s gives 401', async (_, headers) => {
  const server = await openServer();
  const response = await list(server, '', { headers });
  expect(response.status).toBe(401);
  expect(await errorType(response)).toBe('AUTHENTICATION_REQUIRED');
});
