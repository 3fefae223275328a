import type { TakeTurn } from '#lib/http/client-turns.ts';
import {
  createRepresentation,
  createStreamedRepresentation,
  respondWith,
  type StreamedBody,
} from '#lib/http/representations/representation.ts';
import type { RepresentationStore } from '#lib/http/representations/representation-store.ts';
import {
  createResponse,
  type Freshness,
  type HeaderFields,
  toCacheControl,
} from '#lib/http/response.ts';
import { createTimeSlices, type YieldWhenDue } from '#lib/http/time-slices.ts';
import type { MarqueeEvent } from './model/schema.ts';
import { createRemovedError, createUnknownError } from './search/require-event.ts';
import type { EventsLoader } from './source/loader.ts';
import { findFormerEvent, type RenamedEvent } from './source/slugs/former-slugs.ts';
import { type EventsSnapshot, findEvent } from './source/snapshot.ts';
import { type SiteNotice, untilNoticeEnds, withNoticeKey } from './view/site-notice.ts';

/** A representation of a snapshot: a list as JSON, a feed, a Markdown page. */
type EventsRepresentation = Readonly<{
  /** Identifies it among all representations of a snapshot. */
  key: string;
  contentType: string;
  headers?: (body: WrittenBody) => HeaderFields;
  vary?: string;
  /** For bodies with `generatedAt` or signed URLs; others change with the content version only. */
  changesWithEveryRead?: boolean;
  /** That it shows. */
  notice?: SiteNotice | null;
  write: (yieldWhenDue: YieldWhenDue) => WrittenBody | Promise<WrittenBody>;
}>;

/** Of more events, a body is too large to be stored: it is a stream. 10,000 are up to 16 MB. */
export const storedEventsMax = 10_000;

type WrittenBody = string | Uint8Array | StreamedBody;

export type SnapshotParts = Readonly<{
  events: EventsLoader;
  representations: RepresentationStore;
  takeTurn: TakeTurn;
}>;

/** Responds with a representation of a snapshot, which is written and compressed once, in a turn of its client. */
export async function respondFromSnapshot(
  request: Request,
  { events, representations, takeTurn }: SnapshotParts,
  snapshot: EventsSnapshot,
  representation: EventsRepresentation,
): Promise<Response> {
  const {
    contentType,
    headers,
    vary,
    changesWithEveryRead = false,
    notice = null,
  } = representation;
  const toKey = changesWithEveryRead ? toReadKey : toContentKey;
  const version = toKey(snapshot);
  const key = withNoticeKey(representation.key, notice);
  // The same in all instances, as what is read and its history are.
  const { history } = snapshot;
  const contentKey = changesWithEveryRead ? version : `${snapshot.version}@${history.position}`;
  const create = async () => {
    const body = await representation.write(createTimeSlices());
    const options = {
      contentType,
      lastModifiedMs: changesWithEveryRead ? snapshot.readAtMs : snapshot.changedAtMs,
      ...(headers && { headers: headers(body) }),
      ...(vary && { vary }),
    };
    return typeof body === 'object' && 'parts' in body
      ? createStreamedRepresentation(body, { ...options, key: `${contentKey} ${key}` })
      : createRepresentation({ ...options, body });
  };
  const freshness = untilNoticeEnds(freshWhileUnchanged(events, snapshot, toKey), notice);
  const stored = representations.find(version, key);
  if (stored !== undefined) return respondWith(request, stored, freshness);
  // Compressing is part of it: for a large list it takes as long.
  return takeTurn(request, `${version} ${key}`, async () =>
    respondWith(request, await representations.get(version, key, create), freshness),
  );
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

type RedirectOptions = Readonly<{
  /** The slug in the URL. */
  slug: string;
  /** The path of the same representation under another slug. */
  toPath: (slug: string) => string;
  /** The status for an event that was removed. */
  removedStatus?: 404 | 410;
}>;

/**
 * Redirects to the URL that an event has now. Cached no longer than the events, since the slug may be given to another
 * event after this one was removed.
 */
export function redirectRenamed(
  { event, isTemporary }: RenamedEvent,
  {
    snapshot,
    events,
    toPath,
  }: Readonly<{ snapshot: EventsSnapshot; events: EventsLoader }> & Pick<RedirectOptions, 'toPath'>,
): Response {
  const cacheControl = isTemporary ? 'no-store' : toCacheControl(events.freshSeconds(snapshot));
  return createResponse({
    status: isTemporary ? 307 : 308,
    headers: [
      ['Location', toPath(event.slug)],
      ['Cache-Control', cacheControl],
      ['Vary', 'Accept'],
    ],
    body: '',
  });
}

/**
 * The event with this slug, or the redirect from a former one.
 * @throws HttpError 404, and `removedStatus` for an event that was removed.
 */
export async function requireEventOrRedirect(
  snapshot: EventsSnapshot,
  events: EventsLoader,
  { slug, toPath, removedStatus = 410 }: RedirectOptions,
): Promise<MarqueeEvent | Response> {
  const event = findEvent(snapshot, slug);
  if (event !== undefined) return event;
  const former = await findFormerEvent(snapshot, slug);
  if (former?.kind === 'removed') throw createRemovedError(removedStatus);
  if (former === null) throw createUnknownError(snapshot, slug);
  return redirectRenamed(former, { snapshot, events, toPath });
}
