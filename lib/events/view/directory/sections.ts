import { toWeekdayWords } from '#lib/events/words/dates-in-words.ts';
import {
  addDays,
  compareText,
  daysBetween,
  toMonth,
  toMonthInWords,
  toSunday,
} from '../../model/dates.ts';
import type { MarqueeEvent } from '../../model/schema.ts';
import type { Scores } from '../../search/score-events.ts';

/** The sections of the directory, in the order in which they are shown. */
export const sectionTitles = {
  /** Of a period: what is pinned and not over. */
  pinned: 'Pinned',
  /** Ongoing: of a period in order of time, else those with an end date, pinned first, then by end date. */
  onNow: 'On now',
  /** Of a period: what began before it and runs long, by end date. */
  alsoRunning: 'Also running',
  /** By start date. */
  comingUp: 'Coming up',
  /** Of no period: ongoing without an end date, pinned first, then the latest announcement. */
  openEnded: 'Open-ended',
  /** By end date, latest first. */
  past: 'Past',
} as const;

export type SectionKind = keyof typeof sectionTitles;

export const sectionKinds = Object.keys(sectionTitles) as SectionKind[];

type Compare = (a: MarqueeEvent, b: MarqueeEvent) => number;

type SectionOptions = Readonly<{
  /** Of a search: each section is sorted by them first. */
  scores?: Scores;
  /** The first day of the period that is shown: what merely runs then is not what people look for. */
  periodStart?: string | null;
}>;

/** Sorts events into the sections of the directory. Ties are in the order of their ids. */
export function toSections(
  events: readonly MarqueeEvent[],
  { scores = {}, periodStart = null }: SectionOptions = {},
): Record<SectionKind, MarqueeEvent[]> {
  const sections: Record<SectionKind, MarqueeEvent[]> = {
    pinned: [],
    onNow: [],
    alsoRunning: [],
    comingUp: [],
    openEnded: [],
    past: [],
  };
  for (const event of events) sections[toKind(event, periodStart)].push(event);
  const inPeriod = startsInPeriodFirst(periodStart ?? '');
  const orders: Record<SectionKind, readonly Compare[]> = {
    pinned: [startsSoonest],
    onNow:
      periodStart === null
        ? [pinnedFirst, endsSoonest, startsSoonest]
        : [inPeriod, startsSoonest, endsSoonest],
    alsoRunning: [endsSoonest, startsSoonest],
    comingUp: [inPeriod, startsSoonest, endsSoonest],
    openEnded: [pinnedFirst, announcedLast],
    past: [flip(endsSoonest), flip(startsSoonest)],
  };
  const mostRelevant: Compare = (a, b) => (scores[b.id] ?? 0) - (scores[a.id] ?? 0);
  // 50,000 events without scores are sorted in half the time.
  const byScore = Object.keys(scores).length === 0 ? [] : [mostRelevant];
  for (const kind of sectionKinds) sections[kind].sort(inOrder(...byScore, ...orders[kind]));
  return sections;
}

function toKind(event: MarqueeEvent, periodStart: string | null): SectionKind {
  const { status, pinned, endDate } = event;
  if (periodStart !== null) {
    if (pinned && status !== 'ended') return 'pinned';
    if (isMerelyRunning(event, periodStart)) return 'alsoRunning';
  }
  if (status === 'ended') return 'past';
  if (status === 'upcoming') return 'comingUp';
  return endDate === null && periodStart === null ? 'openEnded' : 'onNow';
}

/** Events in the order of the directory, without sections. */
export function inDirectoryOrder(
  events: readonly MarqueeEvent[],
  scores: Scores = {},
): MarqueeEvent[] {
  return Object.values(toSections(events, { scores })).flat();
}

/** A hackathon from Friday to Sunday belongs to its weekend. */
const shortDaysMax = 4;

function isMerelyRunning({ startDate, endDate }: MarqueeEvent, periodStart: string): boolean {
  const isShort = endDate !== null && daysBetween(startDate, endDate) < shortDaysMax;
  return startDate < periodStart && (endDate ?? noEnd) >= periodStart && !isShort;
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

/** Events that start on the same day, or in the same week or month. */
type TimeGroup<Event> = Readonly<{
  /** `Today`, `Tomorrow`, `Fri 4 Dec`, `Next week`, `December 2026`; empty for what began before. */
  title: string;
  events: readonly Event[];
}>;

/**
 * Divides events by the time at which they start: the days of a week, next week, then month by month. Weeks begin on Monday.
 * @param events in order of time.
 */
export function toTimeGroups<Event extends Readonly<{ startDate: string }>>(
  events: readonly Event[],
  today: string,
): TimeGroup<Event>[] {
  const groups = Map.groupBy(events, ({ startDate }) => toTitle(startDate, today));
  return [...groups].map(([title, inGroup]) => ({ title, events: inGroup }));
}

/** As many days are named by their weekday. */
const namedDays = 7;

function toTitle(date: string, today: string): string {
  const days = daysBetween(today, date);
  if (days < 0) return '';
  if (days === 0) return 'Today';
  if (days === 1) return 'Tomorrow';
  if (days < namedDays) return toWeekdayWords(date, today);
  if (date <= addDays(toSunday(today), 7)) return 'Next week';
  return toMonthInWords(toMonth(date));
}
