import type { Kysely } from 'kysely';
import type { Schema } from '#lib/storage/schema.ts';

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
    .where('day', '>=', new Date(now - withinMs).toISOString().slice(0, 10))
    .where('member_id', '=', memberId)
    .where('action', 'in', ['key.revoked', 'key.leaked', 'key.given-up'])
    .where((is) => is.or([is('actor_id', 'is', null), is('actor_id', '!=', memberId)]))
    .execute();
  return new Set(rows.map(({ target }) => target));
}
