import { expect, test } from 'vitest';
import {
  parseColumnNames,
  renameFields,
  toShownColumn,
} from '#lib/events/source/airtable/column-names.ts';
import { createAirtableSource } from '#lib/events/source/airtable/source.ts';
import { makeRecord, startUpstream } from '../../../../support/upstreams/upstream.ts';

test('columns under other names are read, two from one', async () => {
  const fields = { 'Event title': 'Lantern Jam', When: '2026-03-01', URL: 'https://a.example/' };
  await using fixture = await startUpstream({ records: [{ ...makeRecord(), fields }] });
  const names = parseColumnNames({ name: 'Event title', 'start date': 'When', 'End Date': 'When' });
  const source = createAirtableSource(fixture.client, 'UTC', names);
  expect((await source.read()).drafts).toMatchObject([
    {
      name: 'Lantern Jam',
      startDate: '2026-03-01',
      endDate: '2026-03-01',
      url: 'https://a.example/',
    },
  ]);
});

test('a column that is mapped to another one loses its own meaning', () => {
  const fields = { Name: 'Jam', State: 'NY', constructor: 'x' };
  expect(renameFields(fields, { Region: 'State' })).toEqual({ Name: 'Jam', Region: 'NY' });
  expect(renameFields(fields, { Region: 'State', State: 'State' })).toMatchObject({ State: 'NY' });
  expect(renameFields({}, { Name: 'constructor' })).toEqual({});
});

test.for([
  [
    { Nmae: 'Title' },
    'EVENTS_COLUMNS names “Nmae”, but the site has no such column. Did you mean “Name”?',
  ],
  [{ 'Favourite colour of the cat': 'Title' }, 'The columns are Name, Description, URL,'],
] as const)('the unknown column of %j stops the start', ([names, message]) => {
  expect(() => parseColumnNames(names)).toThrow(message);
});

test('operators see both names', () => {
  expect(toShownColumn('Start Date', { 'Start Date': 'When' })).toBe('Start Date (“When”)');
  expect(toShownColumn('URL', {})).toBe('URL');
});
