import { sql } from 'kysely';
import type { RunQuery } from '#lib/storage/schema.ts';
import { sumOf } from './sum-columns.ts';

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

/** Sums of the site by model, from a time on (Unix ms, of whole hours). */
export type SumOfModels = (sinceMs: number) => Promise<ModelSum[]>;

export function createModelSums(readLong: RunQuery): SumOfModels {
  return (sinceMs) =>
    readLong((db) =>
      db
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
        .execute(),
    ).then((rows) => rows.map((row) => ({ ...row, failed: Number(row.failed) })));
}
