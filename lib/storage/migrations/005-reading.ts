import type { Migration } from 'kysely/migration';
import type { DatabaseKind } from '../schema.ts';
import { createMigration } from './create-migration.ts';

/**
 * What pages read by index: the accounts that have used most on a day, keys of members, the days of sums (for
 * their audit), rejections of a key, audit log of a member.
 */
export function createReadingMigration(kind: DatabaseKind): Migration {
  const generated = kind === 'sqlite' ? 'virtual' : 'stored';
  // What a change adds to a balance may be negative.
  const digits = 'cast(abs(tokens) as text)';
  return createMigration([
    // Number of digits, then the first one: it orders accounts by size, and most requests do not change it, so that
    // their balances are updated without the index.
    `alter table marquee_balances add column magnitude integer generated always as
      (length(${digits}) * 10 + cast(substr(${digits}, 1, 1) as integer)) ${generated}`,
    `create index marquee_balances_largest on marquee_balances (day, substr(account, 1, 4), magnitude)`,
    'create index marquee_usage_by_key_day on marquee_usage_by_key (day)',
    'create index marquee_usage_by_member_day on marquee_usage_by_member (day)',
    'create index marquee_keys_owner_id on marquee_keys (owner_id)',
    'create index marquee_rejections_key_id_day on marquee_rejections (key_id, day)',
    'create index marquee_audit_log_member_id on marquee_audit_log (member_id, position)',
    'create index marquee_audit_log_actor_id on marquee_audit_log (actor_id, position)',
  ]);
}
