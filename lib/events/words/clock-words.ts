import { daysBetween } from '../model/dates.ts';
import type { MarqueeEvent } from '../model/schema.ts';
import { toClockTime, toLocalDay } from '../model/zoned-time.ts';
import { toWeekdayName } from './dates-in-words.ts';

/** The fields that say at what time an event is. */
export type TimedEvent = Pick<
  MarqueeEvent,
  'status' | 'startDate' | 'endDate' | 'startTime' | 'endTime' | 'timeZone' | 'startsAt' | 'endsAt'
>;

type PlacedEvent = Pick<MarqueeEvent, 'inPerson' | 'place'>;

/** The hours of an event: `18:30–21:00`, `18:30`, `until 21:00`; null if they are unknown. */
export function toHours({
  startTime,
  endTime,
}: Pick<MarqueeEvent, 'startTime' | 'endTime'>): string | null {
  if (startTime === null) return endTime === null ? null : `until ${endTime}`;
  return endTime === null ? startTime : `${startTime}–${endTime}`;
}

/**
 * Whose clocks an event's times are those of: ` Berlin time`, or nothing where its place says so.
 * @returns with a space in front, to follow a time.
 */
export function toZoneSuffix(event: Pick<MarqueeEvent, 'timeZone'> & PlacedEvent): string {
  const { timeZone } = event;
  return timeZone === null || hasPlace(event) ? '' : ` ${toZoneInWords(timeZone)}`;
}

function hasPlace({ inPerson, place }: PlacedEvent): boolean {
  return Boolean(inPerson?.location || place?.city);
}

/** A time zone as people call it: `Berlin time`, `UTC`. */
export function toZoneInWords(timeZone: string): string {
  const [area = '', ...rest] = timeZone.split('/');
  const name = rest.at(-1)?.replaceAll('_', ' ');
  return name === undefined || area === 'Etc' ? (rest[0] ?? area) : `${name} time`;
}

/**
 * The time that `toWhen` names, on the visitor's clocks: `your time 12:30–15:00`, with the weekday if it is another day
 * there.
 * @returns null if it does not differ, if there is none, or if nobody can take part from elsewhere.
 */
export function toYourTime(
  event: TimedEvent & PlacedEvent & Pick<MarqueeEvent, 'format'>,
  { today, visitorZone }: Readonly<{ today: string; visitorZone: string }>,
): string | null {
  const { timeZone } = event;
  if (isOnlyAtPlace(event)) return null;
  const moments = listNamedMoments(event, today);
  if (timeZone === null || moments.length === 0) return null;
  const read = (zone: string) => moments.map((moment) => toLocal(moment, zone));
  const [there, here] = [read(timeZone), read(visitorZone)];
  if (there.every(({ day, time }, index) => day === here[index]?.day && time === here[index].time))
    return null;
  const isOtherDay = there[0]?.day !== here[0]?.day;
  const weekday = isOtherDay ? `${toWeekdayName(here[0]?.day ?? today)} ` : '';
  return `your time ${weekday}${here.map(({ time }) => time).join('–')}`;
}

function isOnlyAtPlace(event: PlacedEvent & Pick<MarqueeEvent, 'format'>): boolean {
  return event.format === 'in-person' || (event.format === null && hasPlace(event));
}

// Of several days, the start counts until it is over, and the end on the last two.
function listNamedMoments(event: TimedEvent, today: string): string[] {
  const { status, startDate, endDate, startsAt, endsAt } = event;
  const named = () => {
    if (startDate === endDate) return [startsAt, endsAt];
    if (status === 'upcoming' || today <= startDate) return [startsAt];
    return endDate !== null && endDate >= today && daysBetween(today, endDate) <= 1 ? [endsAt] : [];
  };
  return named().filter((moment) => moment !== null);
}

function toLocal(moment: string, zone: string) {
  const timeMs = Date.parse(moment);
  return { day: toLocalDay(timeMs, zone), time: toClockTime(timeMs, zone) };
}

/** Whether nothing takes place on an event’s dates. */
export function isOff({ state }: Pick<MarqueeEvent, 'state'>): boolean {
  return state === 'cancelled' || state === 'postponed';
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/**
 * How far an event's start is, on the day itself: `Doors in 2 hours`, `Started 20 minutes ago`, `Ended an hour ago`.
 * It never contradicts the status, which an open page learns a little later.
 * @returns null on any other day, and for what does not take place.
 */
export function toCountdown(
  event: TimedEvent & Pick<MarqueeEvent, 'state' | 'format'>,
  nowMs: number,
): string | null {
  const { status, startsAt, endsAt, timeZone, format } = event;
  const moment = status === 'ended' ? endsAt : startsAt;
  if (moment === null || timeZone === null || isOff(event)) return null;
  const timeMs = Date.parse(moment);
  if (toLocalDay(timeMs, timeZone) !== toLocalDay(nowMs, timeZone)) return null;
  const isAhead = nowMs < timeMs;
  if (isAhead !== (status === 'upcoming')) return null;
  const span = toSpan(Math.abs(timeMs - nowMs));
  if (isAhead) return `${format === 'online' || format === null ? 'Starts' : 'Doors'} in ${span}`;
  return `${status === 'ended' ? 'Ended' : 'Started'} ${span} ago`;
}

// Minutes count only within an hour and a half.
function toSpan(spanMs: number): string {
  const minutes = Math.max(1, Math.round(spanMs / minuteMs));
  if (minutes < 90) return minutes === 1 ? 'a minute' : `${minutes} minutes`;
  return `${Math.round(spanMs / hourMs)} hours`;
}
