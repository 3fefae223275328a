import type { Transaction } from 'kysely';
import type { RunQuery, Schema } from './schema.ts';

/** Changes keys, or members that have keys, in one transaction; the changed keys get its version. */
export type ChangeKeys = <T>(
  change: (db: Transaction<Schema>, version: number) => Promise<T>,
) => Promise<T>;

/** @param onChanged called after each change, when other processes can read it. */
export function createKeyChanges(run: RunQuery, onChanged: () => void | Promise<void>): ChangeKeys {
  return async (change) => {
    const result = await run((db) =>
      db
        .transaction()
        .execute(async (transaction) => change(transaction, await nextVersion(transaction))),
    );
    await onChanged();
    return result;
  };
}

/** The row stays locked until the commit, so versions appear in order. */
async function nextVersion(transaction: Transaction<Schema>): Promise<number> {
  const { version } = await transaction
    .updateTable('marquee_key_changes')
    .set((value) => ({ version: value('version', '+', 1) }))
    .returning('version')
    .executeTakeFirstOrThrow();
  return version;
}
