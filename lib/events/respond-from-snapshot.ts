import { toCacheControl } from '#lib/http/freshness.ts';
import type { Freshness } from '#lib/http/prepared-response.ts';
import { createRepresentation, respondWith } from '#lib/http/representation.ts';
import type { RepresentationStore } from '#lib/http/representation-store.ts';
import type { EventsLoader } from './store/loader.ts';
import type { EventsSnapshot } from './store/snapshot.ts';
import { createTimeSlices, type YieldWhenDue } from './store/time-slices.ts';

/** One form of what a snapshot holds. */
export type EventsRepresentation = Readonly<{
  /** Tells this form of this selection from all others. */
  key: string;
  contentType: string;
  /** Further headers, names and values in turn. */
  headers?: (body: string | Uint8Array) => readonly string[];
  vary?: string;
  /** Writes the body; asked once a snapshot. */
  write: (yieldWhenDue: YieldWhenDue) => string | Uint8Array | Promise<string | Uint8Array>;
}>;

type Parts = Readonly<{ events: EventsLoader; representations: RepresentationStore }>;

/**
 * Answers a request with a form of a snapshot: written and compressed once, sent many times, with a
 * freshness that only the loader decides.
 */
export async function respondFromSnapshot(
  request: Request,
  { events, representations }: Parts,
  snapshot: EventsSnapshot,
  form: EventsRepresentation,
): Promise<Response> {
  const kept = representations.get(snapshot, form.key, async () => {
    const { contentType, headers, vary, write } = form;
    const body = await write(createTimeSlices());
    return createRepresentation({
      contentType,
      body,
      lastModifiedMs: snapshot.changedAtMs,
      ...(headers && { headers: headers(body) }),
      ...(vary && { vary }),
    });
  });
  const representation = kept instanceof Promise ? await kept : kept;
  return respondWith(request, representation, freshnessOf(snapshot, events));
}

/** For how long an answer made from a snapshot holds. It does not keep the snapshot itself alive. */
export function freshnessOf({ readAtMs, day }: EventsSnapshot, events: EventsLoader): Freshness {
  return () => {
    const current = events.peek();
    if (current === null || current.readAtMs !== readAtMs || current.day !== day) return null;
    return toCacheControl(events.freshSeconds(current));
  };
}
