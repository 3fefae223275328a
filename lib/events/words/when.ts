import { daysBetween, type EventDates } from '../model/dates.ts';
import type { MarqueeEvent } from '../model/schema.ts';
import { isOff, toHours, toZoneSuffix } from './clock-words.ts';
import { toInPersonDays, toShortDays, toWeekdayName, toWeekdayWords } from './dates-in-words.ts';
import { statusWords } from './filter-words.ts';

/** When something is, as people say it on the day. */
export type When = Readonly<{
  /** The date block: `Today, 18:30–21:00`, `Ends tonight`, `Sat 5 Dec`, `5–7 Dec`, `Until Sat 5 Dec`. */
  words: string;
  /** What the block leaves open: `in 3 days`, `Sat–Mon, in 3 days`, `since Fri 20 Nov`; it may be empty. */
  detail: string;
  /** For `<time>`. */
  startDate: string;
  endDate: string | null;
}>;

type EventWhen = When &
  Readonly<{
    /** Its in-person days, unless all days are. */
    inPerson: When | null;
  }>;

type SeenEvent = Pick<
  MarqueeEvent,
  'state' | 'startDate' | 'endDate' | 'startTime' | 'endTime' | 'timeZone' | 'inPerson' | 'place'
>;

/**
 * When an event is, seen on a day. Words and detail together always name a weekday. Times are those of its place, or
 * say which clocks show them.
 * @param today `YYYY-MM-DD` in the site's time zone.
 */
export function toWhen(event: SeenEvent, today: string): EventWhen {
  const inPersonDays = toInPersonDays(event);
  const describeDays = isOff(event) ? describeFormer : describe;
  const toWhenOfDays = ({ startDate, endDate }: EventDates, clock: Clock): When => {
    // An end before the start counts as the same day.
    const end = endDate !== null && endDate < startDate ? startDate : endDate;
    const days = { startDate, endDate: end };
    return { ...describeDays({ ...days, clock }, today), ...days };
  };
  const clock = toClock(event);
  // Times are those of all days together, but both may end together.
  const endsWithEvent = inPersonDays?.endDate === event.endDate;
  const isEndInEvening = !endsWithEvent || clock.isEndInEvening;
  return {
    ...toWhenOfDays(event, clock),
    inPerson: inPersonDays && toWhenOfDays(inPersonDays, { ...noClock, isEndInEvening }),
  };
}

/** Clock times as they follow a day, each empty if it is unknown: `, 18:30`. */
type Clock = Readonly<{ hours: string; start: string; end: string; isEndInEvening: boolean }>;

const noClock: Clock = { hours: '', start: '', end: '', isEndInEvening: true };

