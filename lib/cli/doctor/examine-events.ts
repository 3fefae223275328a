import type { Config } from '#lib/config/config.ts';
import { type Database, openDatabase } from '#lib/database.ts';
import { toMonth } from '#lib/events/model/dates.ts';
import type { Column } from '#lib/events/model/field-lists.ts';
import { describeCallQuota, toCallQuota } from '#lib/events/source/airtable/call-quota.ts';
import { createAirtableClient } from '#lib/events/source/airtable/client.ts';
import {
  type ColumnNames,
  parseColumnNames,
  toShownColumn,
} from '#lib/events/source/airtable/column-names.ts';
import { type AirtableHealth, examineTable } from '#lib/events/source/airtable/examine-table.ts';
import {
  describeReason,
  groupProblems,
  listExamples,
  type ProblemGroup,
} from '#lib/events/source/airtable/problem-groups.ts';
import { countProblems } from '#lib/events/source/airtable/record-report.ts';
import {
  findRejection,
  type ReadRejection,
  toReadTableName,
} from '#lib/events/source/airtable/table-guard.ts';
import { toReadName } from '#lib/events/source/stored-read/read-lines.ts';
import { formatCount, formatCountOf } from '#lib/events/words/format-count.ts';
import { toUtcDay } from '#lib/storage/days.ts';
import { hasDatabase } from '#lib/storage/find-database.ts';
import { isStorageError } from '#lib/storage/storage-error.ts';
import { requireDatabase } from '../database-command.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

const name = 'table';

/** The events table: whether it can be read, its columns and the problems of its rows. */
export async function examineEvents(config: Config): Promise<Finding[]> {
  const { airtable, storage } = config;
  if (airtable.token === null || airtable.baseId === null) return [describeMissing(config)];
  const health = await readTable(config);
  const title = `“${airtable.table}” of base ${airtable.baseId} at ${airtable.apiUrl}`;
  const columnNames = parseColumnNames(airtable.columns);
  const findings = toTableFindings(health, { title, columnNames });
  // The stores have their own findings.
  const rejection = await withDatabase(storage, (database) =>
    findTableRejection(health, config, database),
  ).catch((error: unknown) => {
    if (!isStorageError(error)) throw error;
    return null;
  });
  if (health.readable) findings.push(...(await examineReads(config, health.records)));
  if (rejection === null) return findings;
  const advice =
    'Rename the column back, name it in EVENTS_COLUMNS, or run `npm run doctor -- --accept-table`.';
  return [{ name, ...problem(`${rejection.text}: the last events stay. ${advice}`) }, ...findings];
}

/** How often Airtable is called, and when the table's hook was called last. */
async function examineReads(config: Config, rows: number): Promise<Finding[]> {
  const { airtable, events, storage } = config;
  const known = await withDatabase(storage, async ({ airtableCalls, tableReads }) => ({
    used: await airtableCalls.find(toMonth(toUtcDay(Date.now()))),
    calledAtMs: (await tableReads(toReadName(config)).find()).calledAtMs,
  })).catch(() => null);
  const { used = 0, calledAtMs = 0 } = known ?? {};
  const { cacheSeconds, hookSecret } = events;
  const quota = toCallQuota({ used, rows, cacheSeconds, callsMax: airtable.callsPerMonth });
  const judge = quota.isNearlyUsed ? warning : ok;
  const calls: Finding = { name: 'calls', ...judge(describeCallQuota(quota)) };
  if (hookSecret === null) return [calls];
  const last =
    calledAtMs === 0 ? 'never called' : `last called ${new Date(calledAtMs).toISOString()}`;
  return [calls, { name: 'hook', ...(calledAtMs === 0 ? warning : ok)(last) }];
}

/**
 * Accepts, for all instances, that the columns which are missing now are missing.
 * @throws Error of one line if there is no database.
 */
