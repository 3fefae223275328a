import { LRUCache } from 'lru-cache';
import { addDays, weekdayOf } from '#lib/events/model/dates.ts';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { toLocalDay, toZonedTime } from '#lib/events/model/zoned-time.ts';
import { expandFormats } from '#lib/events/query/events-query.ts';
import { parsePageQuery } from '#lib/events/query/page-query.ts';
import { selectEvents } from '#lib/events/search/select-events.ts';
import type { EventsSnapshot } from '#lib/events/source/snapshot.ts';
import { isOff } from '#lib/events/words/clock-words.ts';
import { boundEntries } from '#lib/http/bound-entries.ts';

const reminderDays = ['28', '7', '1'] as const;

export const mentionReasons = ['new', ...reminderDays] as const;

/** Why an event is mentioned, each at most once: it is new, or it is the last digest so many days before it. */
export type MentionReason = (typeof mentionReasons)[number];

/** The reasons for which each event was mentioned, by its id. */
type Mentioned = ReadonlyMap<string, readonly MentionReason[]>;

/** Who gets a digest. */
export type DigestReader = Readonly<{
  /** The query of a URL. */
  filters: string;
  timeZone: string;
  /** Events announced after this time are new to them, Unix ms. */
  since: number;
  mentioned: Mentioned;
}>;

/** An event that a digest mentions. */
export type DigestEntry = Readonly<{ event: MarqueeEvent; reasons: readonly MentionReason[] }>;

/** An event that may be mentioned: those of its reasons that are the same for many readers. */
type Candidate = DigestEntry & Readonly<{ announcedAtMs: number }>;

/** More would be no digest; new events that are left out come first in the next one. */
const entriesMax = 40;
/** Of candidates; each has as many references as events match its filters. */
const selectionsMax = 200;
const timesMax = 10_000;

/** Plans the digests that are sent at one time. Readers with the same filters and zone share a selection. */
export class DigestPlanner {
  readonly snapshot: EventsSnapshot;
  readonly #now: number;
  readonly #candidates = new LRUCache<string, readonly Candidate[]>({ max: selectionsMax });
  readonly #nextTimes = new LRUCache<string, number>(boundEntries(timesMax));

  /** @param now Unix ms */
  constructor(snapshot: EventsSnapshot, now: number) {
    this.snapshot = snapshot;
    this.#now = now;
  }

  /** When the digest after this one is sent, Unix ms. */
  findNext(time: DigestTime): number {
    const key = [time.weekday, time.hour, time.timeZone].join(' ');
    const next = this.#nextTimes.get(key) ?? findNextDigest(time, this.#now);
    this.#nextTimes.set(key, next);
    return next;
  }

  /** What a digest mentions, soonest first; empty if there is nothing to say. @param next that of `findNext` */
  plan(reader: DigestReader, next: number): DigestEntry[] {
    const entries: DigestEntry[] = [];
    for (const candidate of this.#select(reader, next)) {
      if (entries.length >= entriesMax) break;
      const { event, announcedAtMs } = candidate;
      const isNew = announcedAtMs > reader.since;
      if (!isNew && candidate.reasons.length === 0) continue;
      const all = isNew ? (['new', ...candidate.reasons] as const) : candidate.reasons;
      const before = reader.mentioned.get(event.id) ?? [];
      const reasons = all.filter((reason) => !before.includes(reason));
      if (reasons.length > 0) entries.push({ event, reasons });
    }
    return entries;
  }

  #select({ filters, timeZone }: DigestReader, next: number): readonly Candidate[] {
    const today = toLocalDay(this.#now, timeZone);
    const nextDay = toLocalDay(next, timeZone);
    const key = [today, nextDay, filters].join(' ');
    const selected =
      this.#candidates.get(key) ?? listCandidates(this.snapshot, { filters, today, nextDay });
    this.#candidates.set(key, selected);
    return selected;
  }
}

type Selection = Readonly<{ filters: string; today: string; nextDay: string }>;

function listCandidates(
  snapshot: EventsSnapshot,
  { filters, today, nextDay }: Selection,
): Candidate[] {
  // This is the last digest so many days before events that start from `from` on, and before `until`.
  const reminders = reminderDays.map((days) => ({
    reason: days,
    from: addDays(today, Number(days)),
    until: addDays(nextDay, Number(days)),
  }));
  const { query } = parsePageQuery('subscribe', filters);
  const sorted = { ...expandFormats(query), sort: 'startDate', order: 'asc' } as const;
  const events = selectEvents(snapshot, sorted);
  return events
    .filter((event) => event.status !== 'ended' && !isOff(event))
    .map((event) => ({
      event,
      announcedAtMs: Date.parse(event.announcedAt),
      reasons: reminders
        .filter(({ from, until }) => event.startDate >= from && event.startDate < until)
        .map(({ reason }) => reason),
    }));
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
