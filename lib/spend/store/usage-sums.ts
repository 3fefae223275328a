import { type Kysely, sql } from 'kysely';
import { toUtcDay, toUtcHour } from '#lib/storage/days.ts';
import type { RunQuery, Schema } from '#lib/storage/schema.ts';
import { type DayRange, listDays } from '../periods.ts';
import type { UsageTotals } from '../usage/usage-totals.ts';
import { createClosedDays } from './closed-days.ts';
import { type SessionUsageSum, selectSessions, toSumsOfHours } from './derived-sums.ts';
import { furtherTotals, sumOf, totals } from './sum-columns.ts';

/** Usage of one model on one day (`YYYY-MM-DD`, UTC). */
export type UsageSum = Readonly<{ day: string; model: string }> & UsageTotals;

/** Usage of the whole site with one model and HTTP status on one day. */
type SiteUsageSum = UsageSum & Readonly<{ status: number }>;

/** Usage of one key and model on one day or in one hour. */
export type KeyUsageSum = UsageTotals &
  Readonly<{
    keyId: string;
    model: string;
    /** `2026-11-26`, or `2026-11-26T14:00Z`. */
    period: string;
    /** Requests with a status of 400 or above, and those with a known cost. */
    errors: number;
    priced: number;
    /** The time to the first byte, and how many requests have one. */
    firstByteMs: number;
    firstBytes: number;
    /** Of streams: the time after the first byte, and their output tokens. */
    restMs: number;
    restTokensOut: number;
  }>;

export type MemberDaySum = UsageTotals & Readonly<{ memberId: string }>;

/** How a model has done for the whole site. */
export type ModelSum = Readonly<{
  model: string;
  requests: number;
  /** Those that ended with a 5xx. */
  failed: number;
  /** On average, from the request to the first byte of the reply; null: unknown. */
  firstByteMs: number | null;
  /** On average, once a streamed reply has begun. */
  tokensPerSecond: number | null;
}>;

/** `at` is Unix ms. */
export type FailedRequest = Readonly<{
  at: number;
  status: number;
  model: string;
  keyId: string;
  /** null: the key is the operator's. */
  memberId: string | null;
}>;

/** Whose sums there are. */
export type SumOwner = 'key' | 'member';

/**
 * Sums of the requests that have ended, which are summed up when they end: what is read here does not grow with the
 * number of requests. Where single records are read, it is by index, and a bounded number.
 */
export type UsageSums = Readonly<{
  /** From a day on, newest first. */
  sumByDayAndModel: (keyId: string, fromDay: string) => Promise<UsageSum[]>;
  /** Of several keys by day, oldest first. */
  sumOfKeys: (keyIds: readonly string[], days: DayRange) => Promise<KeyUsageSum[]>;
  /** Of a member by hour, since one (Unix ms), oldest first: it reads the records of that time. */
  sumOfHours: (memberId: string, sinceMs: number) => Promise<KeyUsageSum[]>;
  /** Of members on a day, some of those after an id, by their ids. */
  membersOfDay: (
    day: string,
    page: Readonly<{ after: string; limit: number }>,
  ) => Promise<MemberDaySum[]>;
  /** Of each key or member, from a day on; those with usage. */
  totalsOf: (
    owner: SumOwner,
    ids: readonly string[],
    fromDay: string,
  ) => Promise<ReadonlyMap<string, UsageTotals>>;
  /** The keys or members that have used most tokens from a day to another. About: of each day the largest are compared. */
  findLargest: (owner: SumOwner, fromDay: string, toDay: string) => Promise<readonly string[]>;
  /** The models that a member has used from a day on, by name. */
  modelsOf: (memberId: string, fromDay: string) => Promise<string[]>;
  /** Of the whole site, from a day to today. */
  sumOfSite: (fromDay: string, today: string) => Promise<readonly SiteUsageSum[]>;
  /** Of the site by model, from a time on (Unix ms, of whole hours). */
  sumOfModels: (sinceMs: number) => Promise<ModelSum[]>;
  /** The newest requests with a status of 400 or above, from a day on, without those that were rejected. */
  lastFailures: (fromDay: string, count: number) => Promise<FailedRequest[]>;
  /** The coding sessions of a member's newest requests since a time (Unix ms), at most 1,000 of them; the latest first. */
  sumOfSessions: (memberId: string, since: number) => Promise<SessionUsageSum[]>;
}>;

