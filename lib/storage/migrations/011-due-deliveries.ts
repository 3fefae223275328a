import { createMigration } from './create-migration.ts';

/** Deliveries of a kind are claimed in the order of their time, however many wait. */
export const dueDeliveriesMigration = createMigration([
  `create index marquee_deliveries_due on marquee_deliveries (kind, due_at, position)
    where due_at is not null`,
  'drop index marquee_deliveries_due_at',
]);
