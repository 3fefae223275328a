import type { Kysely } from 'kysely';
import type { RunQuery, Schema } from '#lib/storage/schema.ts';

/** Slugs of events, former ones included. */
export type SlugStore = Readonly<{
  /**
   * Stores current slugs → event ids, and returns all stored ones.
   * @param readAtMs when the events were read, Unix ms; rows of a later read stay as they are.
   */
  update: (slugs: ReadonlyMap<string, string>, readAtMs: number) => Promise<Map<string, string>>;
}>;

/** SQLite takes 32,766 parameters in a statement; a row has 3. */
const slugRowsMax = 500;
/** The latest ones are enough, and bound the memory. */
const slugsMax = 20_000;

export function createSlugStore(run: RunQuery): SlugStore {
  return {
    update: (slugs, readAtMs) =>
      run(async (db) => {
        const stored = await selectLatest(db);
        const changed = [...slugs]
          .filter(([slug, id]) => stored.get(slug) !== id)
          .map(([slug, id]) => ({ slug, event_id: id, read_at: readAtMs }))
          // In one order, so that instances do not wait for each other's rows in a circle.
          .sort((a, b) => (a.slug < b.slug ? -1 : 1));
        for (let start = 0; start < changed.length; start += slugRowsMax) {
          await db
            .insertInto('marquee_event_slugs')
            .values(changed.slice(start, start + slugRowsMax))
            .onConflict((on) =>
              on
                .column('slug')
                .doUpdateSet((update) => ({
                  event_id: update.ref('excluded.event_id'),
                  read_at: update.ref('excluded.read_at'),
                }))
                .whereRef('marquee_event_slugs.read_at', '<=', 'excluded.read_at'),
            )
            .execute();
        }
        return new Map([...stored, ...slugs]);
      }),
  };
}

async function selectLatest(db: Kysely<Schema>): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('marquee_event_slugs')
    .select(['slug', 'event_id'])
    .orderBy('read_at', 'desc')
    .limit(slugsMax)
    .execute();
  return new Map(rows.map((row) => [row.slug, row.event_id]));
}
