import type { MarqueeEvent } from '../model/schema.ts';
import { toClockTime, toLocalDay } from '../model/zoned-time.ts';
import { toWeekdayName } from './dates-in-words.ts';

/** The fields that say at what time an event is. */
export type TimedEvent = Pick<
  MarqueeEvent,
  'startDate' | 'endDate' | 'startTime' | 'endTime' | 'timeZone' | 'startsAt' | 'endsAt'
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
  const { inPerson, place, timeZone } = event;
  const hasPlace = inPerson?.location || place?.city;
  return timeZone === null || hasPlace ? '' : ` ${toZoneInWords(timeZone)}`;
}

/** A time zone as people call it: `Berlin time`, `UTC`. */
export function toZoneInWords(timeZone: string): string {
  const [area = '', ...rest] = timeZone.split('/');
  const name = rest.at(-1)?.replaceAll('_', ' ');
  return name === undefined || area === 'Etc' ? (rest[0] ?? area) : `${name} time`;
}

/**
 * The same times on the visitor's clocks: `your time 12:30–15:00`, with the weekday if it is another day there.
 * @returns null if they do not differ, or the times are unknown.
 */
export function toYourTime(event: TimedEvent, visitorZone: string): string | null {
  const { startsAt, endsAt, timeZone } = event;
  const moment = startsAt ?? endsAt;
  if (moment === null || timeZone === null) return null;
  if (!differs(moment, timeZone, visitorZone)) return null;
  const isOneDay = event.startDate === event.endDate;
  const end = endsAt !== null && isOneDay ? toClockTime(Date.parse(endsAt), visitorZone) : null;
  if (startsAt === null) return `your time until ${toLocal(moment, event, visitorZone)}`;
  const start = toLocal(startsAt, event, visitorZone);
  return `your time ${end === null ? start : `${start}–${end}`}`;
}

function toLocal(moment: string, { startDate, endDate, startsAt }: TimedEvent, zone: string) {
  const timeMs = Date.parse(moment);
  const day = toLocalDay(timeMs, zone);
  const isSameDay = day === (moment === startsAt ? startDate : endDate);
  const time = toClockTime(timeMs, zone);
  return isSameDay ? time : `${toWeekdayName(day)} ${time}`;
}

function differs(moment: string, zone: string, otherZone: string): boolean {
  const timeMs = Date.parse(moment);
  const read = (one: string) => `${toLocalDay(timeMs, one)} ${toClockTime(timeMs, one)}`;
  return read(zone) !== read(otherZone);
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/**
 * How far an event's start is, on the day itself: `Doors in 2 hours`, `Started 20 minutes ago`, `Ended an hour ago`.
 * @returns null on any other day, and for what does not take place.
 */
export function toCountdown(
  event: TimedEvent & Pick<MarqueeEvent, 'state' | 'format'>,
  nowMs: number,
): string | null {
  const { startsAt, endsAt, timeZone, state, format } = event;
  if (startsAt === null || timeZone === null) return null;
  if (state === 'cancelled' || state === 'postponed') return null;
  const startMs = Date.parse(startsAt);
  const isToday = toLocalDay(startMs, timeZone) === toLocalDay(nowMs, timeZone);
  const opening = format === 'online' || format === null ? 'Starts' : 'Doors';
  if (nowMs < startMs) return isToday ? `${opening} in ${toSpan(startMs - nowMs)}` : null;
  const endMs = endsAt === null ? null : Date.parse(endsAt);
  if (endMs !== null && nowMs >= endMs) {
    const isLastDay = toLocalDay(endMs, timeZone) === toLocalDay(nowMs, timeZone);
    return isLastDay ? `Ended ${toSpan(nowMs - endMs)} ago` : null;
  }
  return isToday ? `Started ${toSpan(nowMs - startMs)} ago` : null;
}

// Minutes count only within an hour and a half.
function toSpan(spanMs: number): string {
  const minutes = Math.max(1, Math.round(spanMs / minuteMs));
  if (minutes < 90) return minutes === 1 ? 'a minute' : `${minutes} minutes`;
  return `${Math.round(spanMs / hourMs)} hours`;
}
