import { toEvent } from '#lib/events/source/airtable/to-event.ts';
import { makeRecord } from '../upstreams/upstream.ts';

/** The event of a row with these cells, and what was repaired, as `column: reason`. */
export function convertRow(cells: Readonly<Record<string, unknown>>, siteZone = 'UTC') {
  const { draft, problems } = toEvent(makeRecord(cells), siteZone);
  return { ...draft, reasons: problems.map(({ column, reason }) => `${column}: ${reason}`) };
}
