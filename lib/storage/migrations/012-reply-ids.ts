import { createMigration } from './create-migration.ts';

/**
 * A record of a key is found by the id of its reply or of its request, and says which error it ended with. Some upstreams
 * give all replies one id: the newest is found at once.
 */
export const replyIdsMigration = createMigration([
  'alter table marquee_usage add column request_id text',
  'alter table marquee_usage add column reply_id text',
  'alter table marquee_usage add column error_code text',
  `create index marquee_usage_request_id on marquee_usage (key_id, request_id, at)
    where request_id is not null`,
  `create index marquee_usage_reply_id on marquee_usage (key_id, reply_id, at)
    where reply_id is not null`,
]);
