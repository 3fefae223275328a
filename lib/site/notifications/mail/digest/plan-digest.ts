import { addDays, weekdayOf } from '#lib/events/model/dates.ts';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { toLocalDay, toZonedTime } from '#lib/events/model/zoned-time.ts';
import { type EventsQuery, expandFormats } from '#lib/events/query/events-query.ts';
import { selectEvents } from '#lib/events/search/select-events.ts';
import type { EventsSnapshot } from '#lib/events/source/snapshot.ts';
import { isOff } from '#lib/events/words/clock-words.ts';

const reminderDays = ['28', '7', '1'] as const;

export const mentionReasons = ['new', ...reminderDays] as const;

/** Why an event is mentioned, each at most once: it is new, or it is the last digest so many days before it. */
export type MentionReason = (typeof mentionReasons)[number];

/** The reasons for which each event was mentioned, by its id. */
type Mentioned = ReadonlyMap<string, readonly MentionReason[]>;

export type DigestReader = Readonly<{
  filters: EventsQuery;
  timeZone: string;
  /** Events announced after this time are new to them, Unix ms. */
  since: number;
  mentioned: Mentioned;
}>;

type DigestEntry = Readonly<{ event: MarqueeEvent; reasons: readonly MentionReason[] }>;

type DigestTimes = Readonly<{
  /** When this digest is sent, and the one after it, Unix ms. */
  now: number;
  next: number;
}>;

/** More would be no digest; new events that are left out come first in the next one. */
const entriesMax = 40;

/** What a digest mentions, soonest first; empty if there is nothing to say. */
export function planDigest(
  reader: DigestReader,
  snapshot: EventsSnapshot,
  times: DigestTimes,
): DigestEntry[] {
  const today = toLocalDay(times.now, reader.timeZone);
  const nextDay = toLocalDay(times.next, reader.timeZone);
  // This is the last digest so many days before events that start from `from` on, and before `until`.
  const reminders = reminderDays.map((days) => ({
    reason: days,
    from: addDays(today, Number(days)),
    until: addDays(nextDay, Number(days)),
  }));
  const query = { ...expandFormats(reader.filters), sort: 'startDate', order: 'asc' } as const;
  const entries: DigestEntry[] = [];
  for (const event of selectEvents(snapshot, query)) {
    if (entries.length >= entriesMax) break;
    if (event.status === 'ended' || isOff(event)) continue;
    const due = reminders.filter(
      ({ from, until }) => event.startDate >= from && event.startDate < until,
    );
    const isNew = Date.parse(event.announcedAt) > reader.since;
    const all = [...(isNew ? (['new'] as const) : []), ...due.map(({ reason }) => reason)];
    const before = reader.mentioned.get(event.id) ?? [];
    const reasons = all.filter((reason) => !before.includes(reason));
    if (reasons.length > 0) entries.push({ event, reasons });
  }
  return entries;
}

type DigestTime = Readonly<{
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
