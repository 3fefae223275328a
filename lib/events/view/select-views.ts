import { addDays, compareText, firstDayOf, lastDayOf, toMonth } from '../model/dates.ts';
import type { EventStatus, MarqueeEvent } from '../model/schema.ts';
import { type EventsQuery, expandFormats } from '../query/events-query.ts';
import type { PageQuery } from '../query/page-query.ts';
import { toPeriodStart } from '../query/quick-dates.ts';
import { suggestNames } from '../search/nearest-names.ts';
import { type SearchChip, toChips } from '../search/parse-search.ts';
import { scoreEvents } from '../search/score-events.ts';
import { understandSearch } from '../search/search-matcher.ts';
import { selectEvents, toSeen } from '../search/select-events.ts';
import type { NamedGroup } from '../source/name-index.ts';
import type { EventsSnapshot } from '../source/snapshot.ts';
import { toDirectoryEvent } from './directory/directory-event.ts';
import { type DirectoryView, toDirectoryView } from './directory/directory-view.ts';
import { inDirectoryOrder, toSections } from './directory/sections.ts';

/** The closest other month with events. */
export type NearMonth = Readonly<{ month: string; event: MarqueeEvent }>;

type SelectedMonth = Readonly<{
  /** Events that match the filters, of any month. */
  events: readonly MarqueeEvent[];
  /** The closest events before and after the month. */
  before: NearMonth | null;
  after: NearMonth | null;
}>;

/** Events for a page: on the days that its filters ask for, as `toSeen` says. */
function selectSeen(snapshot: EventsSnapshot, filters: EventsQuery): MarqueeEvent[] {
  const query = expandFormats(filters);
  return selectEvents(snapshot, query).map(toSeen(query, snapshot));
}

/** The events of the month view, and those closest to the month. */
export function selectMonth(
  snapshot: EventsSnapshot,
  { filters, month }: Readonly<{ filters: EventsQuery; month: string }>,
): SelectedMonth {
  const events = selectSeen(snapshot, filters).sort((a, b) =>
    compareText(a.startDate, b.startDate),
  );
  const after = events.find(({ startDate }) => startDate > lastDayOf(month));
  const before = events.reduce<MarqueeEvent | undefined>(
    (last, event) => (isBefore(event, month) && ends(event) >= ends(last) ? event : last),
    undefined,
  );
  return {
    events,
    before: before ? { month: toMonth(ends(before)), event: before } : null,
    after: after ? { month: toMonth(after.startDate), event: after } : null,
  };
}

function isBefore({ endDate }: MarqueeEvent, month: string): boolean {
  return endDate !== null && endDate < firstDayOf(month);
}

function ends(event: MarqueeEvent | undefined): string {
  return event?.endDate ?? '';
}

/** The first day of the period that filters and their search name; null without one. */
export function selectPeriodStart(snapshot: EventsSnapshot, filters: EventsQuery): string | null {
  const { understood } = understandSearch(snapshot, filters.q ?? '');
  const starts = understood.flatMap(({ meaning, isNot }) =>
    meaning.kind === 'days' && !isNot && !meaning.days.isYearly ? [meaning.days.from] : [],
  );
  const start = toPeriodStart(filters, snapshot.day);
  return [...starts, ...(start === null ? [] : [start])].sort().at(-1) ?? null;
}

/** The directory view of a query, for its page and its Markdown. */
export function selectDirectoryView(
  snapshot: EventsSnapshot,
  { filters, page }: Readonly<{ filters: EventsQuery; page: number }>,
): DirectoryView {
  const events = selectSeen(snapshot, filters);
  const view = toDirectoryView(events, {
    filters,
    page,
    periodStart: selectPeriodStart(snapshot, filters),
    scores: scoreEvents(snapshot, filters.q ?? '', events),
  });
  return {
    ...view,
    sections: view.sections.map((section) => ({
      ...section,
      events: section.events.map(toDirectoryEvent),
    })),
  };
}

/** How many events match the filters, by their status. */
export function countEvents(
  snapshot: EventsSnapshot,
  filters: EventsQuery,
): Record<EventStatus, number> {
  const counts = { ongoing: 0, upcoming: 0, ended: 0 };
  for (const { status } of selectSeen(snapshot, filters)) counts[status]++;
  return counts;
}

