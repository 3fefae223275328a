import { Kysely, sql } from 'kysely';
import { openDatabase } from '#lib/database.ts';
import { derivedTables } from '#lib/spend/store/derived-sums.ts';
import { createPostgresDialect } from '#lib/storage/postgres.ts';
import type { Schema } from '#lib/storage/schema.ts';
import { createSqliteDialect } from '#lib/storage/sqlite.ts';

type FillOptions = Readonly<{
  /** Null for SQLite, in `dataDir`. */
  databaseUrl: string | null;
  dataDir: string;
  records: number;
  /** Of the member who uses most, who can sign in. */
  issuer: string;
  subject: string;
  now: number;
}>;

const members = 5_000;
const keys = 20_000;
const groups = 200;
const deliveries = 5_000;
const days = 30;
const dayMs = 86_400_000;
const models = [
  'harbour-demo/tide-large',
  'harbour-demo/tide-small',
  'juniper-demo/open-24b',
  'lantern-demo/wick-2',
  'lantern-demo/wick-3',
  'lantern-demo/wick-3-mini',
];
/** Of one statement, which writes all records. */
const timeoutMs = 3_600_000;

/**
 * Creates a database with 5,000 members, 200 groups, 20,000 keys, 5,000 deliveries of webhooks and records of 30 days with their sums: a few keys are
 * used much more than others, each key uses three models, and 3 % of the requests fail.
 */
export async function fillDatabase(options: FillOptions): Promise<void> {
  const { databaseUrl, dataDir, records, issuer, subject, now } = options;
  await (await openDatabase({ databaseUrl, dataDir })).close();
  const kind = databaseUrl === null ? 'sqlite' : 'postgres';
  const dialect =
    databaseUrl === null
      ? createSqliteDialect({ dataDir })
      : createPostgresDialect({ databaseUrl, timeoutMs });
  const db = new Kysely<Schema>({ dialect });
  const sqlOf = dialects[kind];
  const firstAt = now - days * dayMs;
  try {
    const run = (text: string) => sql.raw(text).execute(db);
    const indexes = await dropIndexes(db, kind);
    await run(`insert into marquee_groups (name, budget, created_at)
      select 'Team ' || n, null, ${firstAt} + n from ${sqlOf.series(groups)}`);
    await run(`insert into marquee_members (id, issuer, subject, name, email, claims, created_at, confirmed_at, group_name)
      select 'mbr_' || n, case when n = 0 then '${issuer}' else 'https://other.example' end,
        case when n = 0 then '${subject}' else 'person-' || n end, 'Person ' || n,
        'person-' || n || '@makers.example', '{}', ${firstAt}, ${now},
        'Team ' || (n % ${groups})
      from ${sqlOf.series(members)}`);
    await run(`insert into marquee_keys (id, owner_id, name, hash, hint, pepper_id, created_at, used_at)
      select 'key_' || n, case when n < ${keys - 200} then 'mbr_' || (n % ${members}) end,
        'laptop ' || n, 'hash ' || n, 'mq_abcd…', 'none', ${firstAt} + n, ${now} - n
      from ${sqlOf.series(keys)}`);
    await run(`insert into marquee_audit_log (position, id, at, day, action, target, member_id, digests, hash)
      select n + 1, 'log_' || n, ${firstAt} + n, ${sqlOf.day(String(firstAt))}, 'key.created',
        'key_' || n, 'mbr_' || (n % ${members}), '{}', 'hash'
      from ${sqlOf.series(keys)}`);
    await run(`update marquee_audit_head set position = ${keys}, hash = 'hash'`);
    await run(`insert into marquee_webhooks (id, name, url, types, filter, secret_salt, pepper_id, created_at, state)
      select 'wh_' || n, 'Hook ' || n, 'https://hooks.example/' || n, '["event.*"]', '', 'salt', 'none', ${firstAt}, 'paused'
      from ${sqlOf.series(50)}`);
    await run(`insert into marquee_deliveries (id, kind, target, payload, position, created_at, due_at, attempts, outcome, result)
      select 'msg_' || n, 'webhook', 'wh_' || (n % 50), '{"type":"event.added"}', n, ${now} - n,
        null, 1, 'delivered', '204'
      from ${sqlOf.series(deliveries)}`);
    await run(`insert into marquee_rejections (id, key_id, at, day, status, code, count)
      select 'rejection_' || n, 'key_' || (n % 500), ${now} - cast(n as bigint) * 60000, ${sqlOf.day(`(${now} - cast(n as bigint) * 60000)`)},
        429, 'rate_limit_exceeded', 5
      from ${sqlOf.series(Math.min(40_000, Math.round(records / 50)))}`);
    await run(`insert into marquee_usage (id, key_id, member_id, group_name, at, day, model, endpoint, is_streamed,
        status, error_code, request_id, tokens_in, tokens_out, tokens_cached, tokens_cache_written, is_estimated,
        cost_nano_usd, cost_source, first_byte_ms, duration_ms, upstream, session, is_counted, is_final)
      with drawn as materialized (
        select n, ${sqlOf.integer(`${keys} * u * u * u`)} as key_n, ${sqlOf.integer('3 * v * v')} as choice,
          ${sqlOf.integer('100 * w')} as r, ${firstAt} + ${sqlOf.integer(`n * ${((days * dayMs) / records).toFixed(3)}`)} as at
        from (select n, ${sqlOf.random} as u, ${sqlOf.random} as v, ${sqlOf.random} as w
          from ${sqlOf.series(records)}) as numbers
      )
      select ${sqlOf.id('n')}, 'key_' || key_n, case when key_n < ${keys - 200} then 'mbr_' || (key_n % ${members}) end,
        case when key_n < ${keys - 200} then 'Team ' || (key_n % ${groups}) end, at, ${sqlOf.day('at')},
        case key_n % 4 + choice ${models.map((name, index) => `when ${index} then '${name}'`).join(' ')} end,
        'chat.completions', 1, case when r < 1 then 429 when r < 2 then 502 when r < 3 then 499 else 200 end,
        case when r < 1 then 'rate_limit_exceeded' when r < 2 then 'upstream_error' end,
        '5f0c2a4e-0000-4000-8000-' || substr(${sqlOf.id('n')}, 5),
        500 + r * 40, 100 + r * 7, r * 20, 0, 0, 1000000 + r * 5000, 'price', 200 + r, 1500 + r * 10, 'upstream-' || choice,
        case when r < 30 then 'codex-' || key_n || '-' || (at / 7200000) end, 1, 1
      from drawn`);
    for (const index of indexes) await run(index);
    for (let day = 0; day <= days; day += 1) {
      await sumUpDay(db, new Date(firstAt + day * dayMs).toISOString().slice(0, 10));
    }
    await run(sqlOf.analyze);
  } finally {
    await db.destroy();
  }
}

