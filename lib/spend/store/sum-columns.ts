import { sql } from 'kysely';
import type { sums } from '#lib/storage/tables/account-tables.ts';

type AmountColumn =
  | keyof typeof sums
  | 'tokens'
  | 'nano_usd'
  | 'reserved_tokens'
  | 'reserved_nano_usd';

export function toColumns(names: readonly string[]) {
  return sql.join(names.map((name) => sql.ref(name)));
}

type SumTable = Readonly<{ table: string; key: readonly string[]; amounts: readonly string[] }>;

/** Of an insert: the amounts are added to those of the row that is there. */
export function addOnConflict({ table, key, amounts }: SumTable) {
  const added = amounts.map((name) => {
    const sum = sql`${sql.ref(`${table}.${name}`)} + ${sql.ref(`excluded.${name}`)}`;
    return sql`${sql.ref(name)} = ${sum}`;
  });
  return sql`on conflict (${toColumns(key)}) do update set ${sql.join(added)}`;
}

/** As a floating-point number, which never overflows and is exact up to 2^53. */
export function sumOf(column: AmountColumn) {
  return sql<number>`sum(cast(${sql.ref(column)} as double precision))`;
}

/** Of single requests, too. */
export const amounts = [
  sumOf('tokens_in').as('tokensIn'),
  sumOf('tokens_out').as('tokensOut'),
  sumOf('tokens_cached').as('cachedTokens'),
  sumOf('tokens_cache_written').as('cacheWriteTokens'),
] as const;

/** Of rows of the three tables of sums. */
export const totals = [
  sumOf('requests').as('requests'),
  ...amounts,
  sql<number | null>`case when ${sumOf('priced')} > 0 then ${sumOf('cost_nano_usd')} / 1e9 end`.as(
    'costUsd',
  ),
] as const;

/** How many of them have failed, how many have a known cost, and what their speed follows from. */
export const furtherTotals = [
  sumOf('errors').as('errors'),
  sumOf('priced').as('priced'),
  sumOf('first_byte_ms').as('firstByteMs'),
  sumOf('first_bytes').as('firstBytes'),
  sumOf('rest_ms').as('restMs'),
  sumOf('rest_tokens_out').as('restTokensOut'),
] as const;
