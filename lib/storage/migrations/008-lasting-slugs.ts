import { createMigration } from './create-migration.ts';

/** Slugs belong to a name of an event, and are looked up by slug and by event. */
export const lastingSlugsMigration = createMigration([
  'alter table marquee_event_slugs add column name text',
  'create index marquee_event_slugs_event_id on marquee_event_slugs (event_id)',
  'drop index marquee_event_slugs_read_at',
]);
