import type { EventDraft } from '#lib/events/model/schema.ts';
import { createSnapshot, type EventsSnapshot } from '#lib/events/source/snapshot.ts';
import { createTimeSlices } from '#lib/http/time-slices.ts';
import { siteTime } from './site-time.ts';

/** Creates a snapshot as on a day, or at a moment. */
export function makeSnapshot(
  drafts: readonly EventDraft[],
  time = '2026-03-10',
  options: Partial<Parameters<typeof createSnapshot>[1]> = {},
): Promise<EventsSnapshot> {
  const defaults = { readAtMs: 0, ...siteTime(time), yieldWhenDue: createTimeSlices() };
  return createSnapshot(drafts, { ...defaults, ...options });
}
