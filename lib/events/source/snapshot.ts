import { createHash } from 'node:crypto';
import type { YieldWhenDue } from '#lib/http/time-slices.ts';
import { type EventsHistory, noHistory } from '../changes/history.ts';
import type {
  AttachmentOrigin,
  EventDraft,
  MarqueeEvent,
  SignedUrlsById,
  ToPicture,
} from '../model/schema.ts';
import { type SiteTime, toStatus } from '../model/status.ts';
import { findTransitions, listMoments, type Transitions } from '../model/transitions.ts';
import type { TimeZone } from '../model/zoned-time.ts';
import { compareAnnouncement, type EventsIndex, indexEvents } from './events-index.ts';
import { toSlugs } from './slugs/slug-names.ts';
import type { FindStoredSlug, Slugs } from './slugs/slug-source.ts';

/** All events as one read of the table found them, with the statuses between two transitions. Immutable. */
export type EventsSnapshot = EventsIndex &
  Transitions &
  Readonly<{
    /**
     * Content version: changes only with the events, their pictures and each transition, and is the same in every
     * instance. Signed URLs do not count.
     */
    version: string;
    /** Identifies the events and their pictures, whatever the time. */
    digest: string;
    /** Unix time in ms at which this process first saw this version: its first read, or the transition. */
    changedAtMs: number;
    /** Unix time in ms at which the read began: no data is older. */
    readAtMs: number;
    /** `readAtMs` as ISO 8601: `meta.generatedAt` of the JSON API. */
    generatedAt: string;
    /** The moments of the events at which statuses change, Unix ms, sorted. */
    moments: Float64Array;
    events: readonly MarqueeEvent[];
    /** While the database is away: slugs that several events share → the id of the one that may have it. */
    sharedSlugs: Slugs['shared'];
    /** Whether the slugs are those that all processes know. */
    hasStoredSlugs: boolean;
    findStoredSlug: FindStoredSlug;
    history: EventsHistory;
    /** They expire two hours after the read. */
    signedUrls: SignedUrlsById;
  }>;

type SnapshotOptions = Readonly<{
  readAtMs: number;
  /** The time that statuses are computed for, Unix ms. */
  nowMs: number;
  /** Of the site. */
  timeZone: TimeZone;
  yieldWhenDue: YieldWhenDue;
  /** Default: none. */
  signedUrls?: SignedUrlsById;
  /** Default: events have no pictures. */
  toPicture?: ToPicture;
  /** Default: what the names give. */
  slugs?: Slugs;
  /** Default: events have no other slugs. */
  findStoredSlug?: FindStoredSlug;
  /** The previous snapshot: all of it is reused if the version is the same. */
  before?: EventsSnapshot;
}>;

type Pictures = MarqueeEvent['pictures'];

/** Builds a snapshot and its indices in time slices. */
export async function createSnapshot(
  drafts: readonly EventDraft[],
  options: SnapshotOptions,
): Promise<EventsSnapshot> {
  const { readAtMs, nowMs, timeZone, yieldWhenDue, signedUrls = new Map(), before } = options;
  const ordered = drafts.toSorted(compareAnnouncement);
  const found = options.slugs ?? (await toDerivedSlugs(ordered, yieldWhenDue));
  const read = {
    readAtMs,
    generatedAt: new Date(readAtMs).toISOString(),
    signedUrls,
    sharedSlugs: found.shared,
    hasStoredSlugs: found.areStored,
    findStoredSlug: options.findStoredSlug ?? (async () => null),
  };
  const slugs = ordered.map(({ id }) => found.byId.get(id) ?? id.toLowerCase());
  const pictures = ordered.map((draft) => toPictures(draft, options.toPicture));
  const digest = await toDigest(ordered, { slugs, pictures, yieldWhenDue });
  if (before?.digest === digest) return atTime({ ...before, ...read }, { nowMs, timeZone });
  const index = await indexEvents(ordered, slugs, yieldWhenDue);
  const moments = await listMoments(ordered, timeZone, yieldWhenDue);
  const transitions = findTransitions(moments, { nowMs, timeZone });
  const time = { timeMs: nowMs, day: transitions.day };
  const events: MarqueeEvent[] = [];
  for (const [position, draft] of ordered.entries()) {
    const slug = slugs[position] ?? draft.id;
    events.push(toEvent(draft, { slug, time, pictures: pictures[position] ?? noPictures }));
    await yieldWhenDue();
  }
  return {
    ...index,
    ...read,
    ...transitions,
    version: toVersion(transitions, digest),
    digest,
    changedAtMs: readAtMs,
    moments,
    events,
    history: before?.history ?? noHistory,
  };
}

