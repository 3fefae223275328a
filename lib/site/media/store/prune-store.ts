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
 * read deletes nothing, and a row that is back within a day has lost nothing. Since when a group has been absent is
 * stored with it, so that restarts do not start the day anew.
 */
export function createPruning(
  store: Pick<FileStore, 'listGroups' | 'read' | 'write' | 'remove' | 'removeGroup'>,
  now: () => number,
): (snapshot: Pick<EventsSnapshot, 'attachments' | 'events'>) => Promise<void> {
  let checkedAt = Number.NEGATIVE_INFINITY;

  return async ({ attachments, events }) => {
    const at = now();
    if (at - checkedAt < hourMs) return;
    checkedAt = at;
    const ogGroups = new Set(events.map(({ id }) => toOgGroup(id)));
    for (const group of await store.listGroups()) {
      const mark = { group, name: 'absent-since', skipMemory: true } as const;
      if (attachments.has(group) || ogGroups.has(group)) {
        await store.remove(mark);
        continue;
      }
      const since = await store.read(mark);
      if (since === null) await store.write(mark, Buffer.from(String(at)));
      else if (at - Number(Buffer.from(since.bytes)) >= 24 * hourMs) await store.removeGroup(group);
    }
  };
}
