import { createMigration } from './create-migration.ts';

/** A record is found by the id of its reply or of its request, and says which error it ended with. */
export const replyIdsMigration = createMigration([
  'alter table marquee_usage add column request_id text',
  'alter table marquee_usage add column reply_id text',
  'alter table marquee_usage add column error_code text',
  'create index marquee_usage_request_id on marquee_usage (request_id) where request_id is not null',
  'create index marquee_usage_reply_id on marquee_usage (reply_id) where reply_id is not null',
]);
