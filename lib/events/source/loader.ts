import type { Log } from '#lib/http/log.ts';
import { createTimeSlices, yieldToEventLoop } from '#lib/http/time-slices.ts';
import { channels } from '#lib/telemetry/channels.ts';
import { withSpan } from '#lib/telemetry/spans.ts';
import type { TrackHistory } from '../changes/history.ts';
import type { ToPicture } from '../model/schema.ts';
import type { TimeZone } from '../model/zoned-time.ts';
import type { ProblemGroup } from './airtable/problem-groups.ts';
import type { FindSlugs, FindStoredSlug } from './slugs/slug-source.ts';
import { createSnapshot, type EventsSnapshot, withDay, withHistory } from './snapshot.ts';
import { type EventsRead, type EventsSource, toReason, type WantedRead } from './source.ts';

/** No client sees older events than this, HTTP caches included. */
export const ageMaxMs = 300_000;

/** Share of `cacheSeconds` after which a snapshot is refreshed in the background. */
export const refreshAheadAt = 3 / 4;
const backgroundRetryMs = 5_000;
/** nginx keeps a response for up to a second longer than its max-age. */
const cacheRoundingMs = 1_000;

type EventsLoaderOptions = Readonly<{
  source: EventsSource;
  timeZone: TimeZone;
  /** Unix time in ms. */
  now: () => number;
  /** Age after which requests wait for a new snapshot, 1–240. If there is none, the last one serves up to 300 s. */
  cacheSeconds: number;
  log: Log;
  /** Default: events have no pictures. */
  toPicture?: ToPicture;
  /** Default: events have no history. */
  trackHistory?: TrackHistory;
  /** Default: slugs are what the names give. */
  findSlugs?: FindSlugs;
  /** Default: events have no other slugs. */
  findStoredSlug?: FindStoredSlug;
  /** Called with every snapshot that was read. */
  onRead?: (snapshot: EventsSnapshot) => void;
}>;

/** Times are Unix ms. */
export type ReadStatus = Readonly<{
  lastRead: Readonly<{
    readAtMs: number;
    events: number;
    /** How many rows were left out and cells repaired, by reason. */
    repairs: EventsRead['repairs'];
    problems: readonly ProblemGroup[];
  }> | null;
  lastFailure: Readonly<{ atMs: number; reason: string }> | null;
  /** Whether the latest read failed. */
  isFailing: boolean;
}>;

/** The only place that decides how old events may be. */
export type EventsLoader = Readonly<{
  /**
   * The current events, with the statuses of the current day.
   * @throws the source's error, if no snapshot is fresh enough.
   */
  current: () => Promise<EventsSnapshot>;
  /**
   * Reads the table now, whatever the age of the snapshot.
   * @throws the source's error.
   */
  refresh: (wanted: WantedRead) => Promise<EventsSnapshot>;
  /** The current events without waiting; null if `current` would have to read the table. */
  peek: () => EventsSnapshot | null;
  /** What the last reads found, for operators. */
  status: () => ReadStatus;
  /** TTL in whole seconds for a response with the data of a snapshot: until the age limit or midnight. */
  freshSeconds: (snapshot: EventsSnapshot) => number;
}>;