/** How many accounts of a day are compared, and how many of all days are returned. */
const largestOfDay = 50;
const largestMax = 20;

/** @param readLong all but the sums of one key are read by it. */
export function createUsageSums(run: RunQuery, readLong: RunQuery): UsageSums {
  return {
    sumByDayAndModel: (keyId, fromDay) => run((db) => selectDaysOfKey(db, keyId, fromDay)),
    sumOfKeys: (keyIds, days) => readLong((db) => selectDaysOfKeys(db, keyIds, days)),
    sumOfHours: (memberId, sinceMs) => readLong((db) => selectHours(db, memberId, sinceMs)),
    membersOfDay: (day, { after, limit }) =>
      readLong((db) =>
        db
          .selectFrom('marquee_usage_by_member')
          .select(totals)
          .select('member_id as memberId')
          .where('day', '=', day)
          .where('member_id', '>', after)
          .groupBy('member_id')
          .orderBy('member_id')
          .limit(limit)
          .execute(),
      ),
    async totalsOf(owner, ids, fromDay) {
      if (ids.length === 0) return new Map();
      const rows = await readLong((db) => selectTotals(db, owner, { ids, fromDay }));
      return new Map(rows.map(({ id, ...sums }) => [id, sums]));
    },
    modelsOf: (memberId, fromDay) => readLong((db) => selectModels(db, memberId, fromDay)),
    findLargest: (owner, fromDay, toDay) =>
      readLong((db) => selectLargest(db, owner, listDays(fromDay, toDay))),
    sumOfSite: createClosedDays((fromDay) => readLong((db) => selectSite(db, fromDay))),
    sumOfModels: (sinceMs) => readLong((db) => selectModelSums(db, sinceMs)),
    lastFailures: (fromDay, count) => readLong((db) => selectFailures(db, fromDay, count)),
    sumOfSessions: (memberId, since) => readLong((db) => selectSessions(db, memberId, since)),
  };
}

function selectDaysOfKey(db: Kysely<Schema>, keyId: string, fromDay: string): Promise<UsageSum[]> {
  return db
    .selectFrom('marquee_usage_by_key')
    .select(totals)
    .select(['day', 'model'])
    .where('key_id', '=', keyId)
    .where('day', '>=', fromDay)
    .groupBy(['day', 'model'])
    .orderBy('day', 'desc')
    .orderBy('model')
    .execute();
}

/** By day, oldest first. */
function selectDaysOfKeys(
  db: Kysely<Schema>,
  keyIds: readonly string[],
  { firstDay, lastDay }: DayRange,
): Promise<KeyUsageSum[]> {
  return db
    .selectFrom('marquee_usage_by_key')
    .select([...totals, ...furtherTotals])
    .select(['day as period', 'model', 'key_id as keyId'])
    .where('key_id', 'in', keyIds)
    .where('day', '>=', firstDay)
    .where('day', '<=', lastDay)
    .groupBy(['day', 'model', 'key_id'])
    .orderBy('day')
    .orderBy('model')
    .execute();
}

/** By hour, since one (Unix ms), oldest first. */
async function selectHours(
  db: Kysely<Schema>,
  memberId: string,
  sinceMs: number,
): Promise<KeyUsageSum[]> {
  const rows = await db
    .selectFrom(sql<HourRow>`(${toSumsOfHours(memberId, sinceMs)})`.as('hours'))
    .select([...totals, ...furtherTotals])
    .select(['hour', 'model', 'key_id as keyId'])
    .groupBy(['hour', 'model', 'key_id'])
    .orderBy('hour')
    .orderBy('model')
    .execute();
  return rows.map(({ hour, ...sum }) => ({ period: toUtcHour(hour), ...sum }));
}

type HourRow = Pick<Schema['marquee_usage'], 'model' | 'key_id'> & Readonly<{ hour: number }>;