export async function acceptTable(config: Config): Promise<Finding[]> {
  const { airtable, storage } = config;
  if (airtable.token === null || airtable.baseId === null) return [describeMissing(config)];
  await requireDatabase(storage, 'Start the server first.');
  const health = await readTable(config);
  if (!health.readable) return [{ name, ...problem(`it cannot be read: ${health.advice}`) }];
  const accepted = await withDatabase(storage, async (database) => {
    const rejection = await findTableRejection(health, config, database);
    const table = toReadTableName(config);
    const known = await database.tables.find(table);
    if (rejection === null || known === null) return null;
    const columns = [...new Set([...known.accepted, ...rejection.columns])];
    await database.tables.save(table, { ...known, accepted: columns });
    return rejection;
  });
  if (accepted === null) return [{ name, ...ok('there is nothing to accept') }];
  return [
    { name, ...ok(`accepted: ${accepted.text}. All instances show that with their next read.`) },
  ];
}

function describeMissing({ airtable }: Config): Finding {
  const missing = airtable.token === null ? 'AIRTABLE_TOKEN' : 'AIRTABLE_BASE_ID';
  return { name, ...problem(`${missing} is not set.`) };
}

async function readTable({ airtable, events }: Config): Promise<AirtableHealth> {
  const { token, baseId, ...table } = airtable;
  const client = createAirtableClient({ ...table, token: token ?? '', baseId: baseId ?? '' });
  try {
    return await examineTable(client, events.timeZone, parseColumnNames(airtable.columns));
  } finally {
    await client.close();
  }
}

async function withDatabase<T>(
  storage: Config['storage'],
  work: (database: Database) => Promise<T>,
): Promise<T | null> {
  if (!(await hasDatabase(storage))) return null;
  const database = await openDatabase(storage);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

async function findTableRejection(
  health: AirtableHealth,
  config: Config,
  { tables }: Database,
): Promise<ReadRejection | null> {
  if (!health.readable) return null;
  const { events, records, problems } = health;
  const found = { events, rows: records, repairs: countProblems(problems) };
  const columnNames = parseColumnNames(config.airtable.columns);
  return findRejection(found, await tables.find(toReadTableName(config)), columnNames);
}

type TableContext = Readonly<{ title: string; columnNames: ColumnNames }>;

function toTableFindings(health: AirtableHealth, { title, columnNames }: TableContext): Finding[] {
  if (!health.readable) return [{ name, ...problem(`${title} cannot be read: ${health.advice}`) }];
  const { missingColumns, unusedColumns, records, events, problems } = health;
  const list = (columns: readonly Column[]) =>
    columns.map((column) => toShownColumn(column, columnNames)).join(', ');
  const columns =
    missingColumns.length === 0 ? ok('complete') : problem(`missing: ${list(missingColumns)}`);
  const unused = unusedColumns.length === 0 ? '' : `; optional, unused: ${list(unusedColumns)}`;
  const groups = groupProblems(problems, {
    rowsMax: { 'left out': records, repaired: problems.length },
    columnNames,
  });
  return [
    {
      name,
      ...ok(
        `${title}: ${formatCountOf(records, 'record')}, ${formatCountOf(events, 'event')} on the site`,
      ),
    },
    { name: 'columns', ...columns, text: columns.text + unused },
    ...proposeSetting(health.proposedColumns, columnNames),
    problems.length === 0
      ? { name: 'rows', ...ok('no problems') }
      : { name: 'rows', ...warning(describeGroups(groups)), rows: groups },
  ];
}

/** Columns that are probably there under another name, as a setting. */
function proposeSetting(proposed: ColumnNames, known: ColumnNames): Finding[] {
  const names = Object.values(proposed);
  if (names.length === 0) return [];
  const pairs = Object.entries({ ...known, ...proposed }).map(([name, own]) => `${name}=${own}`);
  const text = `the table may have them as ${names.map((name) => `“${name}”`).join(', ')}: set EVENTS_COLUMNS="${pairs.join(', ')}"`;
  return [{ name: 'columns', ...warning(text) }];
}

/** Each kind of problem with its number, examples and what to do. */
function describeGroups(groups: readonly ProblemGroup[]): string {
  const lines = groups.map(({ column, done, reason, count, rows }) => {
    const { meaning, advice } = describeReason(reason);
    const what = done === 'left out' ? 'rows left out' : 'cells repaired';
    const examples = listExamples(rows).map(({ recordId, value }) =>
      value.trim() === '' ? recordId : `“${value}” in ${recordId}`,
    );
    return `  ${column}, ${formatCount(count)} ${what}: ${meaning}.\n    Such as ${examples.join(', ')}. ${advice}`;
  });
  return `left out or repaired; --json lists all of them:\n\n${lines.join('\n')}\n`;
}
