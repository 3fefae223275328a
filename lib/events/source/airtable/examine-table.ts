import { type Column, columns, optionalColumns } from '../../model/field-lists.ts';
import type { AirtableClient } from './client.ts';
import { AirtableError, type FailureReason } from './failure.ts';
import type { RowProblem } from './record-report.ts';
import { collectEvents } from './source.ts';
import { type SiteTimeZone, toEvent } from './to-event.ts';

export type AirtableHealth =
  | Readonly<{ readable: false; advice: string }>
  | Readonly<{
      readable: true;
      missingColumns: readonly Column[];
      /** Optional columns that the table does not have. */
      unusedColumns: readonly Column[];
      records: number;
      events: number;
      problems: readonly RowProblem[];
    }>;

/** What an operator can do, by the reason of a failed read. */
export const failureAdvice: Readonly<Partial<Record<FailureReason, string>>> = {
  credentials_rejected: 'the token is not valid. Make a new one and set AIRTABLE_TOKEN.',
  not_permitted_or_not_found:
    'the token does not reach this base, or there is no such base or table. Give the token the scope data.records:read and access to the base, and check AIRTABLE_BASE_ID and AIRTABLE_TABLE.',
  not_found: 'there is no such base or table. Check AIRTABLE_BASE_ID and AIRTABLE_TABLE.',
  rate_limited: 'too many requests are made to this base. Wait 30 seconds and try again.',
  quota_exhausted: 'the plan’s calls for this month are used up.',
  network: 'there is no response. Check AIRTABLE_API_URL and the network.',
  timeout: 'it does not respond in time. Check AIRTABLE_API_URL and the network.',
  rows_rejected:
    'Rename the column back, or, if you mean it, run `npm run doctor -- --accept-table`.',
  malformed: 'the response is not one of the Airtable Web API. Check AIRTABLE_API_URL.',
};

/** Reads a table as the site does, and reports whether that worked, missing columns and problems in rows. */
export async function examineTable(
  client: AirtableClient,
  site: SiteTimeZone,
): Promise<AirtableHealth> {
  try {
    const absent = await findAbsentColumns(client);
    const missingColumns = absent.filter((column) => !optionalColumns.has(column));
    const unusedColumns = absent.filter((column) => optionalColumns.has(column));
    const results = await client.mapRecords((record) => toEvent(record, site));
    const { drafts, problems } = await collectEvents(results);
    const [records, events] = [results.length, drafts.length];
    return { readable: true, missingColumns, unusedColumns, records, events, problems };
  } catch (error) {
    if (!(error instanceof AirtableError)) throw error;
    const { reason } = error.failure;
    return {
      readable: false,
      advice: failureAdvice[reason] ?? `${error.reason ?? reason}. Check AIRTABLE_API_URL.`,
    };
  }
}

// Responses omit empty cells, so an absent column only shows when it is requested by name. The error does
// not reliably name the column, so each one is requested alone.
async function findAbsentColumns(client: AirtableClient): Promise<Column[]> {
  if (await hasColumns(client, columns)) return [];
  const absent: Column[] = [];
  for (const column of columns) {
    if (!(await hasColumns(client, [column]))) absent.push(column);
  }
  return absent;
}

async function hasColumns(client: AirtableClient, fields: readonly Column[]): Promise<boolean> {
  try {
    await client.readRecords({ fields, maxRecords: 1 });
    return true;
  } catch (error) {
    if (error instanceof AirtableError && error.failure.reason === 'unknown_field') return false;
    throw error;
  }
}
