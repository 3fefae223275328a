import { readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '#lib/http/log.ts';
import { toErrorCode } from '#lib/storage/storage-error.ts';
import { drainQueue, type UsageStores } from './drain-queue.ts';
import { adoptUsageQueue, type UsageQueue } from './usage-queue.ts';

export type AdoptOptions = Readonly<{
  folder: string;
  stores: UsageStores;
  now: () => number;
  log: Log;
}>;

/**
 * Writes to the database what processes have left behind that are gone. Requests that were under way are
 * charged as they stand. @throws StorageError if the database does not take it.
 */
export async function adoptQueues({ folder, stores, now, log }: AdoptOptions): Promise<void> {
  for (const name of listQueues(folder)) {
    const path = join(folder, name);
    const queue = openQueue(path, log);
    if (queue === null) continue;
    try {
      queue.closeAll();
      await drainQueue(queue, stores, now());
      log.info({ queue: name }, 'usage of a process that is gone is written');
    } finally {
      queue.release();
    }
  }
}

function listQueues(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.db'));
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
