import { foldText } from './fold-text.ts';
import { type FormerSlugs, noteFormerSlugs } from './former-slugs.ts';
import { type Pace, sortPaced } from './pacer.ts';
import { reuse } from './reuse.ts';
import type { AttachmentOrigin, EventDraft, MarqueeEvent, ToPicture } from './schema.ts';
import { toSlugs } from './slug.ts';
import { toStatus } from './status.ts';

export const sortKeys = ['startDate', 'announcedAt', 'name'] as const;
export type SortKey = (typeof sortKeys)[number];
export type SortOrder = 'asc' | 'desc';

/** Positions in `events`, sorted both ways; ties stand in the order of their ids in both. */
type Sorted = Readonly<Record<SortOrder, Uint32Array>>;

/** All events as one read of the table gave them, on one calendar day. Never changed once made. */
export type EventsSnapshot = Readonly<{
  /** Unix time in ms at which the read began: nothing in here is older than it. */
  readAtMs: number;
  /** The same as ISO 8601: `meta.generatedAt`. */
  generatedAt: string;
  /** Unix time in ms at which what it shows last changed: the read, or the midnight after it. */
  changedAtMs: number;
  /** The day that the statuses are true for. */
  day: string;
  events: readonly MarqueeEvent[];
  sorted: Readonly<Record<SortKey, Sorted>>;
  positionById: ReadonlyMap<string, number>;
  positionBySlug: ReadonlyMap<string, number>;
  formerSlugs: FormerSlugs;
  /** What `q` searches in, one text an event, folded. */
  searchTexts: readonly string[];
  /** By attachment id. The addresses in it die two hours after the read. */
  attachments: ReadonlyMap<string, AttachmentOrigin>;
}>;

export type SnapshotOptions = Readonly<{
  readAtMs: number;
  day: string;
  pace: Pace;
  /** Left out: no event has a picture of ours. */
  toPicture?: ToPicture;
  /** The snapshot before this one, where there was one: its slugs lead on, and what is the same is taken from it. */
  before?: EventsSnapshot;
}>;

// A fixed locale: the same order on every machine.
const nameCollator = new Intl.Collator('en', { sensitivity: 'base', numeric: true });

/** Builds a snapshot and its indices, giving way to waiting requests as it goes. */
export async function createSnapshot(
  drafts: readonly EventDraft[],
  options: SnapshotOptions,
): Promise<EventsSnapshot> {
  const { readAtMs, day, pace, toPicture = () => null, before } = options;
  const byAnnouncement = await sortPaced(drafts, compareAnnouncement, pace);
  const slugs = await toSlugs(byAnnouncement, pace);
  const events: MarqueeEvent[] = [];
  const searchTexts: string[] = [];
  const positionById = new Map<string, number>();
  const positionBySlug = new Map<string, number>();
  const attachments = new Map<string, AttachmentOrigin>();
  for (const draft of byAnnouncement) {
    const made = toEvent(draft, { slug: slugs.get(draft.id) ?? draft.id, day, toPicture });
    const known = findKnown(before, draft.id);
    const event = reuse(made, known?.event);
    noteAttachments(draft, attachments);
    positionById.set(event.id, events.length);
    positionBySlug.set(event.slug, events.length);
    events.push(event);
    searchTexts.push(
      known && isSearchedAlike(event, known.event) ? known.searchText : toSearchText(event),
    );
    await pace();
  }
  const sortBy = (compare: Compare) => sortPositions(events, compare, pace);
  return {
    readAtMs,
    generatedAt: new Date(readAtMs).toISOString(),
    changedAtMs: readAtMs,
    day,
    events,
    sorted: {
      startDate: await sortBy((a, b) => compareText(a.startDate, b.startDate)),
      announcedAt: await sortBy((a, b) => compareText(a.announcedAt, b.announcedAt)),
      name: await sortBy((a, b) => nameCollator.compare(a.name, b.name)),
    },
    positionById,
    positionBySlug,
    formerSlugs: await noteFormerSlugs(before, { events, positionById }, pace),
    searchTexts,
    attachments,
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

// Written out field by field: this is the order of the fields in every JSON answer.
function toEvent(
  draft: EventDraft,
  { slug, day, toPicture }: Readonly<{ slug: string; day: string; toPicture: ToPicture }>,
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

function findKnown(before: EventsSnapshot | undefined, id: string) {
  const position = before?.positionById.get(id);
  if (before === undefined || position === undefined) return undefined;
  const [event, searchText] = [before.events[position], before.searchTexts[position]];
  return event && searchText !== undefined ? { event, searchText } : undefined;
}

function noteAttachments(draft: EventDraft, attachments: Map<string, AttachmentOrigin>): void {
  const { logo, background } = draft.attachments;
  const color = draft.background?.color ?? null;
  const imageUrl = draft.background?.imageUrl ?? null;
  if (logo !== null && draft.logoUrl !== null) {
    const { id, width, height } = logo;
    attachments.set(id, { url: draft.logoUrl, color, width, height });
  }
  if (background !== null && imageUrl !== null) {
    const { id, width, height } = background;
    attachments.set(id, { url: imageUrl, color, width, height });
  }
}

const searched = [
  'name',
  'description',
  'requirements',
  'inPerson',
  'slackChannel',
  'projectTypes',
] as const;

// What has not changed is the very same: see `reuse`.
function isSearchedAlike(event: MarqueeEvent, before: MarqueeEvent): boolean {
  return searched.every((field) => event[field] === before[field]);
}

function toSearchText(event: MarqueeEvent): string {
  const { name, description, requirements, inPerson, slackChannel } = event;
  const parts = [name, description, requirements, inPerson?.location, slackChannel];
  return foldText([...parts, ...event.projectTypes].filter(Boolean).join('\n'));
}

type Compare = (a: MarqueeEvent, b: MarqueeEvent) => number;

async function sortPositions(
  events: readonly MarqueeEvent[],
  compare: Compare,
  pace: Pace,
): Promise<Sorted> {
  const at = (position: number) => events[position] as MarqueeEvent;
  const ascending = await sortPaced(
    [...events.keys()],
    (a, b) => compare(at(a), at(b)) || compareText(at(a).id, at(b).id),
    pace,
  );
  const descending = await sortPaced(
    ascending.toReversed(),
    (a, b) => compare(at(b), at(a)) || compareText(at(a).id, at(b).id),
    pace,
  );
  return { asc: Uint32Array.from(ascending), desc: Uint32Array.from(descending) };
}

function compareAnnouncement(a: EventDraft, b: EventDraft): number {
  return compareText(a.announcedAt, b.announcedAt) || compareText(a.id, b.id);
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
