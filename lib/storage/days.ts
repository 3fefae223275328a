import type { Kysely } from 'kysely';
import type { Schema } from './schema.ts';

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** The day that was asked for last: each request asks for the same one several times. */
let last = { day: '', startMs: Number.NaN };

/** The day in UTC, `YYYY-MM-DD`, of a time in Unix ms. */
export function toUtcDay(timeMs: number): string {
  if (!(timeMs >= last.startMs && timeMs < last.startMs + dayMs)) {
    const day = new Date(timeMs).toISOString().slice(0, 10);
    last = { day, startMs: Date.parse(day) };
  }
  return last.day;
}

/** The hour in UTC of a time in Unix ms, as its start: `2026-11-26T14:00Z`. */
export function toUtcHour(timeMs: number): string {
  return `${new Date(timeMs).toISOString().slice(0, 13)}:00Z`;
}

/** Few enough for SQLite, which deletes on the event loop. */
const rowsMax = 250;

/** Deletes one batch of the rows before a day (`YYYY-MM-DD`, UTC); returns how many. */
export async function pruneByDay(
  db: Kysely<Schema>,
  table: 'marquee_usage' | 'marquee_rejections',
  beforeDay: string,
): Promise<number> {
  const old = db.selectFrom(table).select('id').where('day', '<', beforeDay).limit(rowsMax);
  const { numDeletedRows } = await db.deleteFrom(table).where('id', 'in', old).executeTakeFirst();
  return Number(numDeletedRows);
}
