import { createRepresentation, respondWith } from '#lib/http/representations/representation.ts';
import type { RepresentationStore } from '#lib/http/representations/representation-store.ts';
import {
  createResponse,
  type Freshness,
  type HeaderFields,
  toCacheControl,
} from '#lib/http/response.ts';
import { createTimeSlices, type YieldWhenDue } from '#lib/http/time-slices.ts';
import type { MarqueeEvent } from './model/schema.ts';
import { requireEvent } from './search/select-events.ts';
import { findRenamed } from './source/former-slugs.ts';
import type { EventsLoader } from './source/loader.ts';
import { type EventsSnapshot, findEvent } from './source/snapshot.ts';

/** A representation of a snapshot: a list as JSON, a feed, a Markdown page. */
type EventsRepresentation = Readonly<{
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
  const toKey = changesWithEveryRead ? toReadKey : toContentKey;
  const create = async () => {
    const body = await write(createTimeSlices());
    return createRepresentation({
      contentType,
      body,
      lastModifiedMs: changesWithEveryRead ? snapshot.readAtMs : snapshot.changedAtMs,
      ...(headers && { headers: headers(body) }),
      ...(vary && { vary }),
    });
  };
  const representation = await representations.get(toKey(snapshot), key, create);
  return respondWith(request, representation, freshWhileUnchanged(events, snapshot, toKey));
}

type ToKey = (snapshot: EventsSnapshot) => string;

/** Identifies what a snapshot shows. With its time, so that content that comes back has a later Last-Modified. */
export const toContentKey: ToKey = ({ version, changedAtMs }) => `${version}@${changedAtMs}`;

/** Identifies a read of the table. */
const toReadKey: ToKey = ({ version, readAtMs }) => `${version}@${readAtMs}`;

/** Fresh as long as the loader has the same content. */
export function freshnessOfContent(snapshot: EventsSnapshot, events: EventsLoader): Freshness {
  return freshWhileUnchanged(events, snapshot, toContentKey);
}

function freshWhileUnchanged(
  events: EventsLoader,
  snapshot: EventsSnapshot,
  toKey: ToKey,
): Freshness {
  const key = toKey(snapshot);
  return () => {
    const current = events.peek();
    const isSame = current !== null && toKey(current) === key;
    return isSame ? toCacheControl(events.freshSeconds(current)) : null;
  };
}

type RenamedOptions = Readonly<{
  /** The slug in the URL. */
  slug: string;
  /** The extension after it, such as `.md`; may be empty. */
  extension: string;
}>;

/**
 * Redirects from a former slug to the current one, in the same representation. Cached no longer than the
 * events, since another event may get the old name.
 * @returns null if no renamed event had that slug.
 */
export function redirectRenamed(
  snapshot: EventsSnapshot,
  events: EventsLoader,
  { slug, extension }: RenamedOptions,
): Response | null {
  const event = findRenamed(snapshot, slug);
  if (event === undefined) return null;
  return createResponse({
    status: 308,
    headers: [
      ['Location', `/events/${event.slug}${extension}`],
      ['Cache-Control', toCacheControl(events.freshSeconds(snapshot))],
      ['Vary', 'Accept'],
    ],
    body: '',
  });
}

/**
 * The event with this slug, or the redirect from a former one.
 * @throws HttpError 404
 */
export function requireEventOrRedirect(
  snapshot: EventsSnapshot,
  events: EventsLoader,
  options: RenamedOptions,
): MarqueeEvent | Response {
  return (
    findEvent(snapshot, options.slug) ??
    redirectRenamed(snapshot, events, options) ??
    requireEvent(snapshot, options.slug)
  );
}
