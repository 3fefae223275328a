import type { HistoryHead } from './history-rows.ts';

/** Which table is read, and how its rows become events. */
export type TableReading = Readonly<{ table: string; reading: string }>;

/** An instance that has recorded no read for so long is no longer there. */
const silenceMaxMs = 600_000;

/**
 * Whether another instance has replaced what this one has recorded, and still reads. If both went on, each would
 * silently replace the other’s events, and nothing would ever be a change.
 * @param own what this process has recorded; null before its first read.
 */
export function isReplaced(head: HistoryHead, own: TableReading | null, nowMs: number): boolean {
  if (own === null || isSameReading(head, own)) return false;
  return head.read_at > nowMs - silenceMaxMs;
}

export function isSameReading(head: HistoryHead, { table, reading }: TableReading): boolean {
  return head.table_name === table && head.reading === reading;
}

export const replacedText =
  'another instance reads the table in another way, so this one records no changes: give all the same version and settings';
export const replacingText =
  'the table is read in another way than before: what differs is no change of events';
