import { createMigration } from './create-migration.ts';

/** Targets with something to send at once are found one after the other, however many others wait. */
export const readyDeliveriesMigration = createMigration([
  `create index marquee_deliveries_ready on marquee_deliveries (kind, target, attempts, position)
    where due_at = 0`,
  'drop index marquee_deliveries_waiting',
]);
