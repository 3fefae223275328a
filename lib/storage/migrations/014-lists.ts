import { createMigration } from './create-migration.ts';

/** Long lists are read a page at a time, in the order that admins choose. */
export const listsMigration = createMigration([
  'create index marquee_keys_created_at on marquee_keys (created_at, id)',
  'create index marquee_keys_used_at on marquee_keys (coalesce(used_at, 0), id)',
  'create index marquee_keys_name on marquee_keys (lower(name), id)',
  'create index marquee_members_created_at on marquee_members (created_at, id)',
  'create index marquee_members_name on marquee_members (lower(name), id)',
  'drop index marquee_deliveries_position',
  'create index marquee_deliveries_position on marquee_deliveries (position, id)',
]);
