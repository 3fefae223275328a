import { type Kysely, sql } from 'kysely';
import type { RunQuery, Schema } from '#lib/storage/schema.ts';
import { amountMax } from '../ledger/books.ts';
import { type DerivedTable, derivedTables } from './derived-sums.ts';
import { addOnConflict, toColumns } from './sum-columns.ts';

/** A row of balances or sums that is not what the records say. */
export type Drift = Readonly<{
  table: DerivedTable['table'];
  /** Its primary key. */
  key: Readonly<Record<string, string | number>>;
  /** The amounts that differ. */
  expected: Readonly<Record<string, number>>;
  actual: Readonly<Record<string, number>>;
}>;

const all: readonly DerivedTable[] = Object.values(derivedTables);

/** Finds what differs from the records, by day: each comparison is a statement that locks nothing. */
export async function* auditBooks(readLong: RunQuery): AsyncIterable<readonly Drift[]> {
  const prunedBefore = await readLong(selectPrunedBefore);
  for (let day: string | null = ''; ; ) {
    const after: string = day;
    day = await readLong((db) => selectNextDay(db, { after, prunedBefore }));
    if (day === null) return;
    const audited = day;
    for (const derived of all) {
      const found = await readLong((db) => compare(db, derived, audited));
      if (found.length === 0) continue;
      // What is being erased differs for a moment.
      const again = await readLong((db) => compare(db, derived, audited));
      const names = new Set(found.map(toName));
      const drifts = again.filter((drift) => names.has(toName(drift)));
      if (drifts.length > 0) yield drifts;
    }
  }
}

/** Records of days before it may have been deleted. */
async function selectPrunedBefore(db: Kysely<Schema>): Promise<string> {
  const pruned = db.selectFrom('marquee_usage_pruned').select('before_day');
  return (await pruned.executeTakeFirstOrThrow()).before_day;
}

type Days = Readonly<{ after: string; prunedBefore: string }>;

/** The first day after another of which there is anything. */
async function selectNextDay(
  db: Kysely<Schema>,
  { after, prunedBefore }: Days,
): Promise<string | null> {
  const ofTable = (table: string) =>
    sql`select min(day) as day from ${sql.table(table)}
      where day > ${after} and day >= ${prunedBefore}`;
  const { rows } = await sql<{ day: string | null }>`
    select min(day) as day from (
      ${sql.join(tablesWithDays.map(ofTable), sql` union all `)}
    ) as first
  `.execute(db);
  return rows[0]?.day ?? null;
}

const tablesWithDays = [
  'marquee_usage',
  'marquee_balances',
  'marquee_usage_by_key',
  'marquee_usage_by_member',
];

type ComparedRow = Readonly<{ side: 'expected' | 'actual' } & Record<string, string | number>>;

async function compare(db: Kysely<Schema>, derived: DerivedTable, day: string): Promise<Drift[]> {
  const { table, key, amounts } = derived;
  const columns = toColumns([...key, ...amounts]);
  const isSomething = sql`(${sql.join(
    amounts.map((name) => sql`${sql.ref(name)} <> 0`),
    sql` or `,
  )})`;
  const { rows } = await sql<ComparedRow>`
    with expected as materialized (
      select ${columns} from (${derived.toExpected(day)}) as sums where ${isSomething}
    ), actual as materialized (
      select ${columns} from ${sql.table(table)} where ${derived.isOfDay(day)} and ${isSomething}
    )
    select 'expected' as side, missing.* from
      (select * from expected except select * from actual) as missing
    union all
    select 'actual' as side, surplus.* from
      (select * from actual except select * from expected) as surplus
  `.execute(db);
  return toDrifts(derived, rows);
}

function toDrifts({ table, key, amounts }: DerivedTable, rows: readonly ComparedRow[]): Drift[] {
  const sides = new Map<string, { expected?: ComparedRow; actual?: ComparedRow }>();
  for (const row of rows) {
    const name = JSON.stringify(key.map((column) => row[column]));
    sides.set(name, { ...sides.get(name), [row.side]: row });
  }
  return [...sides.values()].flatMap(({ expected, actual }) => {
    const row = expected ?? actual;
    const differing = amounts.filter((name) => {
      const is = Number(actual?.[name] ?? 0);
      // A sum at its bound stays there, also when a request is corrected.
      return is !== Number(expected?.[name] ?? 0) && is < amountMax;
    });
    if (row === undefined || differing.length === 0) return [];
    const pick = (side: ComparedRow | undefined) =>
      Object.fromEntries(differing.map((name) => [name, Number(side?.[name] ?? 0)]));
    const names = key.map((column) => [column, row[column] ?? '']);
    return {
      table,
      key: Object.fromEntries(names),
      expected: pick(expected),
      actual: pick(actual),
    };
  });
}

function toName({ key, expected, actual }: Drift): string {
  return JSON.stringify([key, expected, actual]);
}

/**
 * Adds to rows what they lack of the records, or takes away what they have too much. What requests have added since
 * the difference was found is part of both, so that it stays right. Each row by itself: it waits for nothing else.
 */
export async function repairBooks(run: RunQuery, drifts: readonly Drift[]): Promise<void> {
  for (const drift of drifts) await run((db) => repair(db, drift));
}

async function repair(db: Kysely<Schema>, drift: Drift): Promise<void> {
  const { table, key, expected, actual } = drift;
  const amounts = all.find((derived) => derived.table === table)?.amounts ?? [];
  const row = Object.fromEntries(
    amounts.map((name) => [name, (expected[name] ?? 0) - (actual[name] ?? 0)]),
  );
  const values = { ...key, ...row };
  await sql`
    insert into ${sql.table(table)} (${toColumns(Object.keys(values))})
    values (${sql.join(Object.values(values))})
    ${addOnConflict({ table, key: Object.keys(key), amounts })}
  `.execute(db);
}
