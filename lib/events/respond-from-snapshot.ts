import { toCacheControl } from '#lib/http/freshness.ts';
import { createRepresentation, respondWith } from '#lib/http/representation.ts';
import type { RepresentationStore } from '#lib/http/representation-store.ts';
import type { Freshness, HeaderFields } from '#lib/http/response.ts';
import type { EventsLoader } from './store/loader.ts';
import type { EventsSnapshot } from './store/snapshot.ts';
import { createTimeSlices, type YieldWhenDue } from './store/time-slices.ts';

/** A representation of a snapshot: a list as JSON, a feed, a Markdown page. */
export type EventsRepresentation = Readonly<{
  /** Identifies it among all representations of a snapshot. */
  key: string;
  contentType: string;
  headers?: (body: string | Uint8Array) => HeaderFields;
  vary?: string;
  /** For bodies with `generatedAt` or signed URLs; others change with the content version only. */
  changesWithEveryRead?: boolean;
  write: (yieldWhenDue: YieldWhenDue) => string | Uint8Array | Promise<string | Uint8Array>;
}>;

type Parts = Readonly<{ events: EventsLoader; representations: RepresentationStore }>;

/** Responds with a representation of a snapshot, which is written and compressed once. */
export async function respondFromSnapshot(
  request: Request,
  { events, representations }: Parts,
  snapshot: EventsSnapshot,
  { key, contentType, headers, vary, changesWithEveryRead = false, write }: EventsRepresentation,
): Promise<Response> {
  const { version, readAtMs, changedAtMs } = snapshot;
  const storedVersion = changesWithEveryRead ? `${version}@${readAtMs}` : version;
  const representation = await representations.get(storedVersion, key, async () => {
    const body = await write(createTimeSlices());
    return createRepresentation({
      contentType,
      body,
      lastModifiedMs: changesWithEveryRead ? readAtMs : changedAtMs,
      ...(headers && { headers: headers(body) }),
      ...(vary && { vary }),
    });
  });
  const freshness = changesWithEveryRead
    ? freshnessOfRead(snapshot, events)
    : freshnessOfContent(snapshot, events);
  return respondWith(request, representation, freshness);
}

/** Fresh as long as the loader has the same content version. */
export function freshnessOfContent({ version }: EventsSnapshot, events: EventsLoader): Freshness {
  return () => {
    const current = events.peek();
    return current?.version === version ? toCacheControl(events.freshSeconds(current)) : null;
  };
}

/** Fresh as long as the loader has the same read of the table. */
function freshnessOfRead({ version, readAtMs }: EventsSnapshot, events: EventsLoader): Freshness {
  return () => {
    const current = events.peek();
    const isSame = current?.version === version && current.readAtMs === readAtMs;
    return isSame ? toCacheControl(events.freshSeconds(current)) : null;
  };
}
