import { createApiError, type HttpError } from '#lib/http/errors/errors.ts';
import type { Log } from '#lib/http/log.ts';
import { createTimeSlices, yieldToEventLoop } from '#lib/http/time-slices.ts';
import { TimeoutError, withTimeout } from '#lib/http/with-timeout.ts';
import { channels } from '#lib/telemetry/channels.ts';
import { withSpan } from '#lib/telemetry/spans.ts';
import type { TrackHistory } from '../changes/history.ts';
import type { ToPicture } from '../model/schema.ts';
import type { TimeZone } from '../model/zoned-time.ts';
import { formatCountOf } from '../words/format-count.ts';
import type { DateAnnouncements } from './announcements.ts';
import type { ReadStatus } from './read-status.ts';
import { toRefreshAge } from './refresh-age.ts';
import type { FindSlugs, FindStoredSlug } from './slugs/slug-source.ts';
import { atTime, createSnapshot, type EventsSnapshot, withHistory } from './snapshot.ts';
import {
  ageMaxMs,
  type EventsRead,
  type EventsSource,
  toReason,
  type WantedRead,
} from './source.ts';

const backgroundRetryMs = 5_000;
/** A large table takes minutes to read. Longer than a request to Airtable may take, whose failure says more. */
const waitMaxMs = 15_000;
/** nginx keeps a response for up to a second longer than its max-age. */
const cacheRoundingMs = 1_000;

/** The only place that decides how old events may be. */
export type EventsLoader = Readonly<{
  /**
   * The current events, with the statuses of now.
   * @throws the source's error, if no snapshot is fresh enough; a 503 if reading one takes long.
   */
  current: () => Promise<EventsSnapshot>;
  /** The same, however long it takes. */
  load: () => Promise<EventsSnapshot>;
  /** How many rows of a read that is under way in this process have arrived. */
  rowsRead: () => number;
  /**
   * Reads the table now, whatever the age of the snapshot.
   * @throws the source's error.
   */
  refresh: (wanted: WantedRead) => Promise<EventsSnapshot>;
  /** The current events without waiting; null if `current` would have to read the table. */
  peek: () => EventsSnapshot | null;
  /** Notes statuses that have changed since, although nobody visits. */
  followClock: () => void;
  /** The age at which a snapshot is refreshed in the background, ms. */
  refreshAgeMs: () => number;
  /** What the last reads found, for operators. */
  status: () => ReadStatus;
  /** TTL in whole seconds for a response with the data of a snapshot: until the age limit or the next transition. */
  freshSeconds: (snapshot: EventsSnapshot) => number;
}>;

/** What the loader reads from, and what it tells of a read. */
type EventsLoaderOptions = Readonly<{
  source: EventsSource;
  timeZone: TimeZone;
  /** Unix time in ms. */
  now: () => number;
  /** Age after which requests wait for a new snapshot, 1–240. If there is none, the last one serves up to 300 s. */
  cacheSeconds: number;
  log: Log;
  /** Default: not known. */
  countRowsRead?: () => number;
  /** How long a request waits for a read. Default: 15 seconds. */
  waitMaxMs?: number;
  /** Default: events have no pictures. */
  toPicture?: ToPicture;
  /** Default: events have no history. */
  trackHistory?: TrackHistory;
  /** Default: slugs are what the names give. */
  findSlugs?: FindSlugs;
  /** Default: announcements in the future stay there. */
  dateAnnouncements?: DateAnnouncements;
  /** Default: events have no other slugs. */
  findStoredSlug?: FindStoredSlug;
  /** Called with every snapshot that was read. */
  onRead?: (snapshot: EventsSnapshot) => void;
}>;

/** Caches one snapshot, refreshes it in the background and shares each read among all requests. */
export function createEventsLoader(options: EventsLoaderOptions): EventsLoader {
  const loader = new SnapshotLoader(options);
  return {
    current: () => loader.current(),
    load: () => loader.load(),
    rowsRead: () => loader.rowsRead,
    refresh: (wanted) => loader.refresh(wanted),
    peek: () => loader.peek(),
    followClock: () => loader.followClock(),
    refreshAgeMs: () => loader.refreshAgeMs,
    status: () => loader.status,
    freshSeconds: (snapshot) => loader.freshSeconds(snapshot),
  };
}

