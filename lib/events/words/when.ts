import { daysBetween, type EventDates } from '../model/dates.ts';
import type { MarqueeEvent } from '../model/schema.ts';
import { toInPersonDays, toShortDays, toWeekdayName, toWeekdayWords } from './dates-in-words.ts';

/** When something is, as people say it on the day. */
export type When = Readonly<{
  /** The date block: `Today`, `Ends tonight`, `Sat 5 Dec`, `5–7 Dec`, `Until Sat 5 Dec`. */
  words: string;
  /** What the block leaves open: `in 3 days`, `Sat–Mon, in 3 days`, `since Fri 20 Nov`; it may be empty. */
  detail: string;
  /** For `<time>`. */
  startDate: string;
  endDate: string | null;
}>;

export type EventWhen = When &
  Readonly<{
    /** Its in-person days, unless all days are. */
    inPerson: When | null;
  }>;

/**
 * When an event is, seen on a day. Words and detail together always name a weekday.
 * @param today `YYYY-MM-DD` in the site's time zone.
 */
export function toWhen(
  event: Pick<MarqueeEvent, 'state' | 'startDate' | 'endDate' | 'inPerson'>,
  today: string,
): EventWhen {
  const inPersonDays = toInPersonDays(event);
  const describeDays = isOff(event) ? describeFormer : describe;
  const toWhenOfDays = ({ startDate, endDate }: EventDates): When => {
    // An end before the start counts as the same day.
    const end = endDate !== null && endDate < startDate ? startDate : endDate;
    return { ...describeDays({ startDate, endDate: end }, today), startDate, endDate: end };
  };
  return { ...toWhenOfDays(event), inPerson: inPersonDays && toWhenOfDays(inPersonDays) };
}

/** Whether nothing takes place on an event’s dates. */
function isOff({ state }: Pick<MarqueeEvent, 'state'>): boolean {
  return state === 'cancelled' || state === 'postponed';
}

// “Tonight” or “in 3 days” would be wrong for what does not take place.
function describeFormer({ startDate, endDate }: EventDates, today: string): Description {
  const start = toWeekdayWords(startDate, today);
  if (endDate === null) return { words: `From ${start}`, detail: 'open-ended' };
  if (endDate === startDate) return { words: start, detail: '' };
  return {
    words: toShortDays({ startDate, endDate }, today),
    detail: toWeekdays({ startDate, endDate }),
  };
}

type Description = Pick<When, 'words' | 'detail'>;

function describe(dates: EventDates, today: string): Description {
  const { startDate, endDate } = dates;
  if (today < startDate) return describeUpcoming(dates, today);
  if (endDate === null) return describeOpenEnded(startDate, today);
  return today <= endDate
    ? describeOngoing({ startDate, endDate }, today)
    : describePast({ startDate, endDate }, today);
}

function describeUpcoming({ startDate, endDate }: EventDates, today: string): Description {
  const isTomorrow = daysBetween(today, startDate) === 1;
  const distance = toDistance(today, startDate);
  const start = toWeekdayWords(startDate, today);
  if (endDate === null) {
    return isTomorrow
      ? { words: 'From tomorrow', detail: `${start}, open-ended` }
      : { words: `From ${start}`, detail: `${distance}, open-ended` };
  }
  if (endDate === startDate) {
    return isTomorrow ? { words: 'Tomorrow', detail: start } : { words: start, detail: distance };
  }
  if (isTomorrow)
    return { words: 'Tomorrow', detail: `${start} – ${toWeekdayWords(endDate, today)}` };
  const isWithinWeek = daysBetween(startDate, endDate) < 7;
  const weekdays = isWithinWeek
    ? toWeekdays({ startDate, endDate })
    : `starts ${toWeekdayName(startDate)}`;
  return {
    words: toShortDays({ startDate, endDate }, today),
    detail: `${weekdays}, ${distance}`,
  };
}

function toWeekdays({ startDate, endDate }: Days): string {
  return `${toWeekdayName(startDate)}–${toWeekdayName(endDate)}`;
}

function describeOpenEnded(startDate: string, today: string): Description {
  return startDate === today
    ? { words: 'Starts today', detail: `${toWeekdayWords(today, today)}, open-ended` }
    : { words: 'Open-ended', detail: `since ${toWeekdayWords(startDate, today)}` };
}

type Days = Readonly<{ startDate: string; endDate: string }>;

function describeOngoing({ startDate, endDate }: Days, today: string): Description {
  const end = toWeekdayWords(endDate, today);
  if (startDate === endDate) return { words: 'Today', detail: end };
  if (endDate === today) {
    return { words: 'Ends tonight', detail: `since ${toWeekdayWords(startDate, today)}` };
  }
  if (startDate === today) return { words: 'Starts today', detail: `until ${end}` };
  const daysLeft = daysBetween(today, endDate);
  if (daysLeft === 1) return { words: 'Ends tomorrow', detail: end };
  return { words: `Until ${end}`, detail: `ends ${toDistance(today, endDate)}` };
}

function describePast({ startDate, endDate }: Days, today: string): Description {
  const daysAgo = daysBetween(endDate, today);
  const isOneDay = startDate === endDate;
  const distance = daysAgo === 1 ? 'yesterday' : `${toSpan(daysAgo)} ago`;
  if (isOneDay) return { words: toWeekdayWords(endDate, today), detail: distance };
  return {
    words: toShortDays({ startDate, endDate }, today),
    detail: `ended ${toWeekdayName(endDate)}, ${distance}`,
  };
}

function toDistance(today: string, date: string): string {
  const days = daysBetween(today, date);
  return days === 1 ? 'tomorrow' : `in ${toSpan(days)}`;
}

// People count days only up to two weeks.
function toSpan(days: number): string {
  if (days < 14) return `${days} ${days === 1 ? 'day' : 'days'}`;
  if (days < 60) return `${Math.round(days / 7)} weeks`;
  if (days < 700) return `${Math.round(days / 30.44)} months`;
  return `${Math.round(days / 365.25)} years`;
}

type DatedEvent = Pick<
  MarqueeEvent,
  'status' | 'state' | 'format' | 'startDate' | 'endDate' | 'inPerson'
>;

/** Before and after the dates of an event. */
const stateWords = {
  scheduled: null,
  cancelled: ['It won’t take place', 'It didn’t take place'],
  postponed: ['It won’t be on these dates', 'It wasn’t on these dates'],
  'moved-online': null,
} as const;

/**
 * What an event’s page says before its dates: `Coming up`, `Online now, in person later`, `It’s over`. Its poster
 * says “Cancelled” or “Postponed”.
 * @param today `YYYY-MM-DD` in the site's time zone.
 */
export function toStatusInWords(event: DatedEvent, today: string): string {
  const changed = stateWords[event.state];
  if (changed !== null) return changed[event.status === 'ended' ? 1 : 0];
  if (event.status === 'ended') return 'It’s over';
  return event.status === 'upcoming' ? 'Coming up' : toOngoingInWords(event, today);
}

// “On now” alone would be wrong for those who plan to come in person.
function toOngoingInWords(event: DatedEvent, today: string): string {
  const days = toInPersonDays(event);
  if (days === null) return 'On now';
  const { startDate, endDate } = days;
  const now = event.format === 'in-person' ? 'On now' : 'Online now';
  if (today < startDate) return `${now}, in person later`;
  if (endDate !== null && endDate < today) return `${now}, in person is over`;
  return event.format === 'in-person' ? 'In person now' : 'Online and in person now';
}
