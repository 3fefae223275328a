import { addDays } from '#lib/events/model/dates.ts';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { toLocalDay, toZonedTime } from '#lib/events/model/zoned-time.ts';
import { hasReminders, toCalendarEntries } from '#lib/events/view/calendar-entries.ts';

/** When people are reminded of an event, and of what. */
export type ReminderTime = Readonly<{
  /** Unix ms. */
  at: number;
  /** The day that they are reminded of, and its time, Unix ms; null for a whole day. */
  day: string;
  startsAtMs: number | null;
}>;

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** After an outage, what has passed by more is not sent: it is half of the hour before an event. */
const lateMaxMs = hourMs / 2;

/** A day and an hour before an event, or at 9:00 on the day before whole days. @param siteZone where the event has none */
export function listReminderTimes(event: MarqueeEvent, siteZone: string): ReminderTime[] {
  const entries = toCalendarEntries(event, event.startDate);
  return entries
    .filter((entry) => hasReminders(event, entry))
    .flatMap(({ kind, startDate: day }): ReminderTime[] => {
      if (kind === 'event' && event.startsAt !== null) {
        const startsAtMs = Date.parse(event.startsAt);
        return [dayMs, hourMs].map((beforeMs) => ({ at: startsAtMs - beforeMs, day, startsAtMs }));
      }
      const timeZone = event.timeZone ?? siteZone;
      const { timeMs: at } = toZonedTime({ date: addDays(day, -1), time: '09:00', timeZone });
      return [{ at, day, startsAtMs: null }];
    });
}

/** The reminder that is due; null for none. @param now Unix ms */
export function findDueReminder(
  event: MarqueeEvent,
  { siteZone, now }: Readonly<{ siteZone: string; now: number }>,
): ReminderTime | null {
  // Most events are far away: that is found out without time zones.
  const [first = '', last = ''] = [now - dayMs, now + 2 * dayMs].map(toUtcDay);
  const days = [event.startDate, event.inPerson?.start ?? event.startDate];
  if (!days.some((day) => day >= first && day <= last)) return null;
  const times = listReminderTimes(event, siteZone);
  return times.find(({ at }) => at <= now && now - at < lateMaxMs) ?? null;
}

function toUtcDay(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10);
}

/** `Soon`, `Today` or `Tomorrow`: after a delay, or past midnight, it is no day or hour any more. */
export function toReminderWord(
  { day, startsAtMs }: ReminderTime,
  { timeZone, now }: Readonly<{ timeZone: string; now: number }>,
): 'Soon' | 'Today' | 'Tomorrow' {
  if (startsAtMs !== null && startsAtMs - now <= hourMs) return 'Soon';
  return day === toLocalDay(now, timeZone) ? 'Today' : 'Tomorrow';
}

/** Whether nothing is left to remind people of. What has no end is over once it has begun. */
export function isOver({ status, endDate }: Pick<MarqueeEvent, 'status' | 'endDate'>): boolean {
  return status === 'ended' || (status === 'ongoing' && endDate === null);
}
