import type { EventDraft, SignedUrls } from '../model/schema.ts';
import { toSlugs } from '../model/slug.ts';
import { foldText } from '../query/fold-text.ts';
import { sortPaced, type YieldWhenDue } from './time-slices.ts';

export const sortKeys = ['startDate', 'announcedAt', 'name'] as const;
export type SortKey = (typeof sortKeys)[number];
export type SortOrder = 'asc' | 'desc';

/** Positions of events, sorted both ways; ties stand in the order of their ids in both. */
type Sorted = Readonly<Record<SortOrder, Uint32Array>>;

/** What is known of all drafts together, whatever the day. Each has a position: that of its event, too. */
export type EventsIndex = Readonly<{
  /** In the order of their announcement. */
  drafts: readonly EventDraft[];
  /** By position. */
  slugs: readonly string[];
  sorted: Readonly<Record<SortKey, Sorted>>;
  positionById: ReadonlyMap<string, number>;
  positionBySlug: ReadonlyMap<string, number>;
  /** What `q` searches in, one text an event, folded. */
  searchTexts: readonly string[];
  /** By attachment id. */
  attachments: ReadonlyMap<string, AttachmentPlace>;
}>;

/** The event that has an attachment, and what is known of the picture. */
export type AttachmentPlace = Readonly<{
  eventId: string;
  side: keyof SignedUrls;
  color: string | null;
  width: number | null;
  height: number | null;
}>;

// A fixed locale: the same order on every machine.
const nameCollator = new Intl.Collator('en', { sensitivity: 'base', numeric: true });

/** Indexes drafts in time slices. @param drafts in the order of their announcement. */
export async function indexEvents(
  drafts: readonly EventDraft[],
  yieldWhenDue: YieldWhenDue,
): Promise<EventsIndex> {
  const slugById = await toSlugs(drafts, yieldWhenDue);
  const slugs: string[] = [];
  const searchTexts: string[] = [];
  const positionById = new Map<string, number>();
  const positionBySlug = new Map<string, number>();
  const attachments = new Map<string, AttachmentPlace>();
  for (const [position, draft] of drafts.entries()) {
    const slug = slugById.get(draft.id) ?? draft.id;
    slugs.push(slug);
    positionById.set(draft.id, position);
    positionBySlug.set(slug, position);
    searchTexts.push(toSearchText(draft));
    noteAttachments(draft, attachments);
    await yieldWhenDue();
  }
  const sortBy = (compare: Compare) => sortPositions(drafts, compare, yieldWhenDue);
  return {
    drafts,
    slugs,
    sorted: {
      startDate: await sortBy((a, b) => compareText(a.startDate, b.startDate)),
      announcedAt: await sortBy((a, b) => compareText(a.announcedAt, b.announcedAt)),
      name: await sortBy((a, b) => nameCollator.compare(a.name, b.name)),
    },
    positionById,
    positionBySlug,
    searchTexts,
    attachments,
  };
}

function noteAttachments(draft: EventDraft, attachments: Map<string, AttachmentPlace>): void {
  const color = draft.background?.color ?? null;
  for (const side of ['logo', 'background'] as const) {
    const attachment = draft.attachments[side];
    if (attachment === null) continue;
    const { id, width, height } = attachment;
    attachments.set(id, { eventId: draft.id, side, color, width, height });
  }
}

function toSearchText(draft: EventDraft): string {
  const { name, description, requirements, inPerson, slackChannel } = draft;
  const parts = [name, description, requirements, inPerson?.location, slackChannel];
  return foldText([...parts, ...draft.projectTypes].filter(Boolean).join('\n'));
}

type Compare = (a: EventDraft, b: EventDraft) => number;

async function sortPositions(
  drafts: readonly EventDraft[],
  compare: Compare,
  yieldWhenDue: YieldWhenDue,
): Promise<Sorted> {
  const at = (position: number) => drafts[position] as EventDraft;
  const ascending = await sortPaced(
    [...drafts.keys()],
    (a, b) => compare(at(a), at(b)) || compareText(at(a).id, at(b).id),
    yieldWhenDue,
  );
  const descending = await sortPaced(
    ascending.toReversed(),
    (a, b) => compare(at(b), at(a)) || compareText(at(a).id, at(b).id),
    yieldWhenDue,
  );
  return { asc: Uint32Array.from(ascending), desc: Uint32Array.from(descending) };
}

/** Orders drafts by the time of their announcement, ties by id. */
export function compareAnnouncement(a: EventDraft, b: EventDraft): number {
  return compareText(a.announcedAt, b.announcedAt) || compareText(a.id, b.id);
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
