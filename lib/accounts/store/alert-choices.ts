import type { Kysely } from 'kysely';
import type { RunQuery, Schema } from '#lib/storage/schema.ts';
import { type Member, selectMembers, toMember } from './member-store.ts';

/** Who wants alerts about budgets and keys by mail. */
export type AlertChoices = Readonly<{
  wantsAlerts: (id: string) => Promise<boolean>;
  setAlerts: (id: string, wantsAlerts: boolean) => Promise<void>;
  /** Those who want them, and may use the site. */
  listAlerted: () => Promise<Member[]>;
}>;

export function createAlertChoices(run: RunQuery): AlertChoices {
  return {
    wantsAlerts: (id) =>
      run(async (db) => {
        const members = db.selectFrom('marquee_members').select('alerts').where('id', '=', id);
        return (await members.executeTakeFirst())?.alerts === 1;
      }),
    setAlerts: (id, wantsAlerts) =>
      run(async (db) => {
        const members = db.updateTable('marquee_members').set({ alerts: wantsAlerts ? 1 : 0 });
        await members.where('id', '=', id).execute();
      }),
    listAlerted: () =>
      run(async (db) => {
        const rows = await selectReachable(db).where('member.alerts', '=', 1).execute();
        return rows.map(toMember);
      }),
  };
}

/** Everybody with an address who may use the site. */
export async function listReachable(db: Kysely<Schema>): Promise<Member[]> {
  return (await selectReachable(db).execute()).map(toMember);
}

function selectReachable(db: Kysely<Schema>) {
  return selectMembers(db)
    .where('member.email', 'is not', null)
    .where('member.disabled_at', 'is', null)
    .orderBy('member.id');
}
