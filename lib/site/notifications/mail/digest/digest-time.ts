import { addDays, weekdayOf } from '#lib/events/model/dates.ts';
import { toLocalDay, toZonedTime } from '#lib/events/model/zoned-time.ts';

export type DigestTime = Readonly<{
  /** 0 for Sunday to 6 for Saturday. */
  weekday: number;
  /** 0 to 23. */
  hour: number;
  /** IANA. */
  timeZone: string;
}>;

/** The next time after a moment, Unix ms. An hour that a clock change skips is the next one. */
export function findNextDigest({ weekday, hour, timeZone }: DigestTime, afterMs: number): number {
  const time = `${String(hour).padStart(2, '0')}:00`;
  const today = toLocalDay(afterMs, timeZone);
  // Of a clock change or a zone without some day, the next week is left.
  for (let days = 0; days <= 14; days += 1) {
    const date = addDays(today, days);
    if (weekdayOf(date) !== weekday) continue;
    const { timeMs } = toZonedTime({ date, time, timeZone });
    if (timeMs > afterMs) return timeMs;
  }
  return afterMs + 7 * 86_400_000;
}
