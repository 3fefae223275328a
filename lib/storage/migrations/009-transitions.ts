import { createMigration } from './create-migration.ts';

/** Statuses change at the moments of events, and not only at midnight. */
export const transitionsMigration = createMigration([
  'alter table marquee_event_history_head add column transition_at bigint not null default 0',
]);
