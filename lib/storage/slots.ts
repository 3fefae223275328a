import { StorageError } from './storage-error.ts';

/** A limit of how much works at once. */
export type Slots = Readonly<{
  /** Waits for a free one, in order. @throws StorageError if none gets free in time. */
  acquire: () => Promise<void>;
  release: () => void;
}>;

type SlotOptions = Readonly<{
  max: number;
  waitMaxMs: number;
  /** Told of each wait, in ms. */
  onWait: (waitMs: number) => void;
}>;

export function createSlots({ max, waitMaxMs, onWait }: SlotOptions): Slots {
  /** Those that wait, the first one first. */
  const waiting = new Set<() => void>();
  let free = max;

  function waitForTurn(): Promise<void> {
    return new Promise((resolve, reject) => {
      const startedAt = performance.now();
      const start = () => {
        clearTimeout(timer);
        onWait(performance.now() - startedAt);
        resolve();
      };
      const timer = setTimeout(() => {
        waiting.delete(start);
        onWait(waitMaxMs);
        reject(
          new StorageError('The database is busy: no connection to it gets free.', {
            code: 'CONNECTIONS_BUSY',
          }),
        );
      }, waitMaxMs);
      waiting.add(start);
    });
  }

  return {
    async acquire() {
      if (free === 0) return waitForTurn();
      free -= 1;
      onWait(0);
    },
    release() {
      const [next] = waiting;
      if (next === undefined) {
        free += 1;
        return;
      }
      waiting.delete(next);
      next();
    },
  };
}
