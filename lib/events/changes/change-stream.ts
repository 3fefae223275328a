import { createSingleFlight } from '#lib/http/single-flight.ts';
import type { EventChange } from './change.ts';
import type { ChangeStore, ChangesPage } from './change-store.ts';
import type { ChangeWatcher } from './change-watcher.ts';
import type { ChangesQuery } from './parse-changes-query.ts';

/** Proxies close connections that are silent for about a minute. */
const heartbeatMs = 15_000;
const pageLength = 100;

export type StreamChanges = (
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
