import { type YieldWhenDue, yieldToEventLoop } from '#lib/http/timing/time-slices.ts';
import { compareText } from '../model/compare-text.ts';
import { projectTypeNames, projectTypeSynonyms } from '../model/project-type-names.ts';
import type { EventDraft, SignedUrls } from '../model/schema.ts';
import { toSlugs } from '../model/slug.ts';
import { foldText } from '../search/fold-text.ts';

export const sortKeys = ['startDate', 'announcedAt', 'name'] as const;
export type SortKey = (typeof sortKeys)[number];
export type SortOrder = 'asc' | 'desc';

/** Positions of events, sorted both ways; ties are in the order of their ids in both. */
type Sorted = Readonly<Record<SortOrder, Uint32Array>>;

/** Lookups over all drafts that do not depend on the day. A position is an index of `drafts` and of `events`. */
export type EventsIndex = Readonly<{
  /** In the order of their announcement. */
  drafts: readonly EventDraft[];
  /** By position. */
  slugs: readonly string[];
  sorted: Readonly<Record<SortKey, Sorted>>;
  positionById: ReadonlyMap<string, number>;
  positionBySlug: ReadonlyMap<string, number>;
  /** The text that `q` searches, folded; by position. */
  searchTexts: readonly string[];
  /** By attachment id. */
  attachments: ReadonlyMap<string, AttachmentPlace>;
}>;

/** The event that an attachment belongs to, and its picture's facts. */
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
  const at = (position: number) => drafts[position] as EventDraft;
  const ids = [...drafts.keys()].sort((a, b) => compareText(at(a).id, at(b).id));
  const sortBy = (compare: Compare) => sortPositions(ids, (a, b) => compare(at(a), at(b)));
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
  const types = draft.projectTypes.flatMap((type) => [
    type,
    projectTypeNames[type],
    projectTypeSynonyms[type],
  ]);
  return foldText([...parts, ...types].filter(Boolean).join('\n'));
}

type Compare = (a: EventDraft, b: EventDraft) => number;

/** @param positions in the order that ties should have. */
async function sortPositions(
  positions: readonly number[],
  compare: (a: number, b: number) => number,
): Promise<Sorted> {
  // One sort is one turn of the event loop: 10,000 names take 26 ms.
  await yieldToEventLoop();
  const ascending = positions.toSorted(compare);
  const descending = new Uint32Array(ascending.length);
  let length = 0;
  for (let end = ascending.length; end > 0; ) {
    let start = end - 1;
    while (start > 0 && compare(ascending[start - 1] as number, ascending[start] as number) === 0) {
      start--;
    }
    descending.set(ascending.slice(start, end), length);
    length += end - start;
    end = start;
  }
  return { asc: Uint32Array.from(ascending), desc: descending };
}

/** Orders drafts by the time of their announcement, ties by id. */
export function compareAnnouncement(a: EventDraft, b: EventDraft): number {
  return compareText(a.announcedAt, b.announcedAt) || compareText(a.id, b.id);
}