function selectTotals(
  db: Kysely<Schema>,
  owner: SumOwner,
  { ids, fromDay }: Readonly<{ ids: readonly string[]; fromDay: string }>,
) {
  const id = sql.ref<string>(`${owner}_id`);
  return db
    .selectFrom(`marquee_usage_by_${owner}`)
    .select(totals)
    .select(id.as('id'))
    .where(id, 'in', ids)
    .where('day', '>=', fromDay)
    .groupBy(id)
    .execute();
}

async function selectModels(
  db: Kysely<Schema>,
  memberId: string,
  fromDay: string,
): Promise<string[]> {
  const rows = await db
    .selectFrom('marquee_usage_by_member')
    .select('model')
    .distinct()
    .where('member_id', '=', memberId)
    .where('day', '>=', fromDay)
    .orderBy('model')
    .execute();
  return rows.map(({ model }) => model);
}

async function selectModelSums(db: Kysely<Schema>, sinceMs: number): Promise<ModelSum[]> {
  const rows = await db
    .selectFrom('marquee_usage_by_hour')
    .select([
      'model',
      sumOf('requests').as('requests'),
      sql<number>`sum(case when status >= 500 then requests else 0 end)`.as('failed'),
      sql<number | null>`case when sum(first_bytes) > 0
            then cast(sum(first_byte_ms) as double precision) / sum(first_bytes) end`.as(
        'firstByteMs',
      ),
      sql<number | null>`case when sum(rest_ms) > 0
            then cast(sum(rest_tokens_out) as double precision) * 1000 / sum(rest_ms) end`.as(
        'tokensPerSecond',
      ),
    ])
    .where('hour', '>=', sinceMs)
    .groupBy('model')
    .execute();
  return rows.map((row) => ({ ...row, failed: Number(row.failed) }));
}

function selectFailures(
  db: Kysely<Schema>,
  fromDay: string,
  count: number,
): Promise<FailedRequest[]> {
  return (
    db
      .selectFrom('marquee_usage')
      .select(['at', 'status', 'model', 'key_id as keyId', 'member_id as memberId'])
      .where('at', '>=', Date.parse(fromDay))
      // As in the index: SQLite does not find it with a parameter.
      .where('status', '>=', sql.lit(400))
      .where('is_counted', '=', sql.lit(1))
      .orderBy('at', 'desc')
      .limit(count)
      .execute()
  );
}

async function selectSite(db: Kysely<Schema>, fromDay: string): Promise<SiteUsageSum[]> {
  const rows = await db
    .selectFrom('marquee_usage_by_hour')
    .select(totals)
    .select([startOfDay.as('dayMs'), 'model', 'status'])
    .where('hour', '>=', Date.parse(fromDay))
    .groupBy([startOfDay, 'model', 'status'])
    .execute();
  return rows.map(({ dayMs: startMs, ...sum }) => ({ day: toUtcDay(startMs), ...sum }));
}

const startOfDay = sql<number>`(hour - hour % 86400000)`;

/** SQLite takes no more than 500 parts. */
const partsMax = 100;

/** The balances with the most tokens of each day, by index, added up. */
async function selectLargest(
  db: Kysely<Schema>,
  owner: SumOwner,
  days: readonly string[],
): Promise<readonly string[]> {
  const prefix = `${owner}:`;
  const tokensOf = new Map<string, number>();
  for (let from = 0; from < days.length; from += partsMax) {
    const ofDays = days.slice(from, from + partsMax).map(
      (day) => sql`select * from (
        select account, tokens from marquee_balances
        where day = ${day} and substr(account, 1, 4) = ${sql.lit(prefix.slice(0, 4))}
        order by magnitude desc limit ${sql.lit(largestOfDay)}
      ) as largest`,
    );
    const parts = sql<{ account: string; tokens: number }>`${sql.join(ofDays, sql` union all `)}`;
    for (const { account, tokens } of (await parts.execute(db)).rows) {
      tokensOf.set(account, (tokensOf.get(account) ?? 0) + tokens);
    }
  }
  const largest = [...tokensOf].sort(([, a], [, b]) => b - a).slice(0, largestMax);
  return largest.map(([account]) => account.slice(prefix.length));
}
