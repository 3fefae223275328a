import { expect, test } from 'vitest';
import { sampleRecords } from '#lib/demo/data/sample-records.ts';
import { createTimeZone } from '#lib/events/model/zoned-time.ts';
import type { AirtableClient } from '#lib/events/source/airtable/client.ts';
import { examineTable } from '#lib/events/source/airtable/examine-table.ts';
import { AirtableError } from '#lib/events/source/airtable/failure.ts';
import { describeReason, groupProblems } from '#lib/events/source/airtable/problem-groups.ts';
import { countProblems } from '#lib/events/source/airtable/record-report.ts';
import {
  collectEvents,
  createAirtableSource,
  missingCredentials,
} from '#lib/events/source/airtable/source.ts';
import { toEvent } from '#lib/events/source/airtable/to-event.ts';
import { createEventsLoader } from '#lib/events/source/loader.ts';
import { edgeCaseRecords } from '../../../../support/airtable/edge-case-records.ts';
import { createTestLog } from '../../../../support/test-log.ts';
import { makeRecord, startUpstream } from '../../../../support/upstreams/upstream.ts';

test('an invalid row does not fail the list: it is left out and counted', async () => {
  await using fixture = await startUpstream({
    records: [makeRecord({}, 1), makeRecord({ Name: '' }, 2), makeRecord({ URL: 'x' }, 3)],
  });
  const { drafts, repairs } = await createAirtableSource(fixture.client, 'UTC').read();
  expect(drafts).toHaveLength(2);
  expect(repairs).toEqual({ 'leftOut.no_name': 1, 'repaired.not_a_web_url': 1 });
});

test('a repeated record counts once', async () => {
  const results = [makeRecord(), makeRecord()].map((record) => toEvent(record, 'UTC'));
  const { drafts, problems } = await collectEvents(results);
  expect(drafts).toHaveLength(1);
  expect(countProblems(problems)).toEqual({ 'leftOut.repeated_id': 1 });
});

test('sample and edge-case rows reach the snapshot, and only reasons are logged', async () => {
  const today = '2026-03-10';
  await using fixture = await startUpstream({
    records: [...sampleRecords({ today }), ...edgeCaseRecords({ today })],
  });
  const log = createTestLog();
  const source = createAirtableSource(fixture.client, 'UTC');
  const timeZone = createTimeZone('UTC');
  const loader = createEventsLoader({ source, timeZone, now: Date.now, cacheSeconds: 240, log });
  const snapshot = await loader.current();
  expect(snapshot.events.length).toBeGreaterThan(100);
  expect(new Set(snapshot.events.map((event) => event.slug)).size).toBe(snapshot.events.length);
  for (const { slug } of snapshot.events) expect(slug).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/);
  expect(log.lines).toHaveLength(1);
  expect(log.text()).not.toMatch(/script|example|passwd/);
});

test('a missing credential is a 500 that names the variable', async () => {
  await expect(missingCredentials('AIRTABLE_BASE_ID').read()).rejects.toMatchObject({
    code: 'server_misconfigured',
    status: 500,
    hint: expect.stringContaining('AIRTABLE_BASE_ID'),
  });
});

test('examining a table reports its problems by record and column', async () => {
  await using fixture = await startUpstream({
    records: [makeRecord({}, 1), makeRecord({ URL: 'x' }, 2)],
  });
  expect(await examineTable(fixture.client, 'UTC')).toMatchObject({
    readable: true,
    missingColumns: [],
    unusedColumns: [],
    records: 2,
    events: 2,
    problems: [{ column: 'URL', done: 'repaired', reason: 'not_a_web_url', value: 'x' }],
  });
});

test.for([
  [['State', 'Announced At'], []],
  [['Button Border Radius', 'Text Color', 'Logo', 'Description', 'End Date', 'Location'], []],
  [['Name', 'Logo'], ['Name']],
  [['Start Date', 'Logo'], ['Start Date']],
] as const)('a table without %j lacks %j', async ([columns, missingColumns]) => {
  const absent = new Set<string>(columns);
  await using fixture = await startUpstream();
  const client: AirtableClient = {
    ...fixture.client,
    readRecords({ fields = [] } = {}) {
      if (!fields.some((field) => absent.has(field))) return Promise.resolve([]);
      throw new AirtableError({ reason: 'unknown_field' });
    },
  };
  expect(await examineTable(client, 'UTC')).toMatchObject({
    missingColumns,
    unusedColumns: expect.toSatisfy(
      (unused: readonly string[]) => unused.length === columns.length - missingColumns.length,
    ),
  });
});

test('where columns are missing, those of the table that are probably meant are named', async () => {
  const records = [
    { 'Event title': 'Lantern Jam', When: '2026-03-01', Link: 'https://a.example/', Wo: 'Ghent' },
    { 'Event title': 'Night Shift', When: '2026-03-02', Link: 'www.b.example', Cover: 'none' },
  ].map((fields, index) => ({ ...makeRecord({}, index), fields }));
  await using fixture = await startUpstream({ records });
  const present = new Set(['Event title', 'When', 'Link', 'Wo', 'Cover']);
  const client: AirtableClient = {
    ...fixture.client,
    readRecords(parameters = {}) {
      const isAbsent = parameters.fields?.some((field) => !present.has(field)) === true;
      if (isAbsent) throw new AirtableError({ reason: 'unknown_field' });
      return fixture.client.readRecords(parameters);
    },
  };
  const names = { Name: 'Event title', URL: 'Link', 'Start Date': 'When' };
  const health = await examineTable(client, 'UTC');
  expect(health).toMatchObject({ proposedColumns: names });
  // A text is no picture.
  expect(health).not.toHaveProperty(['proposedColumns', 'Background Image']);
  expect(await examineTable(client, 'UTC', names)).toMatchObject({
    events: 2,
    problems: [{ column: 'URL', value: 'www.b.example' }],
    proposedColumns: {},
  });
});

test('examining a table that cannot be read gives advice', async () => {
  await using fixture = await startUpstream();
  fixture.upstream.setFault({ kind: '401' });
  expect(await examineTable(fixture.client, 'UTC')).toMatchObject({
    readable: false,
    advice: expect.stringContaining('AIRTABLE_TOKEN'),
  });
});

test('problems are grouped by column and reason, rows that were left out first, with some of their rows', async () => {
  const cells = [{ URL: 'poster' }, { URL: '?', 'Slack URL': '!' }, { Name: '' }, { URL: 'no' }];
  await using fixture = await startUpstream({ records: cells.map(makeRecord) });
  const { problems = [] } = await createAirtableSource(fixture.client, 'UTC').read();
  expect(problems.map(({ column, reason, count }) => `${count} ${column} ${reason}`)).toEqual([
    '1 Name no_name',
    '3 URL not_a_web_url',
    '1 Slack URL not_a_web_url',
  ]);
  expect(problems[1]?.rows.map(({ value }) => value).sort()).toEqual(['?', 'no', 'poster']);
  const rowProblems = toEvent(makeRecord({ URL: 'poster' }), 'UTC').problems;
  const many = groupProblems([...rowProblems, ...rowProblems], {
    rowsMax: { 'left out': 1, repaired: 1 },
    columnNames: { URL: 'Tickets' },
  });
  expect(many).toMatchObject([
    { column: 'URL (“Tickets”)', count: 2, rows: [{ value: 'poster' }] },
  ]);
});

test('hours without an end date come with what to do', () => {
  expect(describeReason('no_end_date').advice).toContain('End Date');
});
