import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Insertable, Kysely } from 'kysely';
import type { RunQuery, Schema } from '#lib/storage/schema.ts';

/** Revisions of events: how often each has changed. */
export type RevisionStore = Readonly<{
  /**
   * Raises the revision of each event whose fingerprint differs from the stored one, and returns all revisions, by
   * event id. A new event has revision 0. If instances store the same change at the same time, it counts once.
   * @param readAtMs when the events were read, Unix ms; rows of a later read stay as they are.
   */
  update: (
    fingerprints: ReadonlyMap<string, string>,
    readAtMs: number,
  ) => Promise<Map<string, number>>;
}>;

type Row = Insertable<Schema['marquee_event_revisions']>;

/** SQLite takes 32,766 parameters in a statement; a row has 4. */
const rowsMax = 500;

export function createRevisionStore(run: RunQuery): RevisionStore {
  return {
    update: (fingerprints, readAtMs) =>
      run(async (db) => {
        const stored = await selectAll(db);
        const changed = [...fingerprints]
          .filter(([id, fingerprint]) => stored.get(id)?.fingerprint !== fingerprint)
          .map(([id, fingerprint]) => toRow(id, fingerprint, readAtMs))
          // In one order, so that instances do not wait for each other's rows in a circle.
          .sort((a, b) => (a.event_id < b.event_id ? -1 : 1));
        for (let start = 0; start < changed.length; start += rowsMax) {
          await write(db, changed.slice(start, start + rowsMax));
          await nextTurn();
        }
        const current = changed.length === 0 ? stored : await selectAll(db);
        return new Map([...current].map(([id, { revision }]) => [id, revision]));
      }),
  };
}

type StoredRow = Readonly<{ fingerprint: string; revision: number }>;

// In parts, since SQLite blocks the event loop while it reads or writes.
async function selectAll(db: Kysely<Schema>): Promise<Map<string, StoredRow>> {
  const stored = new Map<string, StoredRow>();
  for (let last = ''; ; ) {
    const rows = await db
      .selectFrom('marquee_event_revisions')
      .select(['event_id', 'fingerprint', 'revision'])
      .where('event_id', '>', last)
      .orderBy('event_id')
      .limit(rowsMax)
      .execute();
    for (const { event_id, ...row } of rows) stored.set(event_id, row);
    if (rows.length < rowsMax) return stored;
    last = rows.at(-1)?.event_id ?? '';
    await nextTurn();
  }
}

function toRow(id: string, fingerprint: string, readAtMs: number): Row {
  return { event_id: id, fingerprint, revision: 0, read_at: readAtMs };
}

async function write(db: Kysely<Schema>, rows: readonly Row[]): Promise<void> {
  await db
    .insertInto('marquee_event_revisions')
    .values(rows)
    .onConflict((on) =>
      on
        .column('event_id')
        .doUpdateSet((update) => ({
          fingerprint: update.ref('excluded.fingerprint'),
          revision: update('marquee_event_revisions.revision', '+', 1),
          read_at: update.ref('excluded.read_at'),
        }))
        .whereRef('marquee_event_revisions.fingerprint', '!=', 'excluded.fingerprint')
        .whereRef('marquee_event_revisions.read_at', '<=', 'excluded.read_at'),
    )
    .execute();
}

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
