import { setTimeout as sleep } from 'node:timers/promises';

/** Tells when there are new changes, to all who wait in this process, whichever instance wrote them. */
export type ChangeWatcher = Readonly<{
  /**
   * Waits until there is a change after a position, for so many ms at most, or until the signal.
   * @returns whether there is one.
   */
  waitFor: (
    after: number,
    options: Readonly<{ timeoutMs: number; signal: AbortSignal }>,
  ) => Promise<boolean>;
  /** How many are waiting. */
  readonly waiting: number;
}>;

type WatcherOptions = Readonly<{
  findHead: () => Promise<Readonly<{ position: number }>>;
  /** How often the database is asked while somebody waits. */
  everyMs?: number;
}>;

type Waiter = Readonly<{ after: number; finish: (isFound: boolean) => void }>;

/** Asks the database twice a second for all, and only while somebody waits. */
export function createChangeWatcher({ findHead, everyMs = 500 }: WatcherOptions): ChangeWatcher {
  const waiters = new Set<Waiter>();
  let isPolling = false;

  async function poll(): Promise<void> {
    if (isPolling) return;
    isPolling = true;
    while (waiters.size > 0) {
      await sleep(everyMs, undefined, { ref: false });
      // While the database is away nobody is told anything.
      const { position } = await findHead().catch(() => ({ position: 0 }));
      for (const { after, finish } of waiters) if (position > after) finish(true);
    }
    isPolling = false;
  }

  return {
    waitFor: (after, { timeoutMs, signal }) =>
      new Promise((resolve) => {
        const timeout = setTimeout(() => waiter.finish(false), timeoutMs).unref();
        const onAbort = () => waiter.finish(false);
        const waiter: Waiter = {
          after,
          finish(isFound) {
            clearTimeout(timeout);
            signal.removeEventListener('abort', onAbort);
            waiters.delete(waiter);
            resolve(isFound);
          },
        };
        if (signal.aborted) return waiter.finish(false);
        signal.addEventListener('abort', onAbort);
        waiters.add(waiter);
        void poll();
      }),
    get waiting() {
      return waiters.size;
    },
  };
}
