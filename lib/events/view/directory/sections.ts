import {
  addDays,
  compareText,
  daysBetween,
  toMonth,
  toMonthInWords,
  toSunday,
} from '../../model/dates.ts';
import type { MarqueeEvent } from '../../model/schema.ts';
import type { Relevance } from '../../search/relevance.ts';

/** The sections of the directory, in the order in which they are shown. */
export const sectionTitles = {
  /** Ongoing with an end date: pinned first, then by end date. */
  onNow: 'On now',
  /** By start date. */
  comingUp: 'Coming up',
  /** Ongoing without an end date: pinned first, then the latest announcement. */
  openEnded: 'Open-ended',
  /** By end date, latest first. */
  past: 'Past',
  /** Of a period: what began before it, by end date. */
  alsoRunning: 'Also running',
} as const;

export type SectionKind = keyof typeof sectionTitles;

type Compare = (a: MarqueeEvent, b: MarqueeEvent) => number;

type SectionOptions = Readonly<{
  /** Of a search: each section is sorted by it first. */
  relevance?: Relevance<MarqueeEvent> | null;
  /** The first day of the period that is shown: what merely runs then is not what people look for. */
  periodStart?: string | null;
}>;

/** Sorts events into the sections of the directory. Ties are in the order of their ids. */
export function toSections(
  events: readonly MarqueeEvent[],
  { relevance = null, periodStart = null }: SectionOptions = {},
): Record<SectionKind, MarqueeEvent[]> {
  const onNow: MarqueeEvent[] = [];
  const comingUp: MarqueeEvent[] = [];
  const openEnded: MarqueeEvent[] = [];
  const past: MarqueeEvent[] = [];
  const alsoRunning: MarqueeEvent[] = [];
  for (const event of events) {
    if (periodStart !== null && isMerelyRunning(event, periodStart)) alsoRunning.push(event);
    else if (event.status === 'upcoming') comingUp.push(event);
    else if (event.status === 'ended') past.push(event);
    else if (event.endDate === null) openEnded.push(event);
    else onNow.push(event);
  }
  const mostRelevant = byRelevance(events, relevance);
  const inPeriod = startsInPeriodFirst(periodStart ?? '');
  return {
    onNow: onNow.sort(inOrder(mostRelevant, inPeriod, pinnedFirst, endsSoonest, startsSoonest)),
    comingUp: comingUp.sort(inOrder(mostRelevant, inPeriod, startsSoonest, endsSoonest)),
    openEnded: openEnded.sort(inOrder(mostRelevant, pinnedFirst, announcedLast)),
    past: past.sort(inOrder(mostRelevant, flip(endsSoonest), flip(startsSoonest))),
    alsoRunning: alsoRunning.sort(inOrder(mostRelevant, endsSoonest, startsSoonest)),
  };
}

/** Events in the order of the directory, without sections. */
export function inDirectoryOrder(
  events: readonly MarqueeEvent[],
  relevance: Relevance<MarqueeEvent> | null = null,
): MarqueeEvent[] {
  return Object.values(toSections(events, { relevance })).flat();
}

function byRelevance(
  events: readonly MarqueeEvent[],
  relevance: Relevance<MarqueeEvent> | null,
): Compare {
  if (relevance === null) return () => 0;
  const scores = new Map(events.map((event) => [event, relevance(event)]));
  return (a, b) => (scores.get(b) ?? 0) - (scores.get(a) ?? 0);
}

/** A hackathon from Friday to Sunday belongs to its weekend. */
const shortDaysMax = 4;

function isMerelyRunning({ startDate, endDate }: MarqueeEvent, periodStart: string): boolean {
  const isShort = endDate !== null && daysBetween(startDate, endDate) < shortDaysMax;
  return startDate < periodStart && !isShort;
}

function startsInPeriodFirst(periodStart: string): Compare {
  return (a, b) => Number(a.startDate < periodStart) - Number(b.startDate < periodStart);
}

type EndingEvent = Pick<MarqueeEvent, 'endDate'>;

// Sorts after every date.
const noEnd = '~';

function pinnedFirst(a: MarqueeEvent, b: MarqueeEvent): number {
  return Number(b.pinned) - Number(a.pinned);
}

export function endsSoonest(a: EndingEvent, b: EndingEvent): number {
  return compareText(a.endDate ?? noEnd, b.endDate ?? noEnd);
}

// Without a time, before the others of its day.
function startsSoonest(a: MarqueeEvent, b: MarqueeEvent): number {
  return (
    compareText(a.startDate, b.startDate) ||
    Date.parse(a.startsAt ?? a.startDate) - Date.parse(b.startsAt ?? b.startDate)
  );
}

function announcedLast(a: MarqueeEvent, b: MarqueeEvent): number {
  return compareText(b.announcedAt, a.announcedAt);
}

function inOrder(...compares: readonly Compare[]): Compare {
  return (a, b) => {
    for (const compare of compares) {
      const difference = compare(a, b);
      if (difference !== 0) return difference;
    }
    return compareText(a.id, b.id);
  };
}

function flip(compare: Compare): Compare {
  return (a, b) => compare(b, a);
}

/** Events that start on this day, or in the same week or month. */
type TimeGroup<Event> = Readonly<{
  /** `Later today`, `This week`, `Next week`, `Later in December`, `January 2027`. */
  title: string;
  events: readonly Event[];
}>;

/**
 * Divides coming events by the time at which they start: today, this week, next week, the rest of the month, then
 * month by month. Weeks begin on Monday.
 * @param events by start date.
 */
export function toTimeGroups<Event extends Readonly<{ startDate: string }>>(
  events: readonly Event[],
  today: string,
): TimeGroup<Event>[] {
  const groups: { title: string; events: Event[] }[] = [];
  for (const event of events) {
    const title = toTitle(event.startDate, today);
    const last = groups.at(-1);
    if (last?.title === title) last.events.push(event);
    else groups.push({ title, events: [event] });
  }
  return groups;
}

function toTitle(date: string, today: string): string {
  if (date <= today) return 'Later today';
  const sunday = toSunday(today);
  if (date <= sunday) return 'This week';
  const nextSunday = addDays(sunday, 7);
  if (date <= nextSunday) return 'Next week';
  const month = toMonthInWords(toMonth(date));
  const [name = ''] = month.split(' ');
  if (toMonth(date) === toMonth(nextSunday)) return `Later in ${name}`;
  return date.slice(0, 4) === today.slice(0, 4) ? name : month;
}
