import { expect, onTestFinished, test } from 'vitest';
import { createAirtableSource } from '#lib/events/source/airtable/source.ts';
import { findRejection, guardTable } from '#lib/events/source/airtable/table-guard.ts';
import type { EventsRead, TableSource } from '#lib/events/source/source.ts';
import { makeDrafts } from '../../../../support/factories/draft-factory.ts';
import {
  describeEachDatabase,
  openTestDatabase,
} from '../../../../support/servers/each-database.ts';
import { createTestLog } from '../../../../support/test-log.ts';
import { makeRecord, startUpstream } from '../../../../support/upstreams/upstream.ts';

const timeZone = 'UTC';
const known = { events: 162, leftOut: 4, accepted: [] };

const found = (events: number, problems: Readonly<Record<string, number>> = {}, rows = 166) => ({
  events,
  rows,
  repairs: problems,
});

test.each([
  [
    'a renamed name',
    found(0, { 'leftOut.no_name': 166 }),
    'Name is empty or invalid in 166 of 166 rows',
  ],
  ['dates that became text', found(2, { 'leftOut.impossible_start_date': 164 }), 'Start Date'],
  ['a renamed column, with most rows deleted', found(0, { 'leftOut.no_name': 20 }, 20), 'Name'],
])('%s is rejected', (_, read, text) => {
  expect(findRejection(read, known, {})?.text).toContain(text);
});

test.each([
  ['all rows deleted', found(0, {}, 0)],
  ['all valid rows deleted', found(0, { 'leftOut.no_name': 4 }, 4)],
  ['many empty rows added', found(162, { 'leftOut.no_name': 500 }, 662)],
  ['fewer than half of the rows emptied', found(90, { 'leftOut.no_name': 76 })],
])('%s is no fault', (_, read) => {
  expect(findRejection(read, known, {})).toBeNull();
});

test('a first read, and a mistake in a table of two rows, are believed', () => {
  const empty = found(0, { 'leftOut.no_name': 2 }, 2);
  expect(findRejection(empty, null, {})).toBeNull();
  expect(findRejection(empty, { events: 2, leftOut: 0, accepted: [] }, {})).toBeNull();
});

test('columns that the operator has accepted are believed, and no others', () => {
  const accepted = { ...known, accepted: ['Name'] as const };
  expect(findRejection(found(0, { 'leftOut.no_name': 166 }), accepted, {})).toBeNull();
  const both = { 'leftOut.no_name': 166, 'leftOut.no_start_date': 166 };
  expect(findRejection(found(0, both), accepted, {})?.columns).toEqual(['Name', 'Start Date']);
});

test('while the database is away, this process remembers the last read, and columns are named as in the table', async () => {
  const fail = () => Promise.reject(new Error('away'));
  const read = { rows: 9, signedUrls: new Map() };
  let result: EventsRead = { ...read, drafts: makeDrafts(9), repairs: {} };
  const source: TableSource = { read: async () => result };
  const log = createTestLog();
  const store = { find: fail, save: fail };
  const columnNames = { Name: 'Event title' };
  const guarded = guardTable(source, { store, table: 'a', columnNames, log });
  await guarded.read();
  expect(log.lines).toMatchObject([{ level: 'warn' }]);
  result = { ...read, drafts: [], repairs: { 'leftOut.no_name': 9 } };
  await expect(guarded.read()).rejects.toMatchObject({
    status: 502,
    message:
      'The events table is not usable: Name (“Event title”) is empty or invalid in 9 of 9 rows.',
    reason: 'rows_rejected: Name (“Event title”) is empty or invalid in 9 of 9 rows',
  });
});

test.for([
  [[9, 3, 9], 9, 'a part of the rows without an error is read again'],
  [[9, 3, 3], 3, 'rows that were deleted stay away'],
  [[9, 7, 9], 7, 'two deleted rows are believed at once'],
] as const)('%j: %s', async ([sizes, shown]) => {
  const rest = [...sizes];
  const read = async () => {
    const drafts = makeDrafts(rest.shift() ?? 0);
    return { drafts, rows: drafts.length, signedUrls: new Map(), repairs: {} };
  };
  const store = { find: async () => null, save: () => Promise.reject(new Error('away')) };
  const options = { store, table: 'a', columnNames: {}, log: createTestLog() };
  const guarded = guardTable({ read }, options);
  await guarded.read();
  expect((await guarded.read()).drafts).toHaveLength(shown);
});

describeEachDatabase((createTestDatabase) => {
  test('a restart keeps the guard, and an acceptance works for all instances until the column is back', async () => {
    const database = await openTestDatabase(await createTestDatabase());
    onTestFinished(() => database.close());
    const name = (index: number) => ({ Name: `Event ${index}` });
    const records = (fields: (index: number) => Readonly<Record<string, unknown>>) =>
      Array.from({ length: 9 }, (_, index) => makeRecord(fields(index), index + 1));
    const readAs = async (fields: Parameters<typeof records>[0]) => {
      await using fixture = await startUpstream({ records: records(fields) });
      const options = { store: database.tables, table: 'a', columnNames: {}, log: createTestLog() };
      // A new one each time, as after a restart or in another instance.
      return await guardTable(createAirtableSource(fixture.client, timeZone), options).read();
    };
    await readAs(name);
    await expect(readAs(() => ({ Name: undefined }))).rejects.toThrow('in 9 of 9 rows');
    const stored = await database.tables.find('a');
    expect(stored).toEqual({ events: 9, leftOut: 0, accepted: [] });
    await database.tables.save('a', { events: 9, leftOut: 0, accepted: ['Name'] });
    for (let times = 0; times < 2; times++) {
      expect((await readAs(() => ({ Name: undefined }))).drafts).toHaveLength(0);
    }
    await readAs(name);
    await expect(readAs(() => ({ Name: undefined }))).rejects.toThrow('in 9 of 9 rows');
  });
});