/** What is understood of the search in a query: see `Search`. */
export function selectSearchChips(
  snapshot: EventsSnapshot,
  { q = '' }: EventsQuery,
): readonly SearchChip[] {
  return toChips(understandSearch(snapshot, q));
}

/** What a page says about its query: invalid parameters, names that no event has, and what was understood. */
export function selectQueryNotes(snapshot: EventsSnapshot, { query, problems }: PageQuery) {
  return {
    problems,
    suggestions: suggestNames(snapshot, query),
    searchChips: selectSearchChips(snapshot, query),
  };
}

/** Events that match the filters: those that start next, then those that are on. */
export function selectNext(snapshot: EventsSnapshot, filters: EventsQuery): MarqueeEvent[] {
  const { comingUp, onNow, openEnded } = toSections(selectSeen(snapshot, filters));
  return [...comingUp, ...onNow, ...openEnded];
}

/** How long an event counts as new. */
const recentDays = 30;

/** Events that were announced in the last days, newest first. */
export function selectRecent(snapshot: EventsSnapshot): MarqueeEvent[] {
  const from = addDays(snapshot.day, -recentDays);
  const newest = selectEvents(snapshot, { sort: 'announcedAt', order: 'desc' });
  return newest.filter(({ announcedAt }) => announcedAt >= from);
}

/** Other events of a city, an organizer or a series, in the order of the directory. */
export function findInGroup(
  event: MarqueeEvent,
  group: NamedGroup | null,
  { events }: EventsSnapshot,
  countMax: number,
): MarqueeEvent[] {
  const positions = group?.positions ?? [];
  const others = positions.flatMap((position) => events[position] ?? []);
  return inDirectoryOrder(others.filter(({ id }) => id !== event.id)).slice(0, countMax);
}

const ranks: Readonly<Record<EventStatus, number>> = { ongoing: 0, upcoming: 0, ended: 1 };

/** A common project type counts more than the same format. */
const typeScore = 2;

/**
 * Events with project types in common. Upcoming and ongoing ones come first, then the most similar ones, then
 * those that start next.
 */
export function findSimilar(
  event: MarqueeEvent,
  events: readonly MarqueeEvent[],
  countMax: number,
): MarqueeEvent[] {
  return events
    .filter((other) => other.id !== event.id)
    .map((other) => ({ other, score: toScore(event, other) }))
    .filter(({ score }) => score >= typeScore)
    .sort(
      (a, b) =>
        ranks[a.other.status] - ranks[b.other.status] ||
        b.score - a.score ||
        compareRelated(a.other, b.other),
    )
    .slice(0, countMax)
    .map(({ other }) => other);
}

function toScore(event: MarqueeEvent, other: MarqueeEvent): number {
  const common = event.projectTypes.filter((type) => other.projectTypes.includes(type)).length;
  const isSameFormat = event.format !== null && event.format === other.format;
  return common * typeScore + Number(isSameFormat);
}

// Past events: latest first.
function compareRelated(a: MarqueeEvent, b: MarqueeEvent): number {
  const order = compareText(a.startDate, b.startDate);
  return (a.status === 'ended' ? -order : order) || compareText(a.id, b.id);
}

/**
 * A round price that a quarter of the events that cost something stay below, in the currency of most of them, as
 * `maxPrice` has it; null without any. Only what is on or coming up counts.
 */
export function selectLowPrice({ events }: EventsSnapshot): string | null {
  const prices = events.flatMap(({ status, priceRange }) => {
    const isPaid = status !== 'ended' && priceRange !== null && priceRange.min > 0;
    return isPaid && priceRange.currency !== null ? [priceRange] : [];
  });
  const byCurrency = [...Map.groupBy(prices, ({ currency }) => currency)];
  const [most] = byCurrency.sort(([, a], [, b]) => b.length - a.length);
  if (most === undefined) return null;
  const [currency, ranges] = most;
  const lowest = ranges.map(({ min }) => min).sort((a, b) => a - b);
  const quarter = lowest[Math.floor((lowest.length - 1) / 4)] ?? 0;
  return `${10 ** Math.max(0, Math.ceil(Math.log10(quarter)))}${currency}`;
}
