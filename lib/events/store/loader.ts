import type { Log } from '#lib/http/log.ts';
import type { ToPicture } from '../model/schema.ts';
import type { TimeZone } from '../model/time-zone.ts';
import { createSnapshot, type EventsSnapshot, turnDay } from './snapshot.ts';
import type { EventsSource } from './source.ts';
import { createTimeSlices, yieldToEventLoop } from './time-slices.ts';

/** What a caller sees is never older than this, every cache on the way counted. */
export const oldestSeenMs = 300_000;

/** Share of the cache's time after which a snapshot is renewed ahead of need. */
export const refreshAheadAt = 3 / 4;
const backgroundRetryMs = 5_000;

export type EventsLoaderOptions = Readonly<{
  source: EventsSource;
  timeZone: TimeZone;
  /** Unix time in ms. */
  now: () => number;
  /** Oldest snapshot that is served, 1–240. */
  cacheSeconds: number;
  log: Log;
  /** Makes the pictures of events; left out, they have none. */
  toPicture?: ToPicture;
  /** Gets every snapshot once it has been read. */
  onRead?: (snapshot: EventsSnapshot) => void;
}>;

/** The one clock of the house: it alone decides how old events may be. */
export type EventsLoader = Readonly<{
  /**
   * The current events, with the statuses of the current day.
   * @throws what the source throws, where no snapshot is young enough.
   */
  current: () => Promise<EventsSnapshot>;
  /** The same where nobody has to wait for it, else null: then `current` reads them. */
  peek: () => EventsSnapshot | null;
  /** For how many whole seconds more an answer made from a snapshot may be kept: to the age limit or midnight. */
  freshSeconds: (snapshot: EventsSnapshot) => number;
}>;

/** Keeps one snapshot: renewed in the background, read once for all callers, never served too old. */
export function createEventsLoader(options: EventsLoaderOptions): EventsLoader {
  const { source, timeZone, now, log, toPicture, onRead } = options;
  const cacheMs = options.cacheSeconds * 1000;
  let latest: EventsSnapshot | null = null;
  let reading: Promise<EventsSnapshot> | null = null;
  let nextBackgroundAt = 0;

  async function current(): Promise<EventsSnapshot> {
    return peek() ?? onDayOf(await readFresh());
  }

  function peek(): EventsSnapshot | null {
    if (latest === null) return null;
    const time = now();
    const ageMs = time - latest.readAtMs;
    // A negative age: the clock was set back, so nobody knows how old the snapshot is.
    if (ageMs >= cacheMs || ageMs < 0) return null;
    if (ageMs >= cacheMs * refreshAheadAt && time >= nextBackgroundAt) readInBackground();
    return onDayOf(latest);
  }

  // A read that was under way while the machine slept, or the clock was set back, gives nobody anything.
  async function readFresh(): Promise<EventsSnapshot> {
    const snapshot = await readOnce();
    return isUsable(snapshot, oldestSeenMs) ? snapshot : readOnce();
  }

  function isUsable({ readAtMs }: EventsSnapshot, ageMaxMs: number): boolean {
    const ageMs = now() - readAtMs;
    return ageMs >= 0 && ageMs < ageMaxMs;
  }

  function readOnce(): Promise<EventsSnapshot> {
    reading ??= read().finally(() => {
      reading = null;
    });
    return reading;
  }

  // Failing ahead of need costs nobody anything yet: it is logged where it happens, and tried again.
  function readInBackground(): void {
    nextBackgroundAt = now() + backgroundRetryMs;
    readOnce().catch(() => {});
  }

  async function read(): Promise<EventsSnapshot> {
    const askedAtMs = now();
    const startedAt = performance.now();
    try {
      const { drafts, signedUrls, repairs, readAtMs = askedAtMs } = await source.read();
      await yieldToEventLoop();
      const snapshot = await createSnapshot(drafts, {
        signedUrls,
        readAtMs,
        day: timeZone.dayAt(now()),
        yieldWhenDue: createTimeSlices(),
        ...(toPicture && { toPicture }),
        ...(latest && { before: latest }),
      });
      latest = snapshot;
      nextBackgroundAt = 0;
      const durationMs = Math.round(performance.now() - startedAt);
      log.info({ events: snapshot.events.length, durationMs, ...repairs }, 'events read');
      onRead?.(snapshot);
      return snapshot;
    } catch (error) {
      log.warn({ reason: toReason(error) }, 'events could not be read');
      throw error;
    }
  }

  function onDayOf(snapshot: EventsSnapshot): EventsSnapshot {
    const day = timeZone.dayAt(now());
    if (snapshot.day === day) return snapshot;
    const turned = turnDay(snapshot, {
      day,
      changedAtMs: timeZone.dayEndsAt(snapshot.readAtMs),
    });
    if (latest === snapshot) latest = turned;
    return turned;
  }

  return {
    current,
    peek,
    freshSeconds(snapshot) {
      const time = now();
      if (time < snapshot.readAtMs || snapshot.day !== timeZone.dayAt(time)) return 0;
      const untilTooOldMs = snapshot.readAtMs + oldestSeenMs - time;
      const untilMidnightMs = timeZone.dayEndsAt(time) - time;
      return Math.max(0, Math.floor(Math.min(untilTooOldMs, untilMidnightMs) / 1000));
    },
  };
}

function toReason(error: unknown): string {
  return error instanceof Error && 'reason' in error ? String(error.reason) : 'unknown';
}
