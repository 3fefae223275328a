import { type Column, columns, requiredColumns } from '../../model/field-lists.ts';
import type { AirtableClient } from './client.ts';
import { type ColumnNames, renameFields, toTableColumn } from './column-names.ts';
import { AirtableError, type FailureReason } from './failure.ts';
import { proposeColumns } from './propose-columns.ts';
import type { RowProblem } from './record-report.ts';
import { collectEvents } from './source.ts';
import { toEvent } from './to-event.ts';

export type AirtableHealth =
  | Readonly<{ readable: false; advice: string }>
  | Readonly<{
      readable: true;
      missingColumns: readonly Column[];
      /** Optional columns that the table does not have. */
      unusedColumns: readonly Column[];
      /** Columns of the table that are probably meant instead. */
      proposedColumns: ColumnNames;
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
  request_rejected:
    'the request is not accepted. If AIRTABLE_VIEW is set, check that the table has this view.',
  rate_limited: 'too many requests are made to this base. Wait 30 seconds and try again.',
  quota_exhausted: 'the plan’s calls for this month are used up.',
  network: 'there is no response. Check AIRTABLE_API_URL and the network.',
  timeout: 'it does not respond in time. Check AIRTABLE_API_URL and the network.',
  rows_rejected:
    'Rename the column back, name it in EVENTS_COLUMNS, or, if you mean it, run `npm run doctor -- --accept-table`.',
  malformed: 'the response is not one of the Airtable Web API. Check AIRTABLE_API_URL.',
};

/** Reads a table as the site does, and reports whether that worked, missing columns and problems in rows. */
export async function examineTable(
  client: AirtableClient,
  siteTimeZone: string,
  columnNames: ColumnNames = {},
): Promise<AirtableHealth> {
  try {
    const absent = await findAbsentColumns(client, columnNames);
    const proposedColumns = await findProposals(client, absent, columnNames);
    const missingColumns = absent.filter((column) => requiredColumns.has(column));
    const unusedColumns = absent.filter((column) => !requiredColumns.has(column));
    const results = await client.mapRecords((record) =>
      toEvent({ ...record, fields: renameFields(record.fields, columnNames) }, siteTimeZone),
    );
    const { drafts, problems } = await collectEvents(results);
    const [records, events] = [results.length, drafts.length];
    return {
      readable: true,
      missingColumns,
      unusedColumns,
      proposedColumns,
      records,
      events,
      problems,
    };
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
async function findAbsentColumns(
  client: AirtableClient,
  columnNames: ColumnNames,
): Promise<Column[]> {
  const wanted = columns.map((column) => ({ column, name: toTableColumn(column, columnNames) }));
  const names = wanted.flatMap(({ name }) => name ?? []);
  if (names.length === columns.length && (await hasColumns(client, names))) return [];
  const absent: Column[] = [];
  for (const { column, name } of wanted) {
    if (name === null || !(await hasColumns(client, [name]))) absent.push(column);
  }
  return absent;
}

/** Which columns of the table may be those that are absent, by their names and first cells. */
async function findProposals(
  client: AirtableClient,
  absent: readonly Column[],
  columnNames: ColumnNames,
): Promise<ColumnNames> {
  if (absent.length === 0) return {};
  const known = new Set(columns.map((column) => toTableColumn(column, columnNames)));
  const values = new Map<string, unknown[]>();
  for (const { fields } of await client.readRecords({ maxRecords: 100 })) {
    for (const [name, value] of Object.entries(fields)) {
      if (!known.has(name)) values.set(name, [...(values.get(name) ?? []), value]);
    }
  }
  return proposeColumns(absent, values);
}

async function hasColumns(client: AirtableClient, fields: readonly string[]): Promise<boolean> {
  try {
    await client.readRecords({ fields, maxRecords: 1 });
    return true;
  } catch (error) {
    if (error instanceof AirtableError && error.failure.reason === 'unknown_field') return false;
    throw error;
  }
}