/** The same events at another time: only statuses change, and nothing between two transitions. */
export function atTime(
  snapshot: EventsSnapshot,
  { nowMs, timeZone }: Pick<SnapshotOptions, 'nowMs' | 'timeZone'>,
): EventsSnapshot {
  const { transitionAtMs, nextTransitionAtMs, moments, digest } = snapshot;
  if (nowMs >= transitionAtMs && nowMs < nextTransitionAtMs) return snapshot;
  const transitions = findTransitions(moments, { nowMs, timeZone });
  const time = { timeMs: nowMs, day: transitions.day };
  const events = snapshot.events.map((event) => {
    const status = toStatus(event, time);
    return status === event.status ? event : { ...event, status };
  });
  return {
    ...snapshot,
    ...transitions,
    version: toVersion(transitions, digest),
    changedAtMs: transitions.transitionAtMs,
    events,
  };
}

function toVersion({ transitionAtMs }: Transitions, digest: string): string {
  return `${new Date(transitionAtMs).toISOString()}-${digest}`;
}

/** The same events with their history. If that came later than the events, the content has changed at a time. */
export function withHistory(
  snapshot: EventsSnapshot,
  history: EventsHistory,
  changedAtMs: number,
): EventsSnapshot {
  if (isSameHistory(snapshot.history, history)) return { ...snapshot, history };
  return { ...snapshot, history, changedAtMs };
}

// Revisions are counted alone while the database is away. A change of a status alone is no news of the history.
function isSameHistory(before: EventsHistory, after: EventsHistory): boolean {
  const { revisions } = before;
  return (
    before.recent[0]?.change.id === after.recent[0]?.change.id &&
    [...after.revisions].every(([id, revision]) => (revisions.get(id) ?? 0) === revision)
  );
}

/** Finds an event by its id, exactly, then by its slug in any case. */
export function findEvent(snapshot: EventsSnapshot, idOrSlug: string): MarqueeEvent | undefined {
  const position =
    snapshot.positionById.get(idOrSlug) ?? snapshot.positionBySlug.get(idOrSlug.toLowerCase());
  return position === undefined ? undefined : snapshot.events[position];
}

/** Where to download an attachment, by its exact id. */
export function findAttachment(snapshot: EventsSnapshot, id: string): AttachmentOrigin | undefined {
  const place = snapshot.attachments.get(id);
  if (place === undefined) return undefined;
  const { eventId, side, ...picture } = place;
  const url = snapshot.signedUrls.get(eventId)?.[side];
  return url ? { url, ...picture } : undefined;
}

async function toDerivedSlugs(
  drafts: readonly EventDraft[],
  yieldWhenDue: YieldWhenDue,
): Promise<Slugs> {
  return { byId: await toSlugs(drafts, yieldWhenDue), areStored: true, shared: new Map() };
}

type DigestOptions = Readonly<{
  slugs: readonly string[];
  pictures: readonly Pictures[];
  yieldWhenDue: YieldWhenDue;
}>;

// Statuses follow from the drafts and the day, so they need no digest of their own.
async function toDigest(
  drafts: readonly EventDraft[],
  { slugs, pictures, yieldWhenDue }: DigestOptions,
): Promise<string> {
  const hash = createHash('sha256');
  for (const [position, draft] of drafts.entries()) {
    hash.update(JSON.stringify([draft, slugs[position], pictures[position]]));
    await yieldWhenDue();
  }
  return hash.digest('base64url');
}

const noPictures: Pictures = { logo: null, background: null };

function toPictures({ attachments }: EventDraft, toPicture: ToPicture = () => null): Pictures {
  const { logo, background } = attachments;
  return {
    logo: logo && toPicture(logo),
    background: background && toPicture(background),
  };
}

// The order of these fields is that of every JSON response.
function toEvent(
  { id, name, description, url, attachments: _, ...rest }: EventDraft,
  { slug, time, pictures }: Readonly<{ slug: string; time: SiteTime; pictures: Pictures }>,
): MarqueeEvent {
  const status = toStatus(rest, time);
  return { id, slug, name, description, url, status, ...rest, pictures };
}
