import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from '#lib/storage/database.ts';
import type { AuditLog } from '#lib/storage/stores/audit-log.ts';
import type { RejectionStore } from '../store/rejection-store.ts';
import type { UsageStore } from '../store/usage-store.ts';
import type { UsageQueue } from './usage-queue.ts';

export type UsageStores = Readonly<{
  usage: Pick<UsageStore, 'insert' | 'lease' | 'closeExpired' | 'prune'>;
  rejections: Pick<RejectionStore, 'write' | 'prune'>;
  auditLog: Pick<AuditLog, 'prune'>;
  readClock: Database['readClock'];
}>;

const batchSize = 100;
/** A minute is complete for all clocks after this time. */
const minuteMs = 120_000;

/**
 * Writes what has ended to the database, then removes it from the queue. What was written and not removed is
 * written again, which changes nothing. @param onWritten how many were written. @throws StorageError if the database does not take it.
 */
export async function drainQueue(
  queue: UsageQueue,
  { usage, rejections }: UsageStores,
  now: number,
  onWritten: (count: number) => void = () => {},
): Promise<void> {
  for (;;) {
    const queued = queue.readClosed(batchSize);
    if (queued.length === 0) break;
    await usage.insert(queued.map(({ record }) => record));
    queue.remove(queued.map(({ place }) => place));
    onWritten(queued.length);
    // SQLite writes on the event loop: let requests run in between.
    await nextTurn();
  }
  const counts = queue.readRejections();
  if (counts.length === 0) return;
  await rejections.write(counts);
  queue.markRejections(counts, now - minuteMs);
}
