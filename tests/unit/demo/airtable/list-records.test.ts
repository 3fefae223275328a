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

test('a full last page has no offset either', async () => {
  const server = await openServer({ records: numberedRecords(20) });
  const pages = await readAll(server, 'pageSize=10');
  expect(pages.map((page) => 'offset' in page)).toEqual([true, false]);
});

test('an empty table is one page without records', async () => {
  const server = await openServer({ records: [] });
  expect(await readPage(server)).toEqual({ records: [] });
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

test('changes during a read do not show in it', async () => {
  const server = await openServer();
  const first = await readPage(server, '?pageSize=20');
  server.setRecords(numberedRecords(25, 'second'));
  const second = await readPage(server, `?pageSize=20&offset=${first.offset}`);
  expect(second.records.map(({ fields }) => fields.Description)).toEqual(Array(5).fill('first'));
  const fresh = await readPage(server);
  expect(new Set(fresh.records.map(({ fields }) => fields.Description))).toEqual(
    new Set(['second']),
  );
});

test('a record source that is a function is called at the start of every read', async () => {
  let count = 3;
  const server = await openServer({ records: () => numberedRecords(count) });
  expect((await readPage(server)).records).toHaveLength(3);
  count = 4;
  expect((await readPage(server)).records).toHaveLength(4);
});

test('empty cells are left out', async () => {
  const fields = { Name: 'x', Description: '', Pinned: false, Logo: [], URL: null, 'Logo Size': 0 };
  const record = { id: 'rec00000000000001', createdTime: '2026-01-02T03:04:05.000Z', fields };
  const server = await openServer({ records: [record] });
  expect((await readPage(server)).records[0]?.fields).toEqual({ Name: 'x', 'Logo Size': 0 });
});

test('fields[] selects the cells', async () => {
  const server = await openServer();
  const { records } = await readPage(server, '?fields[]=Name&fields%5B%5D=Pinned');
  const names = new Set(records.flatMap(({ fields }) => Object.keys(fields)));
  expect(names).toEqual(new Set(['Name', 'Pinned']));
});

test('maxRecords ends a read early', async () => {
  const server = await openServer();
  const pages = await readAll(server, 'pageSize=5&maxRecords=12');
  expect(pages.map(({ records }) => records.length)).toEqual([5, 5, 2]);
});

test('POST listRecords reads the parameters from its body', async () => {
  const server = await openServer();
  const url = `${server.url}/v0/${server.baseId}/${encodeURIComponent(server.table)}/listRecords`;
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.token}` },
    body: JSON.stringify({
      pageSize: 1,
      fields: ['Name'],
      sort: [{ field: 'Name', direction: 'desc' }],
    }),
  });
  const { records } = await response.json();
  expect(records[0].fields).toEqual({ Name: 'Event 9' });
});

test.each([
  ['pageSize=0', 'INVALID_REQUEST_UNKNOWN'],
  ['pageSize=101', 'INVALID_REQUEST_UNKNOWN'],
  ['pageSize=ten', 'INVALID_REQUEST_UNKNOWN'],
  ['maxRecords=0', 'INVALID_REQUEST_UNKNOWN'],
  ['view=Grid', 'INVALID_REQUEST_UNKNOWN'],
  ['cellFormat=string', 'INVALID_REQUEST_UNKNOWN'],
  ['sort[0][direction]=asc', 'INVALID_REQUEST_UNKNOWN'],
  ['sort[0][field]=Name&sort[0][direction]=up', 'INVALID_REQUEST_UNKNOWN'],
  ['filterByFormula=1', 'INVALID_FILTER_BY_FORMULA'],
  ['fields[]=Nope', 'UNKNOWN_FIELD_NAME'],
  ['sort[0][field]=Nope', 'UNKNOWN_FIELD_NAME'],
  ['offset=', 'INVALID_OFFSET_VALUE'],
  ['offset=nonsense', 'INVALID_OFFSET_VALUE'],
  ['offset=itr00000000000000/rec00000000000000', 'LIST_RECORDS_ITERATOR_NOT_AVAILABLE'],
])('%s gives 422 %s', async (query, type) => {
  const server = await openServer();
  const response = await list(server, `?${query}`);
  expect(response.status).toBe(422);
  expect(await errorType(response)).toBe(type);
});

test('an offset of another iterator gives 422 INVALID_OFFSET_VALUE', async () => {
  const server = await openServer();
  const { offset = '' } = await readPage(server, '?pageSize=5');
  const response = await list(server, `?offset=${offset.slice(0, -3)}AAA`);
  expect(response.status).toBe(422);
  expect(await errorType(response)).toBe('INVALID_OFFSET_VALUE');
});

test('an iterator expires when it is not used', async () => {
  const server = await openServer({ iteratorTtlMs: 60_000 });
  const { offset = '' } = await readPage(server, '?pageSize=5');
  server.advanceClock(59_999);
  expect((await list(server, `?pageSize=5&offset=${offset}`)).status).toBe(200);
  server.advanceClock(60_000);
  const response = await list(server, `?pageSize=5&offset=${offset}`);
  expect(response.status).toBe(422);
  expect(await response.json()).toEqual({ error: { type: 'LIST_RECORDS_ITERATOR_NOT_AVAILABLE' } });
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

test.each([
  ['/v0/appWrong/Events%20%26%20more', 403, 'INVALID_PERMISSIONS_OR_MODEL_NOT_FOUND'],
  ['/v0/appOfTheTest/Wrong', 403, 'INVALID_PERMISSIONS_OR_MODEL_NOT_FOUND'],
  ['/v0/appOfTheTest', 404, 'NOT_FOUND'],
  ['/v0/appOfTheTest/%E0%A4%A', 404, 'NOT_FOUND'],
  ['/v1/appOfTheTest/Events%20%26%20more', 404, 'NOT_FOUND'],
  ['/', 404, 'NOT_FOUND'],
])('%s gives %i %s', async (path, status, type) => {
  const server = await openServer();
  const headers = { authorization: `Bearer ${server.token}` };
  const response = await fetch(server.url + path, { headers });
  expect(response.status).toBe(status);
  expect(await errorType(response)).toBe(type);
});
