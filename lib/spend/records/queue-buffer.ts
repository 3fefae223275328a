import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Log } from '#lib/http/log.ts';
import { toFileError } from '#lib/storage/storage-error.ts';
import type { RejectionCount } from '../store/rejection-store.ts';
import { createUsageQueue, type Place, type QueuedChange, type UsageQueue } from './usage-queue.ts';

/** What is not in the queue yet: of this turn of the event loop, or since the disk is full. */
export function createQueueBuffer(
  path: string,
  { dataDir, log }: Readonly<{ dataDir: string; log: Log }>,
) {
  const changes = new Map<Place, QueuedChange>();
  const rejections = new Map<string, RejectionCount>();
  /** Created with its first record, and again for one that ends after the recorder was closed. */
  let queue: UsageQueue | null = null;
  let storing: Promise<void> | null = null;
  let isDiskFailing = false;

  /** All that begins or ends in one turn of the event loop is one transaction. @throws StorageError */
  function storeSoon(): Promise<void> {
    storing ??= nextTurn().then(() => {
      storing = null;
      store();
    });
    return storing;
  }

  /** It stays in memory while the disk does not take it, as the log says. */
  function tryToStore(): void {
    try {
      store();
    } catch {}
  }

  function store(): void {
    if (changes.size + rejections.size === 0) return;
    try {
      queue ??= createUsageQueue(path);
      queue.write([...changes.values()], [...rejections.values()]);
    } catch (cause) {
      const error = toFileError(cause, dataDir);
      const fields = { reason: 'usage_not_stored', code: error.code };
      if (!isDiskFailing) log.error(fields, error.message);
      isDiskFailing = true;
      throw error;
    }
    if (isDiskFailing) log.info({}, 'usage can be stored again');
    isDiskFailing = false;
    changes.clear();
    rejections.clear();
  }

  return {
    tryToStore,
    storeSoon,
    queue: () => queue,
    add: (change: QueuedChange) => void changes.set(change.place, change),
    remove: (place: Place) => void changes.delete(place),
    addRejection(rejection: RejectionCount) {
      const count = (rejections.get(rejection.id)?.count ?? 0) + rejection.count;
      rejections.set(rejection.id, { ...rejection, count });
    },
    /** Records of requests that have ended. */
    ended: () => [...changes.values()].filter(({ isOpen }) => !isOpen).map(({ record }) => record),
    release() {
      if (queue?.isEmpty() === false) log.warn({}, 'usage waits in DATA_DIR for the next start');
      queue?.release();
      queue = null;
    },
  };
}
