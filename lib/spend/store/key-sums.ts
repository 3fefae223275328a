import { type Kysely, sql } from 'kysely';
import { toUtcHour } from '#lib/storage/days.ts';
import type { Schema } from '#lib/storage/schema.ts';
import type { DayRange } from '../periods.ts';
import type { UsageTotals } from '../usage/usage-totals.ts';
import { toSumsOfHours } from './derived-sums.ts';
import { furtherTotals, totals } from './sum-columns.ts';

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

/** By day, oldest first. */
export function selectDaysOfKeys(
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
export async function selectHours(
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
