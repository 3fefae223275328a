import { createMigration } from './create-migration.ts';

/** States of sign-ins that a callback has used. */
export const spentSignInsMigration = createMigration([
  `create table marquee_spent_sign_ins (
    state text primary key,
    until bigint not null
  )`,
]);
