import { createMigration } from './create-migration.ts';

/** A reader is reminded of the events that they saved: each is a mention that says up to which moment. */
export const remindersMigration = createMigration([
  'alter table marquee_mail_mentions add column reminded_at bigint',
  `create index marquee_mail_mentions_reminded_at on marquee_mail_mentions (reminded_at)
    where reminded_at is not null`,
]);
