import { createHash } from 'node:crypto';
import type { Log } from '#lib/http/log.ts';
import type { YieldWhenDue } from '#lib/http/time-slices.ts';
import { withTimeout } from '#lib/http/with-timeout.ts';
import type { MarqueeEvent } from '../model/schema.ts';

/** How often the calendar entry of each event has changed, by event id: its `SEQUENCE` (RFC 5545 §3.8.7.4). */
export type Revisions = ReadonlyMap<string, number>;

/**
 * Stores the fingerprints of events, raises the revision of each that has changed, and returns all revisions.
 * @param readAtMs when the events were read; an older read changes nothing.
 */
export type StoreRevisions = (
  fingerprints: ReadonlyMap<string, string>,
  readAtMs: number,
) => Promise<Revisions>;

type SnapshotPart = Readonly<{
  version: string;
  readAtMs: number;
  events: readonly MarqueeEvent[];
}>;

export type RevisionTracker = (
  snapshot: SnapshotPart,
  yieldWhenDue: YieldWhenDue,
) => Promise<Revisions>;

type TrackerOptions = Readonly<{
  store: StoreRevisions;
  log: Log;
  /** Events are shown without waiting longer than this for their revisions. */
  timeoutMs?: number;
}>;

/**
 * Finds the revisions of a snapshot's events. While they cannot be stored, this process continues from the last known
 * ones, so that `SEQUENCE` never decreases.
 */
export function createRevisionTracker({
  store,
  log,
  timeoutMs = 1_000,
}: TrackerOptions): RevisionTracker {
  let storedVersion: string | null = null;
  let fingerprints: ReadonlyMap<string, string> = new Map();
  let revisions: Revisions = new Map();
  return async (snapshot, yieldWhenDue) => {
    if (snapshot.version === storedVersion) return revisions;
    const before = { fingerprints, revisions };
    fingerprints = await toFingerprints(snapshot.events, yieldWhenDue);
    try {
      revisions = await withTimeout(store(fingerprints, snapshot.readAtMs), timeoutMs);
      storedVersion = snapshot.version;
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
      log.warn({ code }, 'revisions of events could not be stored');
      revisions = countChanges(before, fingerprints);
      storedVersion = null;
    }
    return revisions;
  };
}

async function toFingerprints(
  events: readonly MarqueeEvent[],
  yieldWhenDue: YieldWhenDue,
): Promise<Map<string, string>> {
  const fingerprints = new Map<string, string>();
  for (const event of events) {
    fingerprints.set(event.id, toFingerprint(event));
    await yieldWhenDue();
  }
  return fingerprints;
}

// The fields that a calendar entry depends on, besides the day.
function toFingerprint(event: MarqueeEvent): string {
  const { slug, name, description, requirements, state, startDate, endDate, format } = event;
  const { inPerson, projectTypes } = event;
  const shown = [slug, name, description, requirements, state, startDate, endDate, format];
  const text = JSON.stringify([...shown, inPerson, projectTypes, ...toAddedFields(event)]);
  return createHash('sha256').update(text).digest('base64url');
}

// Only those that are set: entries of tables without these columns keep their revision.
function toAddedFields(event: MarqueeEvent): (readonly [name: string, value: unknown])[] {
  const { startsAt, endsAt, startTime, endTime, timeZone } = event;
  const { schedule, place, organizer, series, price, audience } = event;
  const times = { startsAt, endsAt, startTime, endTime, timeZone, schedule };
  const details = { place, organizer, series, price, audience };
  return Object.entries({ ...times, ...details }).filter(([, value]) => value !== null);
}

type Known = Readonly<{ fingerprints: ReadonlyMap<string, string>; revisions: Revisions }>;

function countChanges(before: Known, fingerprints: ReadonlyMap<string, string>): Revisions {
  const revisions = new Map<string, number>();
  for (const [id, fingerprint] of fingerprints) {
    const known = before.fingerprints.get(id);
    const isChanged = known !== undefined && known !== fingerprint;
    revisions.set(id, (before.revisions.get(id) ?? 0) + Number(isChanged));
  }
  return revisions;
}
