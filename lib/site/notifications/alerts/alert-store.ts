import type { Kysely, Transaction } from 'kysely';
import { toUtcDay } from '#lib/storage/days.ts';
import type { Schema } from '#lib/storage/schema.ts';

const storedMs = 400 * 86_400_000;

/** Whether nobody was told yet of a cause in a period. All instances ask, and one of them gets true. */
export async function claimCause(
  db: Transaction<Schema>,
  { cause, period }: Readonly<{ cause: string; period: string }>,
  now: number,
): Promise<boolean> {
  const row = await db
    .insertInto('marquee_alerts')
    .values({ cause, period, at: now })
    .onConflict((on) => on.doNothing())
    .returning('cause')
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether this instance does something that one of them does, once in a period. */
export async function claimTurn(
  db: Transaction<Schema>,
  { cause, period }: Readonly<{ cause: string; period: string }>,
  now: number,
): Promise<boolean> {
  const isMine = await claimCause(db, { cause, period }, now);
  const earlier = db.deleteFrom('marquee_alerts').where('cause', '=', cause);
  if (isMine) await earlier.where('period', '<', period).execute();
  return isMine;
}

/** The periods of a cause of which somebody was told. */
export async function findPeriods(db: Kysely<Schema>, cause: string): Promise<ReadonlySet<string>> {
  const alerts = db.selectFrom('marquee_alerts').select('period').where('cause', '=', cause);
  return new Set((await alerts.execute()).map(({ period }) => period));
}

/** Forgets a cause that is over: it counts as new when it comes back. */
export async function forgetPeriod(
  db: Kysely<Schema>,
  { cause, period }: Readonly<{ cause: string; period: string }>,
): Promise<void> {
  const alerts = db.deleteFrom('marquee_alerts').where('cause', '=', cause);
  await alerts.where('period', '=', period).execute();
}

export async function pruneAlerts(db: Kysely<Schema>, now: number): Promise<void> {
  await db
    .deleteFrom('marquee_alerts')
    .where('at', '<', now - storedMs)
    .where('cause', '!=', leftOutCause)
    .execute();
}

/** Its periods are the ids of rows, for as long as they are left out. */
export const leftOutCause = 'row left out';

const withinMs = 2 * 86_400_000;

/** Keys of a member that somebody else has revoked lately. */
export async function findRevokedByOthers(
  db: Kysely<Schema>,
  memberId: string,
  now: number,
): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('marquee_audit_log')
    .select('target')
    .where('day', '>=', toUtcDay(now - withinMs))
    .where('member_id', '=', memberId)
    .where('action', 'in', ['key.revoked', 'key.leaked', 'key.given-up'])
    .where((is) => is.or([is('actor_id', 'is', null), is('actor_id', '!=', memberId)]))
    .execute();
  return new Set(rows.map(({ target }) => target));
}
