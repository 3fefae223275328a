import { type Insertable, type Kysely, sql } from 'kysely';
import { addDays } from '#lib/events/model/dates.ts';
import type { ListSort } from '#lib/storage/lists.ts';
import type { RunQuery, Schema } from '#lib/storage/schema.ts';
import { shownDays } from '../budgets.ts';
import { sumOf } from './sum-columns.ts';
import type { SumOwner } from './usage-sums.ts';

/**
 * Those of a list whose requests have cost most in the days that pages show, up to today (UTC). Unknown costs count as none.
 * The days before today are summed up already: to add up thirty balances of each of 20,000 keys took a second.
 */
export function sortByCost(owner: SumOwner, today: string): ListSort {
  const account = sql`${sql.lit(`${owner}:`)} || item.id`;
  // PostgreSQL reads all rows of the day: those of others are left out.
  const isOwner = (column: string) =>
    sql`substr(${sql.ref(column)}, 1, 4) = ${sql.lit(`${owner}:`.slice(0, 4))}`;
  return {
    value: sql<number>`(coalesce(earlier.nano_usd, 0) + coalesce(current.nano_usd, 0))`,
    isText: false,
    isDescending: true,
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

/** How many accounts a query sums up, and how many rows are written in a turn of the event loop. */
const accountsMax = 2_000;
const rowsMax = 250;

/** Sums up the days before today where nobody has done so yet, as after midnight. */
export async function requireRecentCosts(queries: Queries, today: string): Promise<void> {
  const costs = await queries.run((db) =>
    db.selectFrom('marquee_recent_costs').select('day').where('day', '=', today).limit(1).execute(),
  );
  if (costs.length === 0) await sumUpRecentCosts(queries, today);
}

/** Sums up what each key and member has cost in the days that pages show before today. Requests of yesterday may still end. */
export async function sumUpRecentCosts({ run, readLong }: Queries, today: string): Promise<void> {
  let after: string | null = '';
  while (after !== null) {
    const place = { after, today };
    const sums: CostSum[] = await readLong((db) => selectSums(db, place));
    const rows = sums
      .filter(({ nanoUsd, known }) => nanoUsd !== known)
      .map(({ account, nanoUsd }) => ({ account, day: today, nano_usd: nanoUsd }));
    for (let from = 0; from < rows.length; from += rowsMax) {
      await run((db) => saveCosts(db, rows.slice(from, from + rowsMax)));
    }
    after = sums[accountsMax - 1]?.account ?? null;
  }
  await run((db) => db.deleteFrom('marquee_recent_costs').where('day', '<', today).execute());
}

/** `known`: the sum as it is kept for that day; null: it is not. */
type CostSum = Readonly<{ account: string; nanoUsd: number; known: number | null }>;

/** In the order of the primary key. */
async function selectSums(
  db: Kysely<Schema>,
  { after, today }: Readonly<{ after: string; today: string }>,
): Promise<CostSum[]> {
  const sums = db
    .selectFrom('marquee_balances')
    .select(['account', sumOf('nano_usd').as('nanoUsd')])
    .where('account', '>', after)
    .where(sql`substr(account, 1, 4)`, 'in', ['key:', 'memb'])
    .where('day', '>=', addDays(today, 1 - shownDays))
    .where('day', '<', today)
    .groupBy('account')
    .orderBy('account')
    .limit(accountsMax)
    .as('sums');
  return db
    .selectFrom(sums)
    .leftJoin('marquee_recent_costs as cost', (join) =>
      join.onRef('cost.account', '=', 'sums.account').on('cost.day', '=', today),
    )
    .select(['sums.account', 'sums.nanoUsd', 'cost.nano_usd as known'])
    .orderBy('sums.account')
    .execute();
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
