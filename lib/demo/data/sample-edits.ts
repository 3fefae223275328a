import type { AirtableRecord } from '../airtable/airtable-record.ts';
import { addDays } from './sample-sketch.ts';

const addedName = 'Forest Radio';
const cancelledName = 'Museum of Broken Things';
const movedName = 'Harbour Hack';
const dateColumns = ['Start Date', 'End Date', 'In-Person Start', 'In-Person End'];

const removed: AirtableRecord = {
  id: 'recRemovedRow0000',
  createdTime: '2026-01-06T10:00:00.000Z',
  fields: {
    Name: 'Winter Benchmarks',
    Format: 'Online',
    Description: 'How slow is slow? We measure it, with gloves on.',
    'Project Types': ['Software'],
  },
};

/**
 * The table of the demo before its last edits, so that there are changes to show: an event was added, one cancelled,
 * one moved by a week, and one removed.
 * @param today `YYYY-MM-DD`
 */
export function undoEdits(records: readonly AirtableRecord[], today: string): AirtableRecord[] {
  const before = records
    .filter(({ fields }) => fields.Name !== addedName)
    .map((record) => {
      const { State: state, ...fields } = record.fields;
      if (fields.Name === cancelledName) return { ...record, fields };
      return fields.Name === movedName ? moveBack(record) : record;
    });
  const date = addDays(today, 17);
  return [
    ...before,
    { ...removed, fields: { ...removed.fields, 'Start Date': date, 'End Date': date } },
  ];
}

function moveBack(record: AirtableRecord): AirtableRecord {
  const dates = Object.entries(record.fields)
    .filter(([column]) => dateColumns.includes(column))
    .map(([column, date]) => [column, addDays(String(date), -7)]);
  return { ...record, fields: { ...record.fields, ...Object.fromEntries(dates) } };
}
