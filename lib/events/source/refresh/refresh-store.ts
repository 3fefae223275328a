import type { RunQuery } from '#lib/storage/schema.ts';

/** What instances agree on about reading the table out of turn. Times are Unix ms by the database's clock; 0: never. */
export type RefreshState = Readonly<{
  /** When the table's hook was called last. */
  calledAtMs: number;
  /** The call that the last finished read came after. */
  servedAtMs: number;
  /** When an instance began to read, or last said that it still reads. */
  claimedAtMs: number;
}>;

export type RefreshStore = Readonly<{
  find: () => Promise<RefreshState>;
  /** Notes a call of the hook. */
  markCalled: (atMs: number) => Promise<void>;
  /** Takes or renews the turn to read; false if another instance was faster. */
  claim: (state: Pick<RefreshState, 'claimedAtMs'>, atMs: number) => Promise<boolean>;
  markServed: (calledAtMs: number) => Promise<void>;
}>;

export function createRefreshStore(run: RunQuery): RefreshStore {
  return {
    find: () =>
      run(async (db) => {
        const row = await db
          .selectFrom('marquee_table_refresh')
          .selectAll()
          .executeTakeFirstOrThrow();
        return {
          calledAtMs: row.called_at,
          servedAtMs: row.served_at,
          claimedAtMs: row.claimed_at,
        };
      }),
    markCalled: (atMs) =>
      run(async (db) => {
        await db.updateTable('marquee_table_refresh').set({ called_at: atMs }).execute();
      }),
    claim: ({ claimedAtMs }, atMs) =>
      run(async (db) => {
        const { numUpdatedRows } = await db
          .updateTable('marquee_table_refresh')
          .set({ claimed_at: atMs })
          .where('claimed_at', '=', claimedAtMs)
          .executeTakeFirstOrThrow();
        return numUpdatedRows > 0;
      }),
    markServed: (calledAtMs) =>
      run(async (db) => {
        await db
          .updateTable('marquee_table_refresh')
          .set({ served_at: calledAtMs })
          .where('served_at', '<', calledAtMs)
          .execute();
      }),
  };
}