class SnapshotLoader {
  status: ReadStatus = { lastRead: null, lastFailure: null, isFailing: false };
  readonly #options: EventsLoaderOptions;
  readonly #cacheMs: number;
  #latest: EventsSnapshot | null = null;
  #reading: Promise<EventsSnapshot> | null = null;
  #nextBackgroundAt = 0;
  #readMs = 0;

  constructor(options: EventsLoaderOptions) {
    this.#options = options;
    this.#cacheMs = options.cacheSeconds * 1000;
  }

  get refreshAgeMs(): number {
    return toRefreshAge({ cacheMs: this.#cacheMs, readMs: this.#readMs });
  }

  get rowsRead(): number {
    return this.#options.countRowsRead?.() ?? 0;
  }

  async current(): Promise<EventsSnapshot> {
    const cached = this.peek();
    if (cached !== null) return cached;
    try {
      return await withTimeout(this.load(), this.#options.waitMaxMs ?? waitMaxMs);
    } catch (error) {
      if (!(error instanceof TimeoutError)) throw error;
      const latest = this.#latest;
      if (latest !== null && this.#isUsable(latest)) return this.#atNow(latest);
      throw createNotReadYetError(this.rowsRead);
    }
  }

  async load(): Promise<EventsSnapshot> {
    const cached = this.peek();
    if (cached !== null) return cached;
    try {
      const snapshot = await this.#readFresh();
      // It may have been stored before this process started.
      if (this.#isDue(snapshot)) this.#readInBackground();
      return this.#atNow(snapshot);
    } catch (error) {
      const last = this.peek();
      if (last === null) throw error;
      return last;
    }
  }

  peek(): EventsSnapshot | null {
    const latest = this.#latest;
    if (latest === null || !this.#isUsable(latest)) return null;
    const time = this.#options.now();
    if (time - latest.readAtMs >= this.#cacheMs && !this.status.isFailing) return null;
    if (this.#isDue(latest) && time >= this.#nextBackgroundAt) this.#readInBackground();
    return this.#atNow(latest);
  }

  // A read that is under way may have begun before the change.
  async refresh(wanted: WantedRead): Promise<EventsSnapshot> {
    while (this.#reading !== null) await this.#reading.catch(() => {});
    return this.#readOnce(wanted);
  }

  followClock(): void {
    if (this.#latest !== null && this.#isUsable(this.#latest)) this.#atNow(this.#latest);
  }

  freshSeconds(snapshot: EventsSnapshot): number {
    const time = this.#options.now();
    const { readAtMs, transitionAtMs, nextTransitionAtMs } = snapshot;
    if (time < readAtMs || time < transitionAtMs) return 0;
    const endsAtMs = Math.min(readAtMs + ageMaxMs, nextTransitionAtMs);
    return Math.max(0, Math.floor((endsAtMs - time - cacheRoundingMs) / 1000));
  }

  // A negative age means that the clock was set back, so the real age is unknown.
  #isUsable({ readAtMs }: EventsSnapshot): boolean {
    const ageMs = this.#options.now() - readAtMs;
    return ageMs >= 0 && ageMs < ageMaxMs;
  }

  #isDue({ readAtMs }: EventsSnapshot): boolean {
    return this.#options.now() - readAtMs >= this.refreshAgeMs;
  }

  /** A snapshot with the statuses of now. Those that have changed are recorded without a read. */
  #atNow(snapshot: EventsSnapshot): EventsSnapshot {
    const { now, timeZone } = this.#options;
    const updated = atTime(snapshot, { nowMs: now(), timeZone });
    if (updated !== snapshot && this.#latest === snapshot) {
      this.#latest = updated;
      void this.#trackTransition(updated);
    }
    return updated;
  }

  async #trackTransition(snapshot: EventsSnapshot): Promise<void> {
    const history = await this.#options.trackHistory?.(snapshot);
    if (history === undefined || this.#latest !== snapshot) return;
    this.#latest = withHistory(snapshot, history, this.#options.now());
  }

  // A result is discarded if the machine slept during the read or the clock was set back.
  async #readFresh(): Promise<EventsSnapshot> {
    const snapshot = await this.#readOnce();
    return this.#isUsable(snapshot) ? snapshot : this.#readOnce();
  }

  // A failure is logged in `read` and retried; the current snapshot is still young enough.
  #readInBackground(): void {
    this.#nextBackgroundAt = this.#options.now() + backgroundRetryMs;
    this.#readOnce().catch(() => {});
  }

  #readOnce(wanted?: WantedRead): Promise<EventsSnapshot> {
    const read = () => this.#read(wanted ?? this.#toWanted());
    this.#reading ??= withSpan('read events', {}, read).finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  // A process that starts serves what is stored; later, a refresh must not get a read that is due itself.
  #toWanted(): WantedRead {
    return { ageMaxMs: this.#latest === null ? ageMaxMs : this.refreshAgeMs };
  }

  async #read(wanted: WantedRead): Promise<EventsSnapshot> {
    const { source, now } = this.#options;
    const calledAtMs = now();
    const startedAt = performance.now();
    try {
      const found = await source.read(wanted);
      const { readAtMs = calledAtMs, durationMs = performance.now() - startedAt } = found;
      this.#readMs = durationMs;
      const latest = this.#latest;
      // While the database was away, this process has read for itself.
      if (latest !== null && this.#isUsable(latest) && readAtMs < latest.readAtMs) return latest;
      const snapshot = await this.#toSnapshot(found, readAtMs);
      this.#latest = snapshot;
      this.#nextBackgroundAt = 0;
      this.#noteRead(found, snapshot, Math.round(performance.now() - startedAt));
      this.#options.onRead?.(snapshot);
      return snapshot;
    } catch (error) {
      this.#noteFailure(error, calledAtMs);
      throw error;
    }
  }

  async #toSnapshot(found: EventsRead, readAtMs: number): Promise<EventsSnapshot> {
    const { timeZone, now, trackHistory, findSlugs, findStoredSlug } = this.#options;
    const { toPicture = () => null, dateAnnouncements } = this.#options;
    const { signedUrls, pictures } = found;
    await yieldToEventLoop();
    const drafts = (await dateAnnouncements?.({ ...found, readAtMs })) ?? found.drafts;
    const slugs = await findSlugs?.({ events: drafts, readAtMs });
    const created = await createSnapshot(drafts, {
      signedUrls,
      readAtMs,
      nowMs: now(),
      timeZone,
      yieldWhenDue: createTimeSlices(),
      toPicture: pictures ? ({ id }) => pictures.get(id) ?? null : toPicture,
      ...(slugs && { slugs }),
      ...(findStoredSlug && { findStoredSlug }),
      ...(this.#latest && { before: this.#latest }),
    });
    const history = (await trackHistory?.(created)) ?? created.history;
    return withHistory(created, history, readAtMs);
  }

  #noteRead(found: EventsRead, { readAtMs, events }: EventsSnapshot, durationMs: number): void {
    const { repairs, problems = [] } = found;
    this.#options.log.info({ events: events.length, durationMs, ...repairs }, 'events read');
    channels.eventsRead.publish({ readAtMs, events: events.length, repairs });
    const lastRead = { readAtMs, events: events.length, repairs, problems };
    this.status = { ...this.status, lastRead, isFailing: false };
  }

  #noteFailure(error: unknown, atMs: number): void {
    const reason = toReason(error);
    this.status = { ...this.status, lastFailure: { atMs, reason }, isFailing: true };
    this.#nextBackgroundAt = this.#options.now() + backgroundRetryMs;
    // Without its details, which follow a colon: labels of metrics are few.
    channels.eventsReadFailed.publish({ reason: reason.split(':', 1).join() });
    this.#options.log.warn({ reason }, 'events could not be read');
  }
}

/** @param rows that have arrived; 0 if another process reads them. */
export function createNotReadYetError(rows: number): HttpError {
  const soFar = rows === 0 ? '' : `: ${formatCountOf(rows, 'row', 'rows')} so far`;
  return createApiError('events_not_read_yet', {
    message: `The events table is still being read${soFar}.`,
    hint: 'Your request was fine. Try again when `Retry-After` says.',
    headers: { 'Retry-After': '10' },
  });
}
