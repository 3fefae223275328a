import { sql, type Transaction } from 'kysely';
import type { Schema } from '../schema.ts';

/** Migration 008: budgets of keys, members and groups, and what was used of them. */
export async function addBudgets(
  db: Transaction<Schema>,
  kind: 'sqlite' | 'postgres',
): Promise<void> {
  await db.schema.alterTable('marquee_keys').addColumn('budget', 'text').execute();
  await db.schema.alterTable('marquee_members').addColumn('budget', 'text').execute();
  await db.schema.alterTable('marquee_members').addColumn('group_name', 'text').execute();
  await db.schema
    .createTable('marquee_groups')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('budget', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.alterTable('marquee_usage').addColumn('member_id', 'text').execute();
  await db.schema.alterTable('marquee_usage').addColumn('group_name', 'text').execute();
  await addIsCounted(db, kind);
  await setMembersOfUsage(db);
  await createBalances(db);
}

/** Instances of the previous version, which know no balances, write 0: what has ended so far is 1. */
async function addIsCounted(db: Transaction<Schema>, kind: 'sqlite' | 'postgres'): Promise<void> {
  const usage = () => db.schema.alterTable('marquee_usage');
  if (kind === 'postgres') {
    // Writes no row: an update of all of them takes too long.
    await sql`alter table marquee_usage add column is_counted integer not null default 1`.execute(
      db,
    );
    await sql`alter table marquee_usage alter column is_counted set default 0`.execute(db);
    await sql`update marquee_usage set is_counted = 0 where lease_until is not null`.execute(db);
  } else {
    await usage()
      .addColumn('is_counted', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
    await sql`update marquee_usage set is_counted = 1 where lease_until is null`.execute(db);
  }
  await db.schema
    .createIndex('marquee_usage_uncounted')
    .on('marquee_usage')
    .column('id')
    .where(sql.ref('is_counted'), '=', 0)
    .execute();
}

async function setMembersOfUsage(db: Transaction<Schema>): Promise<void> {
  await sql`update marquee_usage
    set member_id = (select owner_id from marquee_keys where id = marquee_usage.key_id)
    where key_id in (select id from marquee_keys where owner_id is not null)`.execute(db);
  await sql`update marquee_usage set member_id = substr(key_id, ${sql.lit('playground_'.length + 1)})
    where key_id like 'playground#_%' escape '#'`.execute(db);
}

async function createBalances(db: Transaction<Schema>): Promise<void> {
  await db.schema
    .createTable('marquee_balances')
    .addColumn('account', 'text', (column) => column.notNull())
    .addColumn('period', 'text', (column) => column.notNull())
    .addColumn('tokens', 'bigint', (column) => column.notNull())
    .addColumn('nano_usd', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('marquee_balances_account_period', ['account', 'period'])
    .execute();
  await db.schema
    .createTable('marquee_usage_pruned')
    .addColumn('before_day', 'text', (column) => column.notNull())
    .execute();
  await db.insertInto('marquee_usage_pruned').values({ before_day: '' }).execute();
  const insert = sql`insert into marquee_balances (account, period, tokens, nano_usd)`;
  const sums = sql`cast(sum(tokens_in + tokens_out) as bigint), cast(coalesce(sum(cost_nano_usd), 0) as bigint)`;
  const counted = sql`from marquee_usage where is_counted = 1`;
  await sql`${insert} select 'key:' || key_id, day, ${sums} ${counted} group by key_id, day`.execute(
    db,
  );
  await sql`${insert} select 'member:' || member_id, day, ${sums}
    ${counted} and member_id is not null group by member_id, day`.execute(db);
  const added = sql`cast(sum(tokens) as bigint), cast(sum(nano_usd) as bigint)`;
  await sql`${insert} select 'all', period, ${added} from marquee_balances
    where account like 'key:%' group by period`.execute(db);
  await sql`${insert} select account, substr(period, 1, 7), ${added} from marquee_balances
    group by account, substr(period, 1, 7)`.execute(db);
}
