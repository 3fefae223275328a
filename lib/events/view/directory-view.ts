import type { MarqueeEvent } from '../model/schema.ts';
import { toSections } from './sections.ts';

/** What a poster or a line of the directory shows of an event. */
export type DirectoryEvent = Pick<
  MarqueeEvent,
  | 'id'
  | 'slug'
  | 'name'
  | 'url'
  | 'status'
  | 'startDate'
  | 'endDate'
  | 'format'
  | 'inPerson'
  | 'projectTypes'
  | 'pinned'
  | 'background'
  | 'theme'
  | 'pictures'
>;

export type SectionKind = 'onNow' | 'comingUp' | 'openEnded' | 'past';

/** The status that all events of a section have. */
export const sectionStatuses = {
  onNow: 'ongoing',
  comingUp: 'upcoming',
  openEnded: 'ongoing',
  past: 'ended',
} as const;

export type DirectorySection = Readonly<{
  kind: SectionKind;
  /** How many there are; `events` may hold fewer. */
  total: number;
  events: readonly DirectoryEvent[];
}>;

/** The directory as it is shown: its sections, cut to what a page can hold. */
export type DirectoryView = Readonly<{
  sections: readonly DirectorySection[];
  counts: Readonly<{ onNow: number; comingUp: number; past: number; all: number }>;
  /** Where the list is turned page by page; null where it is all on one. */
  paging: Readonly<{ page: number; pages: number }> | null;
}>;

export type DirectoryViewOptions = Readonly<{
  /** From 1; one too high is the last. */
  page: number;
  /** Whether all events have one status: such a list is turned page by page. */
  isOneStatus: boolean;
}>;

/** Posters on a page, and lines of past events. */
export const postersMax = 60;
export const linesMax = 60;

/** Sections behind a long one keep room for so many of theirs. */
const kept = 12;

/** Hangs events: which of them are on the page, and in which section. */
export function toDirectoryView(
  events: readonly MarqueeEvent[],
  { page, isOneStatus }: DirectoryViewOptions,
): DirectoryView {
  const { onNow, comingUp, openEnded, past } = toSections(events);
  const all = [
    { kind: 'onNow', events: onNow },
    { kind: 'comingUp', events: comingUp },
    { kind: 'openEnded', events: openEnded },
    { kind: 'past', events: past },
  ] as const;
  const pages = Math.max(1, Math.ceil(events.length / postersMax));
  const shownPage = Math.min(page, pages);
  const shown = isOneStatus ? turnTo(shownPage, all) : share(all);
  return {
    sections: all.map(({ kind, events: { length } }, index) => ({
      kind,
      total: length,
      events: (shown[index] ?? []).map(toDirectoryEvent),
    })),
    counts: {
      onNow: onNow.length + openEnded.length,
      comingUp: comingUp.length,
      past: past.length,
      all: events.length,
    },
    paging: isOneStatus && pages > 1 ? { page: shownPage, pages } : null,
  };
}

type Sections = ReadonlyArray<Readonly<{ kind: SectionKind; events: readonly MarqueeEvent[] }>>;

// In their order sections take what they need, but for what is kept for each of those behind them.
function share(sections: Sections): (readonly MarqueeEvent[])[] {
  let left = postersMax;
  return sections.map(({ kind, events }, index) => {
    if (kind === 'past') return events.slice(0, linesMax);
    const behind = sections.slice(index + 1).filter((section) => section.kind !== 'past');
    const reserved = behind.reduce((sum, next) => sum + Math.min(kept, next.events.length), 0);
    const count = Math.min(events.length, left - reserved);
    left -= count;
    return events.slice(0, count);
  });
}

function turnTo(page: number, sections: Sections): (readonly MarqueeEvent[])[] {
  let first = (page - 1) * postersMax;
  let left = postersMax;
  return sections.map(({ events }) => {
    const shown = events.slice(first, first + left);
    first = Math.max(0, first - events.length);
    left -= shown.length;
    return shown;
  });
}

/** What is shown of an event, and no more: it travels with the page. */
export function toDirectoryEvent(event: MarqueeEvent): DirectoryEvent {
  const { id, slug, name, url, status, startDate, endDate, format, inPerson, ...rest } = event;
  const { projectTypes, pinned, background, theme, pictures } = rest;
  return {
    ...{ id, slug, name, url, status, startDate, endDate, format, inPerson },
    ...{ projectTypes, pinned, theme, pictures },
    // Pages show our own copy of the picture; the upstream's address would only make them longer.
    background,
  };
}

/** Whether a filter, several values with commas between them, lets events of one status through alone. */
export function isOneStatus(status: string | undefined): boolean {
  return status !== undefined && status !== '' && !status.includes(',');
}
