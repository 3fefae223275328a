import { createMigration } from './create-migration.ts';

/** What upstreams have taught about the fields that they take. */
export const upstreamFactsMigration = createMigration([
  `create table marquee_upstream_facts (
    upstream text not null,
    model text not null,
    field text not null,
    taken text not null,
    learned_at bigint not null,
    primary key (upstream, model, field)
  )`,
]);
