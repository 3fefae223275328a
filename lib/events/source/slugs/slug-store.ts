import type { RunQuery, RunTransaction } from '#lib/storage/schema.ts';
import { lockHead } from '../../changes/history-rows.ts';
import { compareAnnouncement } from '../events-index.ts';
import { assignSlugs, findOwnSlugs } from './assign-slugs.ts';
import type { Named } from './slug-names.ts';
import { type SlugRow, selectOwners, selectSlugsOf, writeSlugs } from './slug-rows.ts';

/** All events of one read. */
export type ReadNames = Readonly<{
  events: readonly (Named & Readonly<{ announcedAt: string }>)[];
  /** When the read began, Unix ms. */
  readAtMs: number;
}>;

/** What is known of a slug that no event has. */
export type StoredSlug = Readonly<{
  eventId: string;
  /** When its event was removed, Unix ms; null if it was not. */
  removedAtMs: number | null;
}>;

export type SlugStore = Readonly<{
  /**
   * The slug of each event of a read, by its id: the one that it has, or one that no event has or had that still
   * exists, which is stored.
   */
  assign: (read: ReadNames) => Promise<ReadonlyMap<string, string>>;
  /** The event that had a slug last, or has this id; null if none ever did. */
  find: (idOrSlug: string) => Promise<StoredSlug | null>;
}>;

type StoreParts = Readonly<{ run: RunQuery; transact: RunTransaction; now: () => number }>;

/** A time so far ahead of the clock is not believed: the clock has been set back since. */
const clockSkewMaxMs = 60_000;

export function createSlugStore({ run, transact, now }: StoreParts): SlugStore {
  return {
    async assign({ events, readAtMs }) {
      const ids = events.map(({ id }) => id);
      const slugs = findOwnSlugs(events, await run((db) => selectSlugsOf(db, ids)));
      if (slugs.size === events.length) return slugs;
      const existing = new Set(ids);
      const isNewer = ({ read_at }: SlugRow) =>
        read_at > readAtMs && read_at <= now() + clockSkewMaxMs;
      const lacking = events.filter(({ id }) => !slugs.has(id)).toSorted(compareAnnouncement);
      const added = await transact(async (db) => {
        await lockHead(db);
        // Another process may have been first.
        const rows = await selectSlugsOf(
          db,
          lacking.map(({ id }) => id),
        );
        const found = findOwnSlugs(lacking, rows);
        const others = lacking.filter(({ id }) => !found.has(id));
        const assigned = await assignSlugs(others, {
          findOwners: (wanted) => selectOwners(db, wanted),
          // What an event has got that a later read found does not belong to one of this read.
          isFree: (owner) => !existing.has(owner.event_id) && !isNewer(owner),
        });
        const written = others.map(({ id, name }) => ({
          slug: assigned.get(id) ?? id,
          event_id: id,
          read_at: readAtMs,
          name,
        }));
        await writeSlugs(db, written);
        return [...found, ...assigned];
      });
      for (const [id, slug] of added) slugs.set(id, slug);
      return slugs;
    },
    find: (idOrSlug) =>
      run(async (db) => {
        const owner = await db
          .selectFrom('marquee_event_slugs')
          .select('event_id')
          .where('slug', '=', idOrSlug.toLowerCase())
          .executeTakeFirst();
        const eventId = owner?.event_id ?? idOrSlug;
        const event = await db
          .selectFrom('marquee_event_history')
          .select('removed_at')
          .where('event_id', '=', eventId)
          .executeTakeFirst();
        if (owner === undefined && event === undefined) return null;
        return { eventId, removedAtMs: event?.removed_at ?? null };
      }),
  };
}