async function sumUpDay(db: Kysely<Schema>, day: string): Promise<void> {
  for (const { table, key, amounts, toExpected } of Object.values(derivedTables)) {
    const columns = sql.join([...key, ...amounts].map((name) => sql.ref(name)));
    await sql`insert into ${sql.table(table)} (${columns})
      select ${columns} from (${toExpected(day)}) as expected`.execute(db);
  }
}

/** It is faster to create them afterwards. @returns the statements that do so */
async function dropIndexes(db: Kysely<Schema>, kind: keyof typeof dialects): Promise<string[]> {
  const { rows } =
    kind === 'sqlite'
      ? await sql<{ name: string; text: string }>`select name, sql as text from sqlite_schema
          where type = 'index' and tbl_name = 'marquee_usage' and sql is not null`.execute(db)
      : await sql<{ name: string; text: string }>`select indexname as name, indexdef as text
          from pg_indexes where tablename = 'marquee_usage'
          and indexname not like '%pkey'`.execute(db);
  for (const { name } of rows) await sql.raw(`drop index ${name}`).execute(db);
  return rows.map(({ text }) => text);
}

const dialects = {
  sqlite: {
    series: (count: number) =>
      `(with recursive s(n) as (select 0 union all select n + 1 from s where n < ${count - 1}) select n from s) as series`,
    random: '(abs(random() % 1000000) / 1000000.0)',
    integer: (value: string) => `cast(${value} as integer)`,
    day: (at: string) => `strftime('%Y-%m-%d', ${at} / 1000, 'unixepoch')`,
    analyze: 'analyze',
    id: (n: string) => `printf('req_%012d', ${n})`,
  },
  postgres: {
    series: (count: number) => `generate_series(0, ${count - 1}) as series(n)`,
    random: 'random()',
    integer: (value: string) => `floor(${value})::bigint`,
    day: (at: string) => `to_char(to_timestamp(${at} / 1000.0) at time zone 'UTC', 'YYYY-MM-DD')`,
    // Otherwise the server does so while pages are measured.
    analyze: 'vacuum analyze',
    id: (n: string) => `'req_' || lpad(${n}::text, 12, '0')`,
  },
} as const;
