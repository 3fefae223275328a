import { formatCount } from '#lib/events/words/format-count.ts';
import type { EventStatus, MarqueeEvent } from '../../model/schema.ts';
import type { EventsQuery } from '../../query/events-query.ts';
import type { Scores } from '../../search/score-events.ts';
import type { DirectoryEvent } from './directory-event.ts';
import { type SectionKind, sectionKinds, toSections } from './sections.ts';

/** The status of all events of a section; null if it has several. */
export const sectionStatuses = {
  pinned: null,
  onNow: 'ongoing',
  alsoRunning: null,
  comingUp: 'upcoming',
  openEnded: 'ongoing',
  past: 'ended',
} as const satisfies Record<SectionKind, EventStatus | null>;

export type DirectorySection = Readonly<{
  kind: SectionKind;
  /** How many events there are; `events` may have fewer. */
  total: number;
  events: readonly DirectoryEvent[];
}>;

/** What a page of the directory shows. */
export type DirectoryView = Readonly<{
  /** Those that have events. */
  sections: readonly DirectorySection[];
  /** How many events match, shown or not. */
  total: number;
  /** null if everything is on one page. */
  paging: Readonly<{ page: number; pages: number }> | null;
}>;

type DirectoryViewOptions = Readonly<{
  filters: EventsQuery;
  /** From 1; clamped to the last page. */
  page: number;
  /** See `toPeriodStart`. */
  periodStart: string | null;
  /** Of its search. */
  scores?: Scores;
}>;

/** The sections that are compact lists. */
const lineSections: ReadonlySet<SectionKind> = new Set(['pinned', 'alsoRunning', 'past']);

export function isOfLines(kind: SectionKind): boolean {
  return lineSections.has(kind);
}

/** The section whose posters are the first ones of a page; without posters, its first section. */
export function findFirstKind({ sections }: DirectoryView): SectionKind | undefined {
  const withPosters = sections.find(({ kind, events }) => !isOfLines(kind) && events.length > 0);
  return (withPosters ?? sections[0])?.kind;
}

/** Most posters on a page, and most rows of such a section. */
export const postersMax = 60;
export const linesMax = 60;

/** Posters reserved for each section after a long one. */
const reservedPosters = 12;

/**
 * Chooses the events of a page and their sections: for the page, its Markdown, and tabs that stay open.
 * @param events that match the filters.
 */
export function toDirectoryView(
  events: readonly MarqueeEvent[],
  { filters, page, periodStart, scores = {} }: DirectoryViewOptions,
): DirectoryView {
  // Only a list of one status is paginated.
  const isOneStatus = filters.status?.length === 1;
  const sections = toSections(events, { scores, periodStart });
  const all = sectionKinds
    .map((kind) => ({ kind, events: sections[kind] }))
    .filter(({ events }) => events.length > 0);
  const pages = Math.max(1, Math.ceil(events.length / postersMax));
  const shownPage = Math.min(page, pages);
  const shown = isOneStatus ? paginate(shownPage, all) : share(all);
  return {
    sections: all.map(({ kind, events: { length } }, index) => ({
      kind,
      total: length,
      events: shown[index] ?? [],
    })),
    total: events.length,
    paging: isOneStatus && pages > 1 ? { page: shownPage, pages } : null,
  };
}

type Sections = ReadonlyArray<Readonly<{ kind: SectionKind; events: readonly MarqueeEvent[] }>>;

// Sections take what they need in order, but leave what is reserved for later ones.
function share(sections: Sections): (readonly MarqueeEvent[])[] {
  let left = postersMax;
  return sections.map(({ kind, events }, index) => {
    if (isOfLines(kind)) return events.slice(0, linesMax);
    const later = sections.slice(index + 1).filter((section) => !isOfLines(section.kind));
    const reserved = later.reduce(
      (sum, next) => sum + Math.min(reservedPosters, next.events.length),
      0,
    );
    const count = Math.min(events.length, left - reserved);
    left -= count;
    return events.slice(0, count);
  });
}

function paginate(page: number, sections: Sections): (readonly MarqueeEvent[])[] {
  let first = (page - 1) * postersMax;
  let left = postersMax;
  return sections.map(({ events }) => {
    const shown = events.slice(first, first + left);
    first = Math.max(0, first - events.length);
    left -= shown.length;
    return shown;
  });
}

/** How many events of a section there are, and how many of them are shown: `11`, or `30 of 640`. */
export function toCountInWords({
  shown,
  total,
}: Readonly<{ shown: number; total: number }>): string {
  return shown < total ? `${formatCount(shown)} of ${formatCount(total)}` : formatCount(total);
}
