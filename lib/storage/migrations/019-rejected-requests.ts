import { createMigration } from './create-migration.ts';

/**
 * A rejected request is a record that is not counted, with the limit that it has reached. The indexes of records under
 * way and of failures of upstreams leave them out.
 */
export const rejectedRequestsMigration = createMigration([
  'alter table marquee_usage add column reached_limit text',
  'drop index marquee_usage_uncounted',
  `create index marquee_usage_uncounted on marquee_usage (id)
    where is_counted = 0 and lease_until is not null`,
  'drop index marquee_usage_failed_at',
  `create index marquee_usage_failed_at on marquee_usage (at)
    where status >= 400 and is_counted = 1`,
]);
