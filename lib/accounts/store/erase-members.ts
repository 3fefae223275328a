import { eraseUsage } from '#lib/spend/store/erase-usage.ts';
import { eraseFromAuditLog } from '#lib/storage/audit-log.ts';
import type { RunQuery, RunTransaction } from '#lib/storage/schema.ts';
import { toPlaygroundKeyId } from '../account/playground-key.ts';

/** Erases what is left of members who have deleted their accounts, once their month has ended. */
export async function eraseDeletedMembers(
  run: RunQuery,
  transact: RunTransaction,
  now: number,
): Promise<void> {
  const deleted = await run((db) =>
    db
      .selectFrom('marquee_deleted_members')
      .select('member_id')
      .where('until', '<=', now)
      .execute(),
  );
  for (const { member_id: memberId } of deleted) {
    const keys = await run((db) =>
      db.selectFrom('marquee_keys').select('id').where('owner_id', '=', memberId).execute(),
    );
    const keyIds = [...keys.map(({ id }) => id), toPlaygroundKeyId(memberId)];
    await eraseUsage(transact, { memberId, keyIds });
    await transact(async (db) => {
      await db.deleteFrom('marquee_keys').where('owner_id', '=', memberId).execute();
      // A sign-in that ended when the account was deleted has left one behind.
      await db.deleteFrom('marquee_sessions').where('member_id', '=', memberId).execute();
      await eraseFromAuditLog(db, memberId);
      // Last: until here, the next round begins again.
      await db.deleteFrom('marquee_deleted_members').where('member_id', '=', memberId).execute();
    });
  }
}
