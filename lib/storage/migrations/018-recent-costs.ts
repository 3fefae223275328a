import { createMigration } from './create-migration.ts';

/** What keys and members have cost in the days before today: long lists are sorted by it. */
export const recentCostsMigration = createMigration([
  `create table marquee_recent_costs (
    account text primary key,
    day text not null,
    nano_usd bigint not null
  )`,
]);
