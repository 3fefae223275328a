import type { RunQuery } from '#lib/storage/schema.ts';

/** What the last read of a table found. */
export type StoredTable = Readonly<{
  events: number;
  leftOut: number;
  /** Columns that the operator has accepted to be missing. */
  accepted: readonly string[];
}>;

export type TableStore = Readonly<{
  find: (table: string) => Promise<StoredTable | null>;
  save: (table: string, stored: StoredTable) => Promise<void>;
}>;

export function createTableStore(run: RunQuery): TableStore {
  return {
    find: (table) =>
      run(async (db) => {
        const row = await db
          .selectFrom('marquee_event_tables')
          .select(['events', 'left_out', 'accepted'])
          .where('name', '=', table)
          .executeTakeFirst();
        if (row === undefined) return null;
        const { events, left_out: leftOut } = row;
        return { events, leftOut, accepted: JSON.parse(row.accepted) };
      }),
    save: (table, { events, leftOut, accepted }) =>
      run(async (db) => {
        const values = { events, left_out: leftOut, accepted: JSON.stringify(accepted) };
        await db
          .insertInto('marquee_event_tables')
          .values({ name: table, ...values })
          .onConflict((on) => on.column('name').doUpdateSet(values))
          .execute();
      }),
  };
}
