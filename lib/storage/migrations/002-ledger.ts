import type { Migration } from 'kysely/migration';
import type { DatabaseKind } from '../schema.ts';
import { createMigration } from './create-migration.ts';

/**
 * What requests under way have reserved, sums of the requests that have ended, and when each key was last used. From
 * now on, a month is the sum of its days.
 */
export function createLedgerMigration(kind: DatabaseKind): Migration {
  // One b-tree for a table whose rows are found by a composite key, not two.
  const withoutRowid = kind === 'sqlite' ? 'without rowid' : '';
  // In the order of an index, SQLite would look up each record by itself.
  const inOrderOfRecords = kind === 'sqlite' ? 'not indexed' : '';
  return createMigration([
    // PostgreSQL sums millions of records in memory, not on disk.
    ...(kind === 'postgres' ? [`set local work_mem = '256MB'`] : []),
    `create table marquee_balances_of_days (
      account text not null,
      day text not null,
      tokens bigint not null,
      nano_usd bigint not null,
      reserved_tokens bigint not null default 0,
      reserved_nano_usd bigint not null default 0,
      primary key (account, day)
    ) ${withoutRowid}`,
    `insert into marquee_balances_of_days (account, day, tokens, nano_usd)
      select account, period, tokens, nano_usd from marquee_balances
      where length(period) = 10
      order by account, period`,
    'drop table marquee_balances',
    'alter table marquee_balances_of_days rename to marquee_balances',
    'alter table marquee_usage add column reserved_tokens bigint not null default 0',
    'alter table marquee_usage add column reserved_nano_usd bigint not null default 0',
    'create index marquee_usage_member_at on marquee_usage (member_id, at) where member_id is not null',
    'create index marquee_usage_failed_at on marquee_usage (at) where status >= 400',
    'alter table marquee_keys add column used_at bigint',
    // By index (key_id, day): the records of each key's last day.
    `update marquee_keys set used_at = (
      select max(at) from marquee_usage
      where key_id = marquee_keys.id
        and day = (select max(day) from marquee_usage where key_id = marquee_keys.id)
    )`,
    `create table marquee_request_counts (
      key_id text not null primary key,
      minute bigint not null,
      count bigint not null,
      count_before bigint not null
    ) ${withoutRowid}`,
    `create table marquee_usage_by_key (
      key_id text not null,
      day text not null,
      model text not null,
      upstream text not null,
      ${sumColumns},
      primary key (key_id, day, model, upstream)
    ) ${withoutRowid}`,
    `insert into marquee_usage_by_key
      select key_id, day, model, coalesce(upstream, ''), ${sums}
      from marquee_usage ${inOrderOfRecords} where is_counted = 1
      group by key_id, day, model, coalesce(upstream, '')`,
    `create table marquee_usage_by_member (
      member_id text not null,
      day text not null,
      model text not null,
      upstream text not null,
      ${sumColumns},
      primary key (member_id, day, model, upstream)
    ) ${withoutRowid}`,
    `insert into marquee_usage_by_member
      select member_id, day, model, coalesce(upstream, ''), ${sums}
      from marquee_usage ${inOrderOfRecords} where is_counted = 1 and member_id is not null
      group by member_id, day, model, coalesce(upstream, '')`,
    `create table marquee_usage_by_hour (
      hour bigint not null,
      model text not null,
      upstream text not null,
      status integer not null,
      ${sumColumns},
      primary key (hour, model, upstream, status)
    ) ${withoutRowid}`,
    `insert into marquee_usage_by_hour
      select at - at % 3600000, model, coalesce(upstream, ''), status, ${sums}
      from marquee_usage ${inOrderOfRecords} where is_counted = 1
      group by at - at % 3600000, model, coalesce(upstream, ''), status`,
  ]);
}

const sumColumns = `
      requests bigint not null,
      errors bigint not null,
      tokens_in bigint not null,
      tokens_out bigint not null,
      tokens_cached bigint not null,
      tokens_cache_written bigint not null,
      cost_nano_usd bigint not null,
      priced bigint not null,
      first_byte_ms bigint not null,
      first_bytes bigint not null,
      rest_ms bigint not null,
      rest_tokens_out bigint not null,
      rests bigint not null`;

const hasRest = 'first_byte_ms is not null and is_streamed = 1';

/** In the order of their columns. */
const sums = `
        count(*),
        count(case when status >= 400 then 1 end),
        ${toSum('tokens_in')},
        ${toSum('tokens_out')},
        ${toSum('tokens_cached')},
        ${toSum('tokens_cache_written')},
        ${toSum('cost_nano_usd')},
        count(cost_nano_usd),
        ${toSum('first_byte_ms')},
        count(first_byte_ms),
        ${toSum(`case when ${hasRest} and duration_ms > first_byte_ms then duration_ms - first_byte_ms end`)},
        ${toSum(`case when ${hasRest} then tokens_out end`)},
        count(case when ${hasRest} then 1 end)`;

/** Ends at 2^53 - 1, as all sums: a floating-point number never overflows, and is exact up to there. */
function toSum(value: string): string {
  const sum = `coalesce(sum(cast(${value} as double precision)), 0)`;
  return `cast(case when ${sum} > 9007199254740991 then 9007199254740991 else ${sum} end as bigint)`;
}
