import { sql, type Transaction } from 'kysely';
import type { Schema } from '../schema.ts';

/** Migration 012: cached tokens, final ends, records that were set aside, and members who have deleted their accounts. */
export async function addEndsOfUsage(db: Transaction<Schema>): Promise<void> {
  for (const column of ['tokens_cached', 'tokens_cache_written', 'is_final'] as const) {
    const type = column === 'is_final' ? 'integer' : 'bigint';
    const usage = db.schema.alterTable('marquee_usage');
    await usage.addColumn(column, type, (added) => added.notNull().defaultTo(0)).execute();
  }
  await sql`update marquee_usage set is_final = 1 where lease_until is null`.execute(db);
  await db.schema
    .createTable('marquee_usage_set_aside')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('reason', 'text', (column) => column.notNull())
    .addColumn('record', 'text', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('marquee_deleted_members')
    .addColumn('identity', 'text', (column) => column.primaryKey())
    .addColumn('member_id', 'text', (column) => column.notNull())
    .addColumn('disabled_at', 'bigint')
    .addColumn('budget', 'text')
    .addColumn('group_name', 'text')
    .addColumn('until', 'bigint', (column) => column.notNull())
    .execute();
}
