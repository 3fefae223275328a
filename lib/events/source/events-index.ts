import { type YieldWhenDue, yieldToEventLoop } from '#lib/http/time-slices.ts';
import { compareText } from '../model/dates.ts';
import type { AttachmentOrigin, EventDraft, SignedUrls } from '../model/schema.ts';
import type { SortKey, SortOrder } from '../query/events-query.ts';
import { indexNames, type NameIndex } from './name-index.ts';
import { createSearchIndex, type SearchIndex } from './search-index.ts';

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
  search: SearchIndex;
  names: NameIndex;
  /** By attachment id. */
  attachments: ReadonlyMap<string, AttachmentPlace>;
}>;

/** The event that an attachment belongs to, and its picture's facts. */
type AttachmentPlace = Omit<AttachmentOrigin, 'url'> &
  Readonly<{ eventId: string; side: keyof SignedUrls }>;

// A fixed locale: the same order on every machine.
const nameCollator = new Intl.Collator('en', { sensitivity: 'base', numeric: true });

/** Indexes drafts in time slices. @param drafts in the order of their announcement. @param slugs by position. */
export async function indexEvents(
  drafts: readonly EventDraft[],
  slugs: readonly string[],
  yieldWhenDue: YieldWhenDue,
): Promise<EventsIndex> {
  const search = createSearchIndex();
  const positionById = new Map<string, number>();
  const positionBySlug = new Map<string, number>();
  const attachments = new Map<string, AttachmentPlace>();
  for (const [position, draft] of drafts.entries()) {
    positionById.set(draft.id, position);
    positionBySlug.set(slugs[position] ?? draft.id, position);
    search.add(draft);
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
      startDate: await sortBy(compareStart),
      announcedAt: await sortBy((a, b) => compareText(a.announcedAt, b.announcedAt)),
      name: await sortBy((a, b) => nameCollator.compare(a.name, b.name)),
      price: {
        asc: (await sortBy((a, b) => toPrice(a, unknownLast) - toPrice(b, unknownLast))).asc,
        desc: (await sortBy((a, b) => toPrice(a, -1) - toPrice(b, -1))).desc,
      },
    },
    positionById,
    positionBySlug,
    search: search.read(),
    names: await indexNames(drafts, yieldWhenDue),
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

/** Events without a time come before the others of their day. */
function compareStart(a: EventDraft, b: EventDraft): number {
  return compareText(a.startDate, b.startDate) || toStartMs(a) - toStartMs(b);
}

const unknownLast = Number.MAX_VALUE;

function toPrice({ priceRange }: EventDraft, unknown: number): number {
  return priceRange?.min ?? unknown;
}

function toStartMs({ startsAt }: EventDraft): number {
  return startsAt === null ? Number.MIN_SAFE_INTEGER : Date.parse(startsAt);
}

type Announced = Pick<EventDraft, 'id' | 'announcedAt'>;

/** Orders events by the time of their announcement, ties by id. */
export function compareAnnouncement(a: Announced, b: Announced): number {
  return compareText(a.announcedAt, b.announcedAt) || compareText(a.id, b.id);
}
