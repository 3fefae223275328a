import { readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Log } from '#lib/http/log.ts';
import { toErrorCode } from '#lib/storage/storage-error.ts';
import type { RejectionStore } from '../store/rejection-store.ts';
import type { UsageStore } from '../store/usage-store.ts';
import { adoptUsageQueue, type UsageQueue } from './usage-queue.ts';

export type DrainOptions = Readonly<{
  stores: Readonly<{
    usage: Pick<UsageStore, 'insert'>;
    rejections: Pick<RejectionStore, 'write'>;
  }>;
  now: () => number;
  log: Log;
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
  { stores, now, log }: DrainOptions,
  onWritten: (count: number) => void = () => {},
): Promise<void> {
  for (;;) {
    const queued = queue.readEnded(batchSize);
    if (queued.length === 0) break;
    const { saturated, setAside } = await stores.usage.insert(queued.map(({ record }) => record));
    for (const balance of saturated) {
      log.warn({ reason: 'balance_saturated', balance }, 'a balance has reached its bound');
    }
    for (const { id, reason } of setAside) {
      log.error({ reason: 'usage_set_aside', id, code: reason }, 'a record cannot be counted');
    }
    queue.remove(queued.map(({ place }) => place));
    onWritten(queued.length);
    // SQLite writes on the event loop: let requests run in between.
    await nextTurn();
  }
  const counts = queue.readRejections();
  if (counts.length === 0) return;
  await stores.rejections.write(counts);
  queue.markRejections(counts, now() - minuteMs);
}

/**
 * Writes to the database what dead processes have left behind. Requests that were under way are charged as they
 * stand. @throws StorageError if the database does not take it.
 */
export async function adoptQueues(folder: string, options: DrainOptions): Promise<void> {
  for (const path of listQueues(folder)) {
    const queue = openQueue(path, options.log);
    if (queue === null) continue;
    try {
      queue.endAll();
      await drainQueue(queue, options);
      options.log.info({ queue: path }, 'usage of a dead process is written');
    } finally {
      queue.release();
    }
  }
}

/** The files of all processes, living or dead. */
export function listQueues(folder: string): string[] {
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith('.db'));
    return names.map((name) => join(folder, name));
  } catch {
    // Nothing was ever queued here.
    return [];
  }
}

function openQueue(path: string, log: Log): UsageQueue | null {
  try {
    return adoptUsageQueue(path);
  } catch (error) {
    const code = toErrorCode(error);
    // SQLITE_CORRUPT and SQLITE_NOTADB: as after a power cut on a disk that lies. It is not tried again.
    const isDamaged = ['SQLITE_11', 'SQLITE_26'].includes(code);
    if (isDamaged) renameSync(path, `${path}.damaged`);
    log.error({ reason: 'usage_unreadable', code, path }, 'queued usage cannot be read');
    return null;
  }
}
