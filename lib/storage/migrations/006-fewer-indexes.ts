import { createMigration } from './create-migration.ts';

/**
 * Each request writes fewer pages: the records of a member are found by its id, and expired ones among those that are
 * not counted; and only requests that have ended have failed.
 */
export const fewerIndexesMigration = createMigration([
  'drop index marquee_usage_key_id_day',
  'drop index marquee_usage_lease_until',
  'drop index marquee_usage_failed_at',
  `create index marquee_usage_failed_at on marquee_usage (at)
    where status >= 400 and lease_until is null`,
]);
