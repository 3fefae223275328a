import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** A migration that runs SQL statements, one after the other. Once released, they are never edited. */
export function createMigration(statements: readonly string[]): Migration {
  return {
    async up(db) {
      for (const statement of statements) await sql.raw(statement).execute(db);
    },
  };
}
