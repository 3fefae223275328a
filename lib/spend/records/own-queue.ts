import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Log } from '#lib/http/log.ts';
import { toFileError } from '#lib/storage/storage-error.ts';
import { createUsageQueue, type UsageQueue } from './usage-queue.ts';

export type OwnQueue = Readonly<{
  /** Of the process, and unique. */
  instance: string;
  /** @throws StorageError that says what is wrong with the disk. */
  use: <T>(run: (queue: UsageQueue) => T) => T;
  /** Null if nothing was stored. */
  current: () => UsageQueue | null;
  /** What is left waits for the next start. */
  release: () => void;
}>;

/** The queue of this process, created when something is stored. */
export function createOwnQueue(
  folder: string,
  { dataDir, log }: Readonly<{ dataDir: string; log: Log }>,
): OwnQueue {
  const instance = randomBytes(9).toString('base64url');
  let queue: UsageQueue | null = null;
  let isFailing = false;
  return {
    instance,
    use(run) {
      try {
        queue ??= createUsageQueue(join(folder, `${instance}.db`));
        const result = run(queue);
        if (isFailing) log.info({}, 'usage can be stored again');
        isFailing = false;
        return result;
      } catch (cause) {
        const error = toFileError(cause, dataDir);
        const fields = { reason: 'usage_not_stored', code: error.code };
        if (!isFailing) log.error(fields, error.message);
        isFailing = true;
        throw error;
      }
    },
    current: () => queue,
    release() {
      if (queue?.isEmpty() === false) log.warn({}, 'usage waits in DATA_DIR for the next start');
      queue?.release();
      queue = null;
    },
  };
}
