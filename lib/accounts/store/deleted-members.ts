import { sql, type Transaction } from 'kysely';
import { lockOwner } from '#lib/keys/store/key-changes.ts';
import { toLastPeriodEnd } from '#lib/spend/periods.ts';
import { eraseUsage } from '#lib/spend/store/erase-usage.ts';
import { type Actor, appendToAuditLog, eraseFromAuditLog } from '#lib/storage/audit-log.ts';
import type { RunQuery, RunTransaction, Schema } from '#lib/storage/schema.ts';
import { toPlaygroundKeyId } from '../account/playground-key.ts';
import type { ChangeableColumns } from './member-record.ts';

/** Who has deleted the account, by whom and when (Unix ms), and the keyed hash that leads back to it. */
type Removal = Readonly<{ by: Actor; at: number; identity: string }>;

/** Removes a member with its sessions; its keys are revoked and lose their names and hashes. */
export async function removeMember(
  db: Transaction<Schema>,
  id: string,
  { by, at, identity }: Removal,
): Promise<void> {
  await lockOwner(db, id);
  await keepBudgets(db, id, { identity, at });
  await db
    .updateTable('marquee_keys')
    .where('owner_id', '=', id)
    .set((value) => ({
      name: 'deleted',
      // Unique, and no hash.
      hash: sql<string>`'deleted ' || id`,
      hint: '',
      pepper_id: null,
      used_from: null,
      revoked_at: value.fn.coalesce('revoked_at', value.val(at)),
    }))
    .execute();
  await db.deleteFrom('marquee_sessions').where('member_id', '=', id).execute();
  const member = db.deleteFrom('marquee_members').where('id', '=', id);
  if ((await member.executeTakeFirst()).numDeletedRows !== 1n) return;
  const entry = { at, actor: by, target: id, memberId: id };
  await appendToAuditLog(db, { ...entry, action: 'member.deleted' });
}

/** Requests under way when the account is deleted are recorded by then. */
const runningMaxMs = 3_600_000;

/** Only what budgets need: neither name nor address nor claims. */
async function keepBudgets(
  db: Transaction<Schema>,
  id: string,
  { identity, at }: Readonly<{ identity: string; at: number }>,
): Promise<void> {
  const members = db.selectFrom('marquee_members').where('id', '=', id);
  const member = await members.select(['disabled_at', 'budget', 'group_name']).executeTakeFirst();
  if (member === undefined) return;
  const until = Math.max(toLastPeriodEnd(at), at + runningMaxMs);
  const row = { ...member, member_id: id, until };
  await db
    .insertInto('marquee_deleted_members')
    .values({ ...row, identity })
    .onConflict((on) => on.column('identity').doUpdateSet(row))
    .execute();
}

/** What stays of a member who has deleted the account this week or month; null if there is none. */
export async function restoreMember(
  db: Transaction<Schema>,
  identities: readonly string[],
  at: number,
): Promise<(ChangeableColumns & Readonly<{ id: string }>) | null> {
  if (identities.length === 0) return null;
  const deleted = await db
    .deleteFrom('marquee_deleted_members')
    .where('identity', 'in', identities)
    .where('until', '>', at)
    .returningAll()
    .executeTakeFirst();
  if (deleted === undefined) return null;
  const { member_id: id, disabled_at, budget, group_name: name } = deleted;
  const groups = db
    .selectFrom('marquee_groups')
    .select('name')
    .where('name', '=', name ?? '');
  const group = await groups.executeTakeFirst();
  return { id, disabled_at, budget, group_name: group?.name ?? null };
}

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
