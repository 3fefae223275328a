import { type Kysely, type RawBuilder, sql } from 'kysely';
import { dayMs, hourMs } from '#lib/storage/days.ts';
import type { Schema } from '#lib/storage/schema.ts';
import { amountMax } from '../ledger/books.ts';
import type { UsageTotals } from '../usage/usage-totals.ts';
import { amounts, sumOf } from './sum-columns.ts';

/** A table that follows from the records: each of its rows sums up records of one day. */
export type DerivedTable = Readonly<{
  table:
    | 'marquee_balances'
    | 'marquee_usage_by_key'
    | 'marquee_usage_by_member'
    | 'marquee_usage_by_hour';
  /** Its primary key. */
  key: readonly string[];
  amounts: readonly string[];
  /** What it should contain of a day (`YYYY-MM-DD`, UTC), by the records; all columns, in the order of key and amounts. */
  toExpected: (day: string) => RawBuilder<unknown>;
  /** Which of its rows are of a day. */
  isOfDay: (day: string) => RawBuilder<boolean>;
}>;

/** Only streams have a rest: a complete reply comes at once. */
const hasRest = 'first_byte_ms is not null and is_streamed = 1';

/** The columns of the three sums, by what they sum up of each record. */
const sumsOf: Readonly<Record<string, string>> = {
  requests: '1',
  errors: 'case when status >= 400 then 1 end',
  tokens_in: 'tokens_in',
  tokens_out: 'tokens_out',
  tokens_cached: 'tokens_cached',
  tokens_cache_written: 'tokens_cache_written',
  cost_nano_usd: 'cost_nano_usd',
  priced: 'case when cost_nano_usd is not null then 1 end',
  first_byte_ms: 'first_byte_ms',
  first_bytes: 'case when first_byte_ms is not null then 1 end',
  rest_ms: `case when ${hasRest} and duration_ms > first_byte_ms then duration_ms - first_byte_ms end`,
  rest_tokens_out: `case when ${hasRest} then tokens_out end`,
  rests: `case when ${hasRest} then 1 end`,
};

const model = { model: 'model', upstream: `coalesce(upstream, '')` };
const hour = `at - at % ${hourMs}`;

const balanceAmounts = ['tokens', 'nano_usd', 'reserved_tokens', 'reserved_nano_usd'];

export const derivedTables = {
  balances: {
    table: 'marquee_balances',
    key: ['account', 'day'],
    amounts: balanceAmounts,
    toExpected: toExpectedBalances,
    isOfDay,
  },
  sumsByKey: toSums('marquee_usage_by_key', { key_id: 'key_id', day: 'day', ...model }, isOfDay),
  sumsByMember: toSums(
    'marquee_usage_by_member',
    { member_id: 'member_id', day: 'day', ...model },
    isOfDay,
  ),
  sumsByHour: toSums('marquee_usage_by_hour', { hour, ...model, status: 'status' }, isOfHours),
} as const satisfies Readonly<Record<string, DerivedTable>>;

function isOfDay(day: string): RawBuilder<boolean> {
  return sql`day = ${day}`;
}

function isOfHours(day: string): RawBuilder<boolean> {
  const startMs = Date.parse(day);
  return sql`hour >= ${startMs} and hour < ${startMs + dayMs}`;
}

/** @param key its columns, by how they follow from a record. */
function toSums(
  table: DerivedTable['table'],
  key: Readonly<Record<string, string>>,
  isOf: DerivedTable['isOfDay'],
): DerivedTable {
  const groups = Object.values(key).join(', ');
  const columns = toSumColumns(key);
  const owner = 'member_id' in key ? ' and member_id is not null' : '';
  return {
    table,
    key: Object.keys(key),
    amounts: Object.keys(sumsOf),
    toExpected: (day) =>
      sql`select ${sql.raw(columns)} from marquee_usage
        where day = ${day} and is_counted = 1${sql.raw(owner)} group by ${sql.raw(groups)}`,
    isOfDay: isOf,
  };
}

