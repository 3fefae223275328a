import type {
  AttachmentOrigin,
  EventDraft,
  MarqueeEvent,
  SignedUrlsById,
  ToPicture,
} from '../model/schema.ts';
import { toStatus } from '../model/status.ts';
import { type EventsIndex, indexEvents } from './events-index.ts';
import { collectFormerSlugs, type FormerSlugs } from './former-slugs.ts';
import { reuse } from './reuse.ts';
import type { YieldWhenDue } from './time-slices.ts';

/** All events as one read of the table gave them, on one calendar day. Never changed once made. */
export type EventsSnapshot = EventsIndex &
  Readonly<{
    /** Unix time in ms at which the read began: nothing in here is older than it. */
    readAtMs: number;
    /** The same as ISO 8601: `meta.generatedAt`. */
    generatedAt: string;
    /** Unix time in ms at which what it shows last changed: the read, or the midnight after it. */
    changedAtMs: number;
    /** The day that the statuses are true for. */
    day: string;
    events: readonly MarqueeEvent[];
    formerSlugs: FormerSlugs;
    /** They die two hours after the read. */
    signedUrls: SignedUrlsById;
  }>;

export type SnapshotOptions = Readonly<{
  readAtMs: number;
  day: string;
  yieldWhenDue: YieldWhenDue;
  /** Left out: there are none. */
  signedUrls?: SignedUrlsById;
  /** Left out: no event has a picture of ours. */
  toPicture?: ToPicture;
  /** The snapshot before this one, where there was one: its slugs lead on, and what is the same is taken from it. */
  before?: EventsSnapshot;
}>;

/** Builds a snapshot and its indices, giving way to waiting requests as it goes. */
export async function createSnapshot(
  drafts: readonly EventDraft[],
  options: SnapshotOptions,
): Promise<EventsSnapshot> {
  const { readAtMs, day, yieldWhenDue, signedUrls = new Map(), before } = options;
  const index = await indexEvents(drafts, yieldWhenDue, before);
  const events: MarqueeEvent[] = [];
  for (const [position, draft] of index.drafts.entries()) {
    const known = before?.events[before.positionById.get(draft.id) ?? -1];
    events.push(reuse(toEvent(draft, index.slugs[position] ?? draft.id, options), known));
    await yieldWhenDue();
  }
  const { positionById } = index;
  return {
    ...index,
    readAtMs,
    generatedAt: new Date(readAtMs).toISOString(),
    changedAtMs: readAtMs,
    day,
    events,
    formerSlugs: await collectFormerSlugs(before, { events, positionById }, yieldWhenDue),
    signedUrls,
  };
}

/** The same events on another day: statuses move, nothing is read again. */
export function turnDay(
  snapshot: EventsSnapshot,
  { day, changedAtMs }: Readonly<{ day: string; changedAtMs: number }>,
): EventsSnapshot {
  const events = snapshot.events.map((event) => {
    const status = toStatus(event, day);
    return status === event.status ? event : { ...event, status };
  });
  return { ...snapshot, day, changedAtMs, events };
}

/** Finds an event by its id, exactly, then by its slug in any case. */
export function findEvent(snapshot: EventsSnapshot, idOrSlug: string): MarqueeEvent | undefined {
  const position =
    snapshot.positionById.get(idOrSlug) ?? snapshot.positionBySlug.get(idOrSlug.toLowerCase());
  return position === undefined ? undefined : snapshot.events[position];
}

/** Where the bytes of an attachment are to be had by its id, which counts exactly. */
export function findAttachment(snapshot: EventsSnapshot, id: string): AttachmentOrigin | undefined {
  const place = snapshot.attachments.get(id);
  if (place === undefined) return undefined;
  const { eventId, side, color, width, height } = place;
  const url = snapshot.signedUrls.get(eventId)?.[side];
  return url ? { url, color, width, height } : undefined;
}

// Written out field by field: this is the order of the fields in every JSON answer.
function toEvent(
  draft: EventDraft,
  slug: string,
  { day, toPicture = () => null }: SnapshotOptions,
): MarqueeEvent {
  const { id, name, description, url, startDate, endDate, announcedAt, attachments, ...rest } =
    draft;
  const status = toStatus(draft, day);
  const { logo, background } = attachments;
  const pictures = {
    logo: logo && toPicture(logo),
    background: background && toPicture(background),
  };
  const dated = { id, slug, name, description, url, status, startDate, endDate, announcedAt };
  return { ...dated, ...rest, pictures };
}
