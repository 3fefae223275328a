import type { Log } from '#lib/http/log.ts';
import { withTimeout } from '#lib/http/with-timeout.ts';
import type { RunTransaction } from '#lib/storage/schema.ts';
import { toLogFields } from '#lib/storage/storage-error.ts';
import { lockHead } from '../changes/history-rows.ts';
import type { EventDraft } from '../model/schema.ts';

/** An announcement that was in the future when it was first read. */
export type Announcement = Readonly<{ eventId: string; announcedAt: string; readAtMs: number }>;

export type AnnouncementStore = Readonly<{
  /** Stores those that are new; returns all. One that is stored keeps the time at which it was first read. */
  note: (found: readonly Announcement[]) => Promise<readonly Announcement[]>;
}>;

type DatedRead = Readonly<{ drafts: readonly EventDraft[]; readAtMs: number }>;

/** The events of a read, with future announcements as made when they were first read. */
export type DateAnnouncements = (read: DatedRead) => Promise<readonly EventDraft[]>;

type DatingOptions = Readonly<{ store: AnnouncementStore; log: Log; timeoutMs?: number }>;

/** While they cannot be stored, each process knows those that it has read. */
export function createAnnouncementDating(options: DatingOptions): DateAnnouncements {
  const { store, log, timeoutMs = 1_000 } = options;
  let known: readonly Announcement[] = [];
  return async ({ drafts, readAtMs }) => {
    const found = findFuture(drafts, readAtMs);
    try {
      known = await withTimeout(store.note(found), timeoutMs);
    } catch (error) {
      log.warn(toLogFields(error), 'future announcements could not be stored');
      known = addNew(known, found);
    }
    return known.length === 0 ? drafts : toDated(drafts, known);
  };
}

function findFuture(drafts: readonly EventDraft[], readAtMs: number): Announcement[] {
  const readAt = new Date(readAtMs).toISOString();
  return drafts
    .filter(({ announcedAt }) => announcedAt > readAt)
    .map(({ id, announcedAt }) => ({ eventId: id, announcedAt, readAtMs }));
}

/** Another time of the same event is another announcement. */
function addNew(known: readonly Announcement[], found: readonly Announcement[]): Announcement[] {
  const byId = new Map(known.map((one) => [one.eventId, one]));
  for (const one of found) {
    if (byId.get(one.eventId)?.announcedAt !== one.announcedAt) byId.set(one.eventId, one);
  }
  return [...byId.values()];
}

function toDated(drafts: readonly EventDraft[], known: readonly Announcement[]): EventDraft[] {
  const byId = new Map(known.map((one) => [one.eventId, one]));
  return drafts.map((draft) => {
    const one = byId.get(draft.id);
    if (one === undefined || one.announcedAt !== draft.announcedAt) return draft;
    return { ...draft, announcedAt: new Date(one.readAtMs).toISOString() };
  });
}

export function createAnnouncementStore(transact: RunTransaction): AnnouncementStore {
  return {
    note: (found) =>
      transact(async (db) => {
        if (found.length > 0) await lockHead(db);
        const rows = await db.selectFrom('marquee_event_announcements').selectAll().execute();
        const stored = rows.map(({ event_id, announced_at, read_at }) => ({
          eventId: event_id,
          announcedAt: announced_at,
          readAtMs: read_at,
        }));
        const all = addNew(stored, found);
        for (const one of all) {
          if (stored.includes(one)) continue;
          const values = { announced_at: one.announcedAt, read_at: one.readAtMs };
          await db
            .insertInto('marquee_event_announcements')
            .values({ event_id: one.eventId, ...values })
            .onConflict((on) => on.column('event_id').doUpdateSet(values))
            .execute();
        }
        return all;
      }),
  };
}