function toClock(event: SeenEvent): Clock {
  const { startTime, endTime } = event;
  const zone = toZoneSuffix(event);
  const write = (time: string | null) => (time === null ? '' : `, ${time}${zone}`);
  return {
    hours: write(toHours(event)),
    start: write(startTime),
    end: write(endTime),
    isEndInEvening: endTime === null || endTime >= '17:00',
  };
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

type Timed = Readonly<{ clock: Clock }>;

function describe(dates: EventDates & Timed, today: string): Description {
  const { startDate, endDate, clock } = dates;
  if (today < startDate) return describeUpcoming(dates, today);
  if (endDate === null) return describeOpenEnded({ startDate, clock }, today);
  return today <= endDate
    ? describeOngoing({ startDate, endDate, clock }, today)
    : describePast({ startDate, endDate, clock }, today);
}

function describeUpcoming(
  { startDate, endDate, clock }: EventDates & Timed,
  today: string,
): Description {
  const isTomorrow = daysBetween(today, startDate) === 1;
  const distance = toDistance(today, startDate);
  const start = toWeekdayWords(startDate, today);
  if (endDate === null) {
    return isTomorrow
      ? { words: `From tomorrow${clock.hours}`, detail: `${start}, open-ended` }
      : { words: `From ${start}${clock.hours}`, detail: `${distance}, open-ended` };
  }
  if (endDate === startDate) {
    return isTomorrow
      ? { words: `Tomorrow${clock.hours}`, detail: start }
      : { words: `${start}${clock.hours}`, detail: distance };
  }
  if (isTomorrow) {
    const end = toWeekdayWords(endDate, today);
    return { words: `Tomorrow${clock.start}`, detail: `${start} – ${end}` };
  }
  const isWithinWeek = daysBetween(startDate, endDate) < 7;
  const weekdays = isWithinWeek
    ? toWeekdays({ startDate, endDate })
    : `starts ${toWeekdayName(startDate)}`;
  return {
    words: `${toShortDays({ startDate, endDate }, today)}${clock.start.replace(',', ' from')}`,
    detail: `${weekdays}, ${distance}`,
  };
}

function toWeekdays({ startDate, endDate }: Days): string {
  return `${toWeekdayName(startDate)}–${toWeekdayName(endDate)}`;
}

function describeOpenEnded(
  { startDate, clock }: Readonly<{ startDate: string }> & Timed,
  today: string,
): Description {
  return startDate === today
    ? { words: `Starts today${clock.hours}`, detail: `${toWeekdayWords(today, today)}, open-ended` }
    : { words: `Open-ended${clock.hours}`, detail: `since ${toWeekdayWords(startDate, today)}` };
}

type Days = Readonly<{ startDate: string; endDate: string }>;

function describeOngoing({ startDate, endDate, clock }: Days & Timed, today: string): Description {
  const end = toWeekdayWords(endDate, today);
  if (startDate === endDate) return { words: `Today${clock.hours}`, detail: end };
  if (endDate === today) {
    const day = clock.isEndInEvening ? 'tonight' : 'today';
    // “Ends” would be wrong once it has ended.
    const words = clock.end === '' ? `Ends ${day}` : `Until ${day}${clock.end}`;
    return { words, detail: `since ${toWeekdayWords(startDate, today)}` };
  }
  if (startDate === today) return { words: `Starts today${clock.start}`, detail: `until ${end}` };
  const daysLeft = daysBetween(today, endDate);
  if (daysLeft === 1) return { words: `Ends tomorrow${clock.end}`, detail: end };
  return { words: `Until ${end}`, detail: `ends ${toDistance(today, endDate)}` };
}

function describePast({ startDate, endDate, clock }: Days & Timed, today: string): Description {
  const daysAgo = daysBetween(endDate, today);
  const isOneDay = startDate === endDate;
  const distance = daysAgo === 1 ? 'yesterday' : `${toSpan(daysAgo)} ago`;
  if (isOneDay)
    return { words: `${toWeekdayWords(endDate, today)}${clock.hours}`, detail: distance };
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
  'status' | 'state' | 'format' | 'startDate' | 'endDate' | 'startTime' | 'endTime' | 'inPerson'
>;

/** Before and after the dates of an event. */
const stateWords = {
  scheduled: null,
  cancelled: ['It won’t take place', 'It didn’t take place'],
  postponed: ['It won’t be on these dates', 'It wasn’t on these dates'],
  'moved-online': null,
} as const;

/**
 * What an event’s page says before its dates: `Coming up`, `Online now, in person later`, `Past`. Its poster
 * says “Cancelled” or “Postponed”.
 * @param today `YYYY-MM-DD` in the site's time zone.
 */
export function toStatusInWords(event: DatedEvent, today: string): string {
  const changed = stateWords[event.state];
  if (changed !== null) return changed[event.status === 'ended' ? 1 : 0];
  if (event.status === 'ended') return statusWords.ended;
  return event.status === 'upcoming' ? 'Coming up' : toOngoingInWords(event, today);
}

/**
 * `now`, or `today` where a clock time of this day decides: pages stay the same until midnight, and “On now” above
 * “Doors in 5 hours” would be wrong.
 * @param event that is ongoing.
 */
export function toOngoingWord(
  event: Pick<DatedEvent, 'startDate' | 'endDate' | 'startTime' | 'endTime'>,
  today: string,
): 'now' | 'today' {
  const startsToday = event.startDate === today && event.startTime !== null;
  const endsToday = event.endDate === today && event.endTime !== null;
  return startsToday || endsToday ? 'today' : 'now';
}

// “On now” alone would be wrong for those who plan to come in person.
function toOngoingInWords(event: DatedEvent, today: string): string {
  const word = toOngoingWord(event, today);
  const days = toInPersonDays(event);
  if (days === null) return `On ${word}`;
  const { startDate, endDate } = days;
  const now = event.format === 'in-person' ? `On ${word}` : `Online ${word}`;
  if (today < startDate) return `${now}, in person later`;
  if (endDate !== null && endDate < today) return `${now}, in person is over`;
  return event.format === 'in-person' ? `In person ${word}` : `Online and in person ${word}`;
}
