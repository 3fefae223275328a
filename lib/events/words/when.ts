import { daysBetween, type EventDates } from '../model/dates.ts';
import { toInPersonDays } from '../model/in-person-days.ts';
import type { EventStatus, MarqueeEvent } from '../model/schema.ts';
import { toStatusOfDays } from '../model/status.ts';
import { isOff, toHours, toZoneSuffix } from './clock-words.ts';
import { toShortDays, toWeekdayName, toWeekdayWords } from './dates-in-words.ts';

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
  | 'status'
  | 'state'
  | 'startDate'
  | 'endDate'
  | 'startTime'
  | 'endTime'
  | 'timeZone'
  | 'startsAt'
  | 'inPerson'
  | 'place'
>;

/**
 * When an event is, seen on a day. Words and detail together always name a weekday. Times are those of its place, or
 * say which clocks show them.
 * @param today `YYYY-MM-DD` in the site's time zone.
 */
export function toWhen(event: SeenEvent, today: string): EventWhen {
  const inPersonDays = toInPersonDays(event);
  const describeDays = isOff(event) ? describeFormer : describe;
  const toWhenOfDays = ({ startDate, endDate }: EventDates, seen: Seen): When => {
    // An end before the start counts as the same day.
    const end = endDate !== null && endDate < startDate ? startDate : endDate;
    const days = { startDate, endDate: end };
    return { ...describeDays({ ...days, ...seen }, today), ...days };
  };
  const { status } = event;
  const clock = toClock(event);
  // Times are those of all days together, but both may end together.
  const endsWithEvent = inPersonDays?.endDate === event.endDate;
  const isEndInEvening = !endsWithEvent || clock.isEndInEvening;
  return {
    ...toWhenOfDays(event, { status, clock }),
    inPerson:
      inPersonDays &&
      toWhenOfDays(inPersonDays, {
        status: status === 'ongoing' ? toStatusOfDays(inPersonDays, today) : status,
        clock: { ...noClock, isEndInEvening },
      }),
  };
}

/** Clock times as they follow a day, each empty if it is unknown: `, 18:30`. */
type Clock = Readonly<{
  hours: string;
  start: string;
  end: string;
  isEndInEvening: boolean;
  /** Whether the start is known to be over. */
  hasStarted: boolean;
}>;

const noClock: Clock = { hours: '', start: '', end: '', isEndInEvening: true, hasStarted: false };

type Seen = Readonly<{ status: EventStatus; clock: Clock }>;

function toClock(event: SeenEvent): Clock {
  const { startTime, endTime } = event;
  const zone = toZoneSuffix(event);
  const write = (time: string | null) => (time === null ? '' : `, ${time}${zone}`);
  return {
    hours: write(toHours(event)),
    start: write(startTime),
    end: write(endTime),
    isEndInEvening: endTime === null || endTime >= '17:00',
    hasStarted: event.status === 'ongoing' && event.startsAt !== null,
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

// At its place it may be another day than on the site: the status decides.
function describe({ status, ...dates }: EventDates & Seen, today: string): Description {
  const { startDate, endDate, clock } = dates;
  if (status === 'upcoming' && today < startDate) return describeUpcoming(dates, today);
  if (status === 'ended' && endDate !== null)
    return describePast({ startDate, endDate, clock }, today);
  if (status === 'upcoming' || today <= startDate) return describeFirstDay(dates);
  return endDate === null
    ? { words: `Open-ended${clock.hours}`, detail: `since ${toWeekdayWords(startDate, today)}` }
    : describeOngoing({ startDate, endDate, clock }, today);
}

function describeFirstDay({ startDate, endDate, clock }: EventDates & Timed): Description {
  const start = toWeekdayWords(startDate, startDate);
  if (endDate === startDate) return { words: `Today${clock.hours}`, detail: start };
  const started = clock.hasStarted ? 'Started' : 'Starts';
  return endDate === null
    ? { words: `${started} today${clock.hours}`, detail: `${start}, open-ended` }
    : {
        words: `${started} today${clock.start}`,
        detail: `until ${toWeekdayWords(endDate, startDate)}`,
      };
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

type Days = Readonly<{ startDate: string; endDate: string }>;

function describeOngoing(dates: Days & Timed, today: string): Description {
  const { startDate, endDate, clock } = dates;
  const end = toWeekdayWords(endDate, today);
  // The night after it.
  if (endDate < today) return { words: toPastDays(dates, today), detail: 'ends today' };
  if (endDate === today) {
    const day = clock.isEndInEvening ? 'tonight' : 'today';
    const words = clock.end === '' ? `Ends ${day}` : `Until ${day}${clock.end}`;
    return { words, detail: `since ${toWeekdayWords(startDate, today)}` };
  }
  const daysLeft = daysBetween(today, endDate);
  if (daysLeft === 1) return { words: `Ends tomorrow${clock.end}`, detail: end };
  return { words: `Until ${end}`, detail: `ends ${toDistance(today, endDate)}` };
}

function describePast(dates: Days & Timed, today: string): Description {
  const { startDate, endDate } = dates;
  const distance = toDistanceAgo(daysBetween(endDate, today));
  const detail = startDate === endDate ? distance : `ended ${toWeekdayName(endDate)}, ${distance}`;
  return { words: toPastDays(dates, today), detail };
}

function toPastDays({ startDate, endDate, clock }: Days & Timed, today: string): string {
  if (startDate === endDate) return `${toWeekdayWords(endDate, today)}${clock.hours}`;
  return toShortDays({ startDate, endDate }, today);
}

function toDistanceAgo(days: number): string {
  if (days < 1) return 'today';
  return days === 1 ? 'yesterday' : `${toSpan(days)} ago`;
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
