import { hash } from 'node:crypto';
import type { EventsSnapshot } from '#lib/events/source/snapshot.ts';
import type { FileStore } from './file-store.ts';

const hourMs = 60 * 60 * 1000;

/** The group of an event's Open Graph images. Ids of events may have any character. */
export function toOgGroup(eventId: string): string {
  return `og-${hash('sha256', eventId).slice(0, 20)}`;
}

/**
 * Deletes what belongs to no attachment or event of the table any more. It is called with each snapshot, so a failed
 * read deletes nothing, and a row that is back within a day has lost nothing.
 */
export function createPruning(
  store: Pick<FileStore, 'listGroups' | 'removeGroup'>,
  now: () => number,
): (snapshot: Pick<EventsSnapshot, 'attachments' | 'events'>) => Promise<void> {
  const absentSince = new Map<string, number>();
  let checkedAt = Number.NEGATIVE_INFINITY;

  return async ({ attachments, events }) => {
    const at = now();
    if (at - checkedAt < hourMs) return;
    checkedAt = at;
    const ogGroups = new Set(events.map(({ id }) => toOgGroup(id)));
    for (const group of await store.listGroups()) {
      if (attachments.has(group) || ogGroups.has(group)) {
        absentSince.delete(group);
        continue;
      }
      const since = absentSince.get(group) ?? at;
      absentSince.set(group, since);
      if (at - since < 24 * hourMs) continue;
      await store.removeGroup(group);
      absentSince.delete(group);
    }
  };
}
