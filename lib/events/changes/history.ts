import type { Log } from '#lib/http/log.ts';
import { withTimeout } from '#lib/http/with-timeout.ts';
import { toLogFields } from '#lib/storage/storage-error.ts';
import type { MarqueeEvent } from '../model/schema.ts';
import type { Transitions } from '../model/transitions.ts';
import { type ComparedEvent, type DatedChange, toCompared, toFingerprint } from './change.ts';

/** What the database knows of the events beside their present state. */
export type EventsHistory = Readonly<{
  /** Of the newest change; 0 without any. */
  position: number;
  /** How often the calendar entry of each event has changed, by event id: its `SEQUENCE` (RFC 5545 §3.8.7.4). */
  revisions: ReadonlyMap<string, number>;
  /** The last change of each event that visitors should know of, by event id. */
  lastChanges: ReadonlyMap<string, DatedChange>;
  /** Of the last thirty days, the newest first, without those of the status alone. */
  recent: readonly DatedChange[];
}>;

export const noHistory: EventsHistory = {
  position: 0,
  revisions: new Map(),
  lastChanges: new Map(),
  recent: [],
};

/** A read that is older than the last recorded one, or has statuses from before its transition, changes nothing. */
export type ReadTime = Transitions &
  Readonly<{
    /** When the read began, Unix ms. */
    readAtMs: number;
  }>;

/** Events as one read of the table found them. */
export type ReadEvents = ReadTime & Readonly<{ events: readonly ComparedEvent[] }>;

/** Writes what differs from the last recorded read, and returns the history after it. */
export type RecordRead = (read: ReadEvents) => Promise<EventsHistory>;

/** Writes statuses; returns the position of the newest change, or null if more than statuses has changed since. */
export type RecordStatuses = (
  read: ReadEvents,
  since: EventsHistory['position'],
) => Promise<number | null>;

type SnapshotPart = ReadTime &
  Readonly<{
    version: string;
    /** Of the events without their statuses. */
    digest: string;
    events: readonly MarqueeEvent[];
    /** Others are no changes of events. */
    hasStoredSlugs: boolean;
  }>;

/** Records a snapshot's events as read; returns their history. */
export type TrackHistory = (snapshot: SnapshotPart) => Promise<EventsHistory>;

type TrackerOptions = Readonly<{
  record: RecordRead;
  /** Notes a read that found the same as the last one; returns the position of the newest change. */
  recordStatuses: RecordStatuses;
  markRead: (read: ReadTime) => Promise<number | null>;
  log: Log;
  /** Events are shown without waiting longer than this for their history. */
  timeoutMs?: number;
}>;

/**
 * Tracks the history of events. While it cannot be stored, this process counts revisions on from the last known ones,
 * so that `SEQUENCE` never decreases; the changes are written by the next read that can.
 */
export function createHistoryTracker(options: TrackerOptions): TrackHistory {
  const { record, recordStatuses, markRead, log, timeoutMs = 1_000 } = options;
  let recorded: SnapshotPart | null = null;
  let seen: readonly MarqueeEvent[] = [];
  let history = noHistory;

  async function load(snapshot: SnapshotPart): Promise<EventsHistory> {
    const { readAtMs, transitionAtMs, nextTransitionAtMs, day, events } = snapshot;
    const time = { readAtMs, transitionAtMs, nextTransitionAtMs, day };
    const isRecorded = snapshot.version === recorded?.version;
    // Another instance may have recorded changes that are undone by now.
    if (isRecorded && (await markRead(time)) === history.position) return history;
    if (snapshot.digest === recorded?.digest) {
      // Those whose status is the same are the same objects.
      const before = recorded.events;
      const changed = events.filter((event, at) => event !== before[at]);
      const statuses = { ...time, events: changed.map(toCompared) };
      const position = await recordStatuses(statuses, history.position);
      if (position !== null) return { ...history, position };
    }
    return record({ ...time, events: events.map(toCompared) });
  }

  async function tryToLoad(snapshot: SnapshotPart): Promise<EventsHistory | null> {
    try {
      return await withTimeout(load(snapshot), timeoutMs);
    } catch (error) {
      log.warn(toLogFields(error), 'changes of events could not be stored');
      return null;
    }
  }

  function countOn({ events }: SnapshotPart): EventsHistory {
    return { ...history, revisions: countRevisions(history.revisions, seen, events) };
  }

  async function track(snapshot: SnapshotPart): Promise<EventsHistory> {
    const found = snapshot.hasStoredSlugs ? await tryToLoad(snapshot) : null;
    recorded = found && snapshot;
    history = found ?? countOn(snapshot);
    seen = snapshot.events;
    return history;
  }

  // A read and a transition may come together.
  let queue: Promise<unknown> = Promise.resolve();
  return (snapshot) => {
    const tracked = queue.then(() => track(snapshot));
    queue = tracked;
    return tracked;
  };
}

function countRevisions(
  revisions: EventsHistory['revisions'],
  before: readonly MarqueeEvent[],
  after: readonly MarqueeEvent[],
): Map<string, number> {
  const beforeById = new Map(before.map((event) => [event.id, event]));
  return new Map(
    after.map((event) => {
      const known = beforeById.get(event.id);
      const isChanged = known !== undefined && toFingerprint(known) !== toFingerprint(event);
      return [event.id, (revisions.get(event.id) ?? 0) + Number(isChanged)];
    }),
  );
}