/** What records are summed up by, and all sums. */
function toSumColumns(key: Readonly<Record<string, string>>): string {
  return [
    ...Object.entries(key).map(([name, value]) => `${value} as ${name}`),
    ...Object.entries(sumsOf).map(([name, value]) => `${toSum(value)} as ${name}`),
  ].join(', ');
}

/** The sums of a member’s records since a time (Unix ms) by hour, model and key, in the columns of the tables of sums. */
export function toSumsOfHours(memberId: string, sinceMs: number): RawBuilder<unknown> {
  const key = { hour, model: 'model', key_id: 'key_id' };
  return sql`select ${sql.raw(toSumColumns(key))} from marquee_usage
    where member_id = ${memberId} and at >= ${sinceMs} and is_counted = 1
    group by ${sql.raw(Object.values(key).join(', '))}`;
}

/** First by who pays, since a request has up to four accounts. */
function toExpectedBalances(day: string): RawBuilder<unknown> {
  const payers = sql.raw('key_id, member_id, group_name');
  const counted = (value: string) => sql.raw(toSum(`case when is_counted = 1 then ${value} end`));
  const sums = sql.raw(balanceAmounts.map((name) => `${toSum(name)} as ${name}`).join(', '));
  const of = (account: string, owner: string | null) => {
    const condition = owner === null ? '' : `where ${owner} is not null`;
    return sql.raw(
      `select ${account} as account, ${balanceAmounts.join(', ')} from by_payer ${condition}`,
    );
  };
  return sql`select account, ${sql.lit(day)} as day, ${sums} from (
    with by_payer as (
      select ${payers}, ${counted('tokens_in + tokens_out')} as tokens,
        ${counted('cost_nano_usd')} as nano_usd,
        ${sql.raw(toSum('reserved_tokens'))} as reserved_tokens,
        ${sql.raw(toSum('reserved_nano_usd'))} as reserved_nano_usd
      from marquee_usage where day = ${day} group by ${payers}
    )
    ${of(`'key:' || key_id`, null)} union all ${of(`'member:' || member_id`, 'member_id')}
    union all ${of(`'group:' || group_name`, 'group_name')} union all ${of(`'all'`, null)}
  ) as by_account group by account`;
}

/** A floating-point number never overflows, and is exact up to the bound. */
function toSum(value: string): string {
  const sum = `coalesce(sum(cast(${value} as double precision)), 0)`;
  return `cast(case when ${sum} > ${amountMax} then ${amountMax} else ${sum} end as bigint)`;
}

/** What a session of a coding agent has used with a key. */
export type SessionUsageSum = UsageTotals &
  Readonly<{
    session: string;
    keyId: string;
    /** When the last of the requests arrived, Unix ms. */
    lastAt: number;
  }>;

/** Of the newest requests of a member. */
const sessionRequestsMax = 1_000;

export function selectSessions(
  db: Kysely<Schema>,
  memberId: string,
  since: number,
): Promise<SessionUsageSum[]> {
  const newest = db
    .selectFrom('marquee_usage')
    .selectAll()
    .where('member_id', '=', memberId)
    .where('at', '>=', since)
    .orderBy('at', 'desc')
    .limit(sessionRequestsMax)
    .as('newest');
  return db
    .selectFrom(newest)
    .select(({ fn }) => [
      fn.countAll<number>().as('requests'),
      ...amounts,
      sql<number | null>`${sumOf('cost_nano_usd')} / 1e9`.as('costUsd'),
      'key_id as keyId',
      sql<string>`session`.as('session'),
      fn.max<number>('at').as('lastAt'),
    ])
    .where('session', 'is not', null)
    .where('lease_until', 'is', null)
    .groupBy(['session', 'key_id'])
    .orderBy('lastAt', 'desc')
    .execute();
}
