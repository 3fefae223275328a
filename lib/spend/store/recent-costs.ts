import { type Insertable, type Kysely, sql } from 'kysely';
import { addDays } from '#lib/events/model/dates.ts';
import { toUtcDay } from '#lib/storage/days.ts';
import type { ListOrder } from '#lib/storage/lists.ts';
import type { RunQuery, Schema } from '#lib/storage/schema.ts';
import { shownDays } from '../budgets.ts';
import { sumOf } from './sum-columns.ts';
import type { SumOwner } from './usage-sums.ts';

/**
 * Those of a list whose requests have cost most in the days that pages show, up to that of a time (UTC). Unknown costs count as none.
 * The days before today are summed up already: to add up thirty balances of each of 20,000 keys took a second.
 */
export function sortByCost(owner: SumOwner, now: number): ListOrder {
  const today = toUtcDay(now);
  const account = sql`${sql.lit(`${owner}:`)} || item.id`;
  // PostgreSQL reads all rows of the day: those of others are left out.
  const isOwner = (column: string) =>
    sql`substr(${sql.ref(column)}, 1, 4) = ${sql.lit(`${owner}:`.slice(0, 4))}`;
  return {
    value: sql<number>`(coalesce(earlier.nano_usd, 0) + coalesce(current.nano_usd, 0))`,
    isText: false,
    isDescending: true,
    prepare: (queries) => requireRecentCosts(queries, today),
    join: sql`
      left join marquee_recent_costs as earlier
        on earlier.account = ${account} and ${isOwner('earlier.account')}
      left join marquee_balances as current
        on current.account = ${account} and current.day = ${today}
        and ${isOwner('current.account')}`,
  };
}

type Queries = Readonly<{ run: RunQuery; readLong: RunQuery }>;
type RecentCost = Insertable<Schema['marquee_recent_costs']>;

/** How many keys or members a query sums up, and how many rows are written in a turn of the event loop. */
const ownersMax = 2_000;
const rowsMax = 250;

/** Sums up the days before today where nobody has done so yet, as after midnight. */
async function requireRecentCosts(queries: Queries, today: string): Promise<void> {
  const costs = await queries.run((db) =>
    db.selectFrom('marquee_recent_costs').select('day').where('day', '=', today).limit(1).execute(),
  );
  if (costs.length === 0) await sumUpRecentCosts(queries, today);
}

/** Sums up what each key and member has cost in the days that pages show before today. Requests of yesterday may still end. */
export async function sumUpRecentCosts({ run, readLong }: Queries, today: string): Promise<void> {
  for (const owner of ['key', 'member'] as const) {
    let after: string | null = '';
    while (after !== null) {
      const place = { owner, after, today };
      const sums: readonly CostSum[] = await readLong((db) => selectSums(db, place));
      const rows = sums
        .filter(({ nanoUsd, known }) => nanoUsd !== known)
        .map(({ id, nanoUsd }) => ({
          account: `${owner}:${id}`,
          day: today,
          nano_usd: nanoUsd ?? 0,
        }));
      for (let from = 0; from < rows.length; from += rowsMax) {
        await run((db) => saveCosts(db, rows.slice(from, from + rowsMax)));
      }
      after = sums[ownersMax - 1]?.id ?? null;
    }
  }
  await run((db) => db.deleteFrom('marquee_recent_costs').where('day', '<', today).execute());
}

/** Null: nothing was used. `known`: the sum as it is kept for that day; null: none is. */
type CostSum = Readonly<{ id: string; nanoUsd: number | null; known: number | null }>;
type Place = Readonly<{ owner: SumOwner; after: string; today: string }>;

/** For each owner by the primary keys of both tables: of the other days, which may be four hundred, nothing is read. */
async function selectSums(
  db: Kysely<Schema>,
  { owner, after, today }: Place,
): Promise<readonly CostSum[]> {
  const account = sql`${sql.lit(`${owner}:`)} || item.id`;
  const { rows } = await sql<CostSum>`
    select item.id, (
      select nano_usd from marquee_recent_costs where account = ${account} and day = ${today}
    ) as known, (
      select ${sumOf('nano_usd')} from marquee_balances
      where account = ${account} and day >= ${addDays(today, 1 - shownDays)} and day < ${today}
    ) as "nanoUsd"
    from ${sql.table(`marquee_${owner}s`)} as item
    where item.id > ${after} order by item.id limit ${ownersMax}`.execute(db);
  return rows;
}

async function saveCosts(db: Kysely<Schema>, rows: readonly RecentCost[]): Promise<void> {
  await db
    .insertInto('marquee_recent_costs')
    .values(rows)
    .onConflict((on) =>
      on.column('account').doUpdateSet((row) => ({
        day: row.ref('excluded.day'),
        nano_usd: row.ref('excluded.nano_usd'),
      })),
    )
    .execute();
}
