import { type Kysely, sql } from 'kysely';
import type { RunQuery, Schema } from '#lib/storage/schema.ts';
import {
  type AccountLimit,
  type AccountUse,
  type LimitUse,
  type Span,
  toSpan,
} from '../budgets.ts';
import { addAmounts } from '../ledger/books.ts';
import type { DayRange } from '../periods.ts';
import { auditBooks, type Drift, repairBooks } from './audit-books.ts';
import { sumOf } from './sum-columns.ts';

/** What an account has used in a period: requests that have ended. */
export type Balance = Readonly<{
  /** `key:ID`, `member:ID`, `group:NAME` or `all`. */
  account: string;
  /** A day `YYYY-MM-DD` or a month `YYYY-MM`, in UTC: a month is the sum of its days. */
  period: string;
  /** Input and output together. */
  tokens: number;
  nanoUsd: number;
}>;

type UsedAmounts = Pick<Balance, 'tokens' | 'nanoUsd'>;

export type BalanceStore = Readonly<{
  /** Of several accounts, by day; those with usage. */
  find: (accounts: readonly string[], days: DayRange) => Promise<Balance[]>;
  /** What several accounts have used in some days together; those with usage. */
  sumOf: (accounts: readonly string[], days: DayRange) => Promise<ReadonlyMap<string, UsedAmounts>>;
  /** Of groups on a day, some of those after an account, by their accounts. */
  groupsOfDay: (
    day: string,
    page: Readonly<{ after: string; limit: number }>,
  ) => Promise<Balance[]>;
  /** Of an account, all months and days. */
  listOf: (account: string) => Promise<Balance[]>;
  /** What is used and reserved of each limit in its period that contains a day (UTC), in their order. */
  readUses: (limits: readonly AccountLimit[], day: string) => Promise<LimitUse[]>;
  /** Compares them and all other sums with the records; what differs. */
  audit: () => Promise<Drift[]>;
  /** Makes what differed what the records say. */
  repair: (drifts: readonly Drift[]) => Promise<void>;
}>;

type BalanceStoreOptions = Readonly<{
  run: RunQuery;
  readLong: RunQuery;
}>;

export function createBalanceStore(options: BalanceStoreOptions): BalanceStore {
  const { run, readLong } = options;
  return {
    find: (accounts, { firstDay, lastDay }) =>
      run((db) =>
        selectBalances(db)
          .where('account', 'in', accounts)
          .where('day', '>=', firstDay)
          .where('day', '<=', lastDay)
          .execute(),
      ),
    sumOf: (accounts, { firstDay, lastDay }) =>
      readLong(async (db) => {
        const sums = await db
          .selectFrom('marquee_balances')
          .select(['account', sumOf('tokens').as('tokens'), sumOf('nano_usd').as('nanoUsd')])
          .where('account', 'in', accounts)
          .where('day', '>=', firstDay)
          .where('day', '<=', lastDay)
          .groupBy('account')
          .execute();
        return new Map(sums.map(({ account, ...used }) => [account, used]));
      }),
    groupsOfDay: (day, { after, limit }) =>
      readLong((db) =>
        selectBalances(db)
          .where('day', '=', day)
          // As in the index.
          .where(sql`substr(account, 1, 4)`, '=', sql.lit('grou'))
          .where('account', '>', after)
          .orderBy('account')
          .limit(limit)
          .execute(),
      ),
    listOf: (account) =>
      run(async (db) => {
        const days = await selectBalances(db).where('account', '=', account).execute();
        const all = [...sumByMonth(account, days), ...days];
        return all.sort((a, b) => (a.period < b.period ? -1 : 1));
      }),
    readUses: (limits, day) =>
      run((db) =>
        Promise.all(
          limits.map(async (limit) => ({ limit, ...(await selectUse(db, toSpan(limit, day))) })),
        ),
      ),
    async audit() {
      const drifts: Drift[] = [];
      for await (const some of auditBooks(readLong)) drifts.push(...some);
      return drifts;
    },
    repair: (drifts) => repairBooks(run, drifts),
  };
}

function selectUse(db: Kysely<Schema>, { account, firstDay, lastDay }: Span): Promise<AccountUse> {
  const sum = (column: Parameters<typeof sumOf>[0]) => sql<number>`coalesce(${sumOf(column)}, 0)`;
  return db
    .selectFrom('marquee_balances')
    .select([
      sum('tokens').as('tokens'),
      sum('nano_usd').as('nanoUsd'),
      sum('reserved_tokens').as('reservedTokens'),
      sum('reserved_nano_usd').as('reservedNanoUsd'),
    ])
    .where('account', '=', account)
    .where('day', '>=', firstDay)
    .where('day', '<=', lastDay)
    .executeTakeFirstOrThrow();
}

function sumByMonth(account: string, days: readonly Balance[]): Balance[] {
  const months = Map.groupBy(days, ({ period }) => period.slice(0, 7));
  return [...months].map(([period, sums]) => ({
    account,
    period,
    tokens: sums.reduce((sum, { tokens }) => addAmounts(sum, tokens), 0),
    nanoUsd: sums.reduce((sum, { nanoUsd }) => addAmounts(sum, nanoUsd), 0),
  }));
}

function selectBalances(db: Kysely<Schema>) {
  return db
    .selectFrom('marquee_balances')
    .select(['account', 'day as period', 'tokens', 'nano_usd as nanoUsd']);
}
