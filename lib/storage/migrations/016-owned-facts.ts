import { createMigration } from './create-migration.ts';

/**
 * What upstreams have taught, by the owner whose request taught it; it takes the place of `marquee_upstream_facts`. Of a
 * record, what its upstream has reported beyond what is possible.
 */
export const ownedFactsMigration = createMigration([
  `create table marquee_owned_facts (
    upstream text not null,
    model text not null,
    field text not null,
    owner text not null,
    taken text not null,
    is_plain integer not null,
    reason text not null,
    learned_at bigint not null,
    primary key (upstream, model, field, owner)
  )`,
  'alter table marquee_usage add column reported_tokens bigint',
  'alter table marquee_usage add column reported_nano_usd bigint',
  `create index marquee_usage_reported on marquee_usage (at)
    where reported_tokens is not null or reported_nano_usd is not null`,
]);
