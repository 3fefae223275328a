import { createMigration } from './create-migration.ts';

/** Requests of a key and of the whole site are listed by time, a page at a time. */
export const requestListsMigration = createMigration([
  'create index marquee_usage_key_at on marquee_usage (key_id, at)',
  'create index marquee_usage_day_at on marquee_usage (day, at)',
  'drop index marquee_usage_day',
]);
