import { createMigration } from './create-migration.ts';

/** How the last read became events, and when future announcements were first read. */
export const readingsMigration = createMigration([
  `alter table marquee_event_history_head add column reading text not null default ''`,
  `create table marquee_event_announcements (
    event_id text primary key,
    announced_at text not null,
    read_at bigint not null
  )`,
]);
