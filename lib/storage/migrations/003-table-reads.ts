import { createMigration } from './create-migration.ts';

/** The last read of the events table, for all processes. It replaces what they knew of each other's reads. */
export const tableReadsMigration = createMigration([
  'drop table marquee_table_refresh',
  `create table marquee_table_reads (
    name text primary key,
    called_at bigint not null,
    served_call_at bigint not null,
    claims bigint not null,
    claimed_until bigint not null,
    paused_until bigint not null,
    blocked_until bigint not null,
    number bigint not null,
    read_at bigint not null,
    reader_read_at bigint not null,
    parts text not null
  )`,
  // SQLite stores bytes in columns of any type.
  `create table marquee_table_parts (
    name text not null,
    hash text not null,
    content bytea not null,
    primary key (name, hash)
  )`,
]);
