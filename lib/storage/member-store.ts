import type { Selectable } from 'kysely';
import { nextKeyVersion } from './key-store.ts';
import type { MemberClaims, RunQuery, Schema } from './schema.ts';

/** A person who has signed in. Times are Unix ms. */
export type Member = Readonly<{
  id: string;
  issuer: string;
  subject: string;
  name: string;
  /** Null unless the provider has verified it. */
  email: string | null;
  claims: MemberClaims;
  createdAt: number;
  /** When the provider last confirmed all of it. */
  confirmedAt: number;
  disabledAt: number | null;
}>;

export type MemberStore = Readonly<{
  /** Stores what the provider says of a person now; the id and the first date of a known one stay. */
  save: (member: Omit<Member, 'disabledAt'>) => Promise<Member>;
  find: (id: string) => Promise<Member | null>;
  /** Disables a member, or with null enables it; its keys follow within 5 s. False if there is none. */
  setDisabled: (id: string, at: number | null) => Promise<boolean>;
  /** Removes a member with its sessions; its keys are revoked and lose their names. */
  remove: (id: string, at: number) => Promise<void>;
}>;

export function createMemberStore(run: RunQuery): MemberStore {
  return {
    save: (member) =>
      run((db) =>
        db.transaction().execute(async (transaction) => {
          const row = toRow(member);
          const { id: _, issuer: __, subject: ___, created_at: ____, ...said } = row;
          const saved = await transaction
            .insertInto('marquee_members')
            .values({ ...row, disabled_at: null })
            .onConflict((on) => on.columns(['issuer', 'subject']).doUpdateSet(said))
            .returningAll()
            .executeTakeFirstOrThrow();
          // Key caches read the owner's claims with each changed key.
          await transaction
            .updateTable('marquee_keys')
            .set({ version: await nextKeyVersion(transaction) })
            .where('owner_id', '=', saved.id)
            .execute();
          return toMember(saved);
        }),
      ),
    find: (id) =>
      run(async (db) => {
        const members = db.selectFrom('marquee_members').selectAll();
        const row = await members.where('id', '=', id).executeTakeFirst();
        return row === undefined ? null : toMember(row);
      }),
    setDisabled: (id, at) =>
      run((db) =>
        db.transaction().execute(async (transaction) => {
          const version = await nextKeyVersion(transaction);
          const keys = transaction.updateTable('marquee_keys').where('owner_id', '=', id);
          await keys.set({ version }).execute();
          if (at !== null) {
            await transaction.deleteFrom('marquee_sessions').where('member_id', '=', id).execute();
          }
          const members = transaction.updateTable('marquee_members').where('id', '=', id);
          const { numUpdatedRows } = await members.set({ disabled_at: at }).executeTakeFirst();
          return numUpdatedRows === 1n;
        }),
      ),
    remove: (id, at) =>
      run((db) =>
        db.transaction().execute(async (transaction) => {
          const version = await nextKeyVersion(transaction);
          const keys = transaction.updateTable('marquee_keys').where('owner_id', '=', id);
          await keys
            .set((value) => ({
              name: 'deleted',
              hint: '',
              revoked_at: value.fn.coalesce('revoked_at', value.val(at)),
              version,
            }))
            .execute();
          await transaction.deleteFrom('marquee_sessions').where('member_id', '=', id).execute();
          await transaction.deleteFrom('marquee_members').where('id', '=', id).execute();
        }),
      ),
  };
}

function toRow(member: Omit<Member, 'disabledAt'>) {
  return {
    id: member.id,
    issuer: member.issuer,
    subject: member.subject,
    name: member.name,
    email: member.email,
    claims: JSON.stringify(member.claims),
    created_at: member.createdAt,
    confirmed_at: member.confirmedAt,
  };
}

export function toMember(row: Selectable<Schema['marquee_members']>): Member {
  return {
    id: row.id,
    issuer: row.issuer,
    subject: row.subject,
    name: row.name,
    email: row.email,
    claims: JSON.parse(row.claims),
    createdAt: row.created_at,
    confirmedAt: row.confirmed_at,
    disabledAt: row.disabled_at,
  };
}