/** Caches one snapshot, refreshes it in the background and shares each read among all requests. */
export function createEventsLoader(options: EventsLoaderOptions): EventsLoader {
  const { source, timeZone, now, log, trackHistory, findSlugs, findStoredSlug, onRead } = options;
  const { toPicture = () => null } = options;
  const cacheMs = options.cacheSeconds * 1000;
  let latest: EventsSnapshot | null = null;
  let reading: Promise<EventsSnapshot> | null = null;
  let nextBackgroundAt = 0;
  let status: ReadStatus = { lastRead: null, lastFailure: null, isFailing: false };

  async function current(): Promise<EventsSnapshot> {
    const cached = peek();
    if (cached !== null) return cached;
    try {
      const snapshot = await readFresh();
      // It may have been stored before this process started.
      if (now() - snapshot.readAtMs >= cacheMs * refreshAheadAt) readInBackground();
      return onDayOf(snapshot);
    } catch (error) {
      const last = peek();
      if (last === null) throw error;
      return last;
    }
  }

  function peek(): EventsSnapshot | null {
    if (latest === null || !isUsable(latest)) return null;
    const time = now();
    const ageMs = time - latest.readAtMs;
    if (ageMs >= cacheMs && !status.isFailing) return null;
    if (ageMs >= cacheMs * refreshAheadAt && time >= nextBackgroundAt) readInBackground();
    return onDayOf(latest);
  }

  // A result is discarded if the machine slept during the read or the clock was set back.
  async function readFresh(): Promise<EventsSnapshot> {
    const snapshot = await readOnce();
    return isUsable(snapshot) ? snapshot : readOnce();
  }

  // A negative age means that the clock was set back, so the real age is unknown.
  function isUsable({ readAtMs }: EventsSnapshot): boolean {
    const ageMs = now() - readAtMs;
    return ageMs >= 0 && ageMs < ageMaxMs;
  }

  function readOnce(wanted?: WantedRead): Promise<EventsSnapshot> {
    reading ??= withSpan('read events', {}, () => read(wanted ?? toWanted())).finally(() => {
      reading = null;
    });
    return reading;
  }

  // A process that starts serves what is stored; later, a refresh must not get a read that is due itself.
  function toWanted(): WantedRead {
    return { ageMaxMs: latest === null ? ageMaxMs : cacheMs * refreshAheadAt };
  }

  // A read that is under way may have begun before the change.
  async function refresh(wanted: WantedRead): Promise<EventsSnapshot> {
    while (reading !== null) await reading.catch(() => {});
    return readOnce(wanted);
  }

  // A failure is logged in `read` and retried; the current snapshot is still young enough.
  function readInBackground(): void {
    nextBackgroundAt = now() + backgroundRetryMs;
    readOnce().catch(() => {});
  }

  async function read(wanted: WantedRead): Promise<EventsSnapshot> {
    const calledAtMs = now();
    const startedAt = performance.now();
    try {
      const found = await source.read(wanted);
      const { drafts, signedUrls, repairs, pictures, readAtMs = calledAtMs } = found;
      // While the database was away, this process has read for itself.
      if (latest !== null && isUsable(latest) && readAtMs < latest.readAtMs) return latest;
      await yieldToEventLoop();
      const yieldWhenDue = createTimeSlices();
      const slugs = await findSlugs?.({ events: drafts, readAtMs });
      const created = await createSnapshot(drafts, {
        signedUrls,
        readAtMs,
        day: timeZone.dayAt(now()),
        yieldWhenDue,
        toPicture: pictures ? ({ id }) => pictures.get(id) ?? null : toPicture,
        ...(slugs && { slugs }),
        ...(findStoredSlug && { findStoredSlug }),
        ...(latest && { before: latest }),
      });
      const history = (await trackHistory?.(created)) ?? created.history;
      const snapshot = withHistory(created, history);
      latest = snapshot;
      nextBackgroundAt = 0;
      const durationMs = Math.round(performance.now() - startedAt);
      log.info({ events: snapshot.events.length, durationMs, ...repairs }, 'events read');
      channels.eventsRead.publish({ readAtMs, events: snapshot.events.length, repairs });
      const { problems = [] } = found;
      const events = snapshot.events.length;
      status = {
        ...status,
        lastRead: { readAtMs, events, repairs, problems },
        isFailing: false,
      };
      onRead?.(snapshot);
      return snapshot;
    } catch (error) {
      const reason = toReason(error);
      status = { ...status, lastFailure: { atMs: calledAtMs, reason }, isFailing: true };
      nextBackgroundAt = now() + backgroundRetryMs;
      // Without its details, which follow a colon: labels of metrics are few.
      channels.eventsReadFailed.publish({ reason: reason.split(':', 1).join() });
      log.warn({ reason }, 'events could not be read');
      throw error;
    }
  }

  function onDayOf(snapshot: EventsSnapshot): EventsSnapshot {
    const day = timeZone.dayAt(now());
    if (snapshot.day === day) return snapshot;
    const updated = withDay(snapshot, {
      day,
      changedAtMs: timeZone.dayEndsAt(snapshot.readAtMs),
    });
    if (latest === snapshot) {
      latest = updated;
      // It finds the events whose status has changed.
      if (trackHistory !== undefined) readInBackground();
    }
    return updated;
  }

  return {
    current,
    refresh,
    peek,
    status: () => status,
    freshSeconds(snapshot) {
      const time = now();
      if (time < snapshot.readAtMs || snapshot.day !== timeZone.dayAt(time)) return 0;
      const untilTooOldMs = snapshot.readAtMs + ageMaxMs - time;
      const untilMidnightMs = timeZone.dayEndsAt(time) - time;
      const leftMs = Math.min(untilTooOldMs, untilMidnightMs) - cacheRoundingMs;
      return Math.max(0, Math.floor(leftMs / 1000));
    },
  };
}

/** Why the table cannot be read at the moment, for operators; null if the last read succeeded. */
export function describeReadFailure({
  lastRead,
  lastFailure,
  isFailing,
}: ReadStatus): string | null {
  if (!isFailing || lastFailure === null) return null;
  if (lastRead === null) return lastFailure.reason;
  const until = new Date(lastRead.readAtMs + ageMaxMs).toISOString();
  return `${lastFailure.reason}; the last events are served until ${until}`;
}
