import { createMigration } from './create-migration.ts';

/** Limits of upstreams that are too small to be divided among workers. */
export const upstreamCountsMigration = createMigration([
  `create table marquee_upstream_slots (
    upstream text not null,
    kind text not null,
    slot bigint not null,
    owner text not null,
    taken_until bigint not null,
    primary key (upstream, kind, slot)
  )`,
]);
