import { setTimeout as sleep } from 'node:timers/promises';
import { createSingleFlight } from '#lib/http/single-flight.ts';
import type { EventChange } from './change.ts';
import type { ChangeStore, ChangesPage } from './change-store.ts';
import type { ChangesQuery } from './parse-changes-query.ts';

/** Proxies close connections that are silent for about a minute. */
const heartbeatMs = 15_000;
const pageLength = 100;

type StreamChanges = (
  query: Pick<ChangesQuery, 'types'> & Readonly<{ after: number }>,
  signal: AbortSignal,
) => AsyncGenerator<string>;

type StreamOptions = Readonly<{
  list: ChangeStore['list'];
  watcher: ChangeWatcher;
}>;

/** Streams changes as server-sent events (WHATWG HTML §9.2), until the signal. */
export function createChangeStreams({ list, watcher }: StreamOptions): StreamChanges {
  // Most streams are at the same position: they share a query.
  const flights = createSingleFlight<ChangesPage | null>();
  const listAfter = (after: number) =>
    flights.run(String(after), () => list({ start: { after }, limit: pageLength, types: [] }));

  return async function* streamChanges({ after, types }, signal) {
    let position = after;
    yield ': connected\n\n';
    while (!signal.aborted) {
      const page = await listAfter(position);
      // Its changes were deleted: the client that reconnects is told so.
      if (page === null) return;
      const shown = page.changes.filter(({ type }) => types.length === 0 || types.includes(type));
      if (shown.length > 0) yield shown.map(toFrame).join('');
      position = page.next;
      if (page.hasMore) continue;
      const isFound = await watcher.waitFor(position, { timeoutMs: heartbeatMs, signal });
      if (!isFound && !signal.aborted) yield ': heartbeat\n\n';
    }
  };
}

/** A change as an event of the stream. */
export function toFrame(change: EventChange): string {
  return `id: ${change.id}\ndata: ${JSON.stringify(change)}\n\n`;
}

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

/** How often the database is asked while somebody waits. */
const everyMs = 500;

type Waiter = Readonly<{ after: number; finish: (isFound: boolean) => void }>;

/** Asks the database twice a second for all, and only while somebody waits. */
export function createChangeWatcher({ findHead }: Pick<ChangeStore, 'findHead'>): ChangeWatcher {
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
