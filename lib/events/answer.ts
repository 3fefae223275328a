import { toCacheControl } from '#lib/http/freshness.ts';
import type { Lifetime } from '#lib/http/prepared-response.ts';
import { createRepresentation, respondWith } from '#lib/http/representation.ts';
import type { RepresentationStore } from '#lib/http/representation-store.ts';
import type { EventsLoader } from './loader.ts';
import { createPace, type Pace } from './pacer.ts';
import type { EventsSnapshot } from './snapshot.ts';

/** One form of what a snapshot holds. */
export type EventsForm = Readonly<{
  /** Tells this form of this selection from all others. */
  key: string;
  contentType: string;
  /** Further headers, names and values in turn. */
  headers?: (body: string | Uint8Array) => readonly string[];
  vary?: string;
  /** Writes the body; asked once a snapshot. */
  write: (pace: Pace) => string | Uint8Array | Promise<string | Uint8Array>;
}>;

type Parts = Readonly<{ events: EventsLoader; representations: RepresentationStore }>;

/**
 * Answers a request with a form of a snapshot: written and compressed once, sent many times, with a
 * lifetime that only the loader decides.
 */
export async function answerFromSnapshot(
  request: Request,
  { events, representations }: Parts,
  snapshot: EventsSnapshot,
  form: EventsForm,
): Promise<Response> {
  const kept = representations.get(snapshot, form.key, async () => {
    const { contentType, headers, vary, write } = form;
    const body = await write(createPace());
    return createRepresentation({
      contentType,
      body,
      lastModifiedMs: snapshot.changedAtMs,
      ...(headers && { headers: headers(body) }),
      ...(vary && { vary }),
    });
  });
  const representation = kept instanceof Promise ? await kept : kept;
  return respondWith(request, representation, lifetimeOf(snapshot, events));
}

/** For how long an answer made from a snapshot holds. It does not keep the snapshot itself alive. */
export function lifetimeOf({ readAtMs, day }: EventsSnapshot, events: EventsLoader): Lifetime {
  return () => {
    const current = events.peek();
    if (current === null || current.readAtMs !== readAtMs || current.day !== day) return null;
    return toCacheControl(events.freshSeconds(current));
  };
}
