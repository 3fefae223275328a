import { tables } from '#lib/storage/schema.ts';
import { amountMax, type Writes } from './books.ts';

export type Engine = 'sqlite' | 'postgres';

/** Where a statement for PostgreSQL takes its rows, as a literal of JSON. */
export const rowsPlace = '$rows$';

/** What writes rows. For PostgreSQL it takes all of them at once; for SQLite their columns are its parameters. */
export type Statement = Readonly<{
  /** For one row, for two, and so on; more rows take several turns. */
  sqls: readonly [string, ...string[]];
  /** In the order of the parameters of a row. */
  columns: readonly string[];
}>;

type Table = keyof typeof tables;
/** Names and SQL types. */
type Columns = Readonly<Record<string, string>>;

/** What a statement takes, as a table `r`. (SQLite takes ten times as long to read a row from JSON.) */
function toSource(engine: Engine, columns: Columns): string {
  const list = Object.entries(columns);
  if (engine === 'postgres') {
    const types = list.map(([name, type]) => `${name} ${type}`).join(', ');
    return `json_to_recordset(${rowsPlace}) as r(${types})`;
  }
  return `(select ${list.map(([name]) => `? as ${name}`).join(', ')}) as r`;
}

/** @param toSql from its source, which has these columns */
function toStatement(
  engine: Engine,
  columns: Columns,
  toSql: (source: string) => string,
): Statement {
  return { sqls: [toSql(toSource(engine, columns))], columns: Object.keys(columns) };
}

/** Columns of a table; by default all. */
function toColumns(table: Table, names = Object.keys(tables[table])): Columns {
  const all: Columns = tables[table];
  return Object.fromEntries(names.map((name) => [name, toType(all[name])]));
}

/** `bigint not null` → `bigint`. */
function toType(sql = 'text'): string {
  return sql.split(' ')[0] ?? sql;
}

const id: Columns = { id: 'text' };
const span: Columns = { account: 'text', '"firstDay"': 'text', '"lastDay"': 'text' };

/** What a transaction reads: of all rows at once, or with SQLite of one, whose columns are its parameters. */
export function toReadStatements(engine: Engine) {
  // As floating-point numbers, which never overflow and are exact up to 2^53.
  const sum = (column: string, name: string) =>
    `coalesce(sum(cast(b.${column} as double precision)), 0) as "${name}"`;
  const isPostgres = engine === 'postgres';
  // SQLite gets one row at a time, and takes twice as long to group it.
  const inOrder = isPostgres ? 'group by r.position order by r.position' : '';
  const spans = toSource(engine, isPostgres ? { position: 'bigint', ...span } : span);
  return {
    spans: `select ${sum('tokens', 'tokens')}, ${sum('nano_usd', 'nanoUsd')},
        ${sum('reserved_tokens', 'reservedTokens')}, ${sum('reserved_nano_usd', 'reservedNanoUsd')}
      from ${spans} left join marquee_balances as b
        on b.account = r.account and b.day between r."firstDay" and r."lastDay"
      ${inOrder}`,
    // With a join, PostgreSQL reads the table where it expects more rows than there are.
    records: isPostgres
      ? `select * from marquee_usage where id = any(array(select r.id from ${toSource(engine, id)}))
        order by id for update`
      : 'select * from marquee_usage where id = ?',
    counts: toCountStatement(engine),
  };
}

/** Counts requests of keys in the minute that is now, and reads what it has come to. SQLite is told the minute first. */
function toCountStatement(engine: Engine): string {
  const rows =
    engine === 'postgres'
      ? `select floor(extract(epoch from clock_timestamp()) / 60)::bigint, r.key_id, r.count, 0
        from ${toSource(engine, { key_id: 'text', count: 'bigint' })}`
      : 'values (?, ?, ?, 0)';
  return `insert into marquee_request_counts as c (minute, key_id, count, count_before) ${rows}
    on conflict (key_id) do update set
      minute = excluded.minute,
      count = case when excluded.minute > c.minute then 0 else c.count end + excluded.count,
      count_before = case
        when excluded.minute <= c.minute then c.count_before
        when excluded.minute = c.minute + 1 then c.count
        else 0
      end
    returning key_id, minute, count, count_before`;
}

/** Records whose lease has expired at a time. The condition is that of an index. */
export function toExpiredStatement(now: string, max: string): string {
  return `select * from marquee_usage where is_counted = 0 and lease_until < ${now} limit ${max}`;
}

/** What is written where there is a row: its sum with the new one, the new one, or nothing. */
type Merge = 'add' | 'replace' | 'keep';

type Upsert = Readonly<{
  table: Table;
  /** The primary key. */
  key: readonly string[];
  merge: Merge;
  /** Columns that are neither part of the key nor added. */
  same?: readonly string[];
}>;

/** Requests have up to four accounts. */
const rowsMax = 4;

/** What is inserted: all rows, or with SQLite one, two, and so on. */
function toRows(engine: Engine, columns: Columns): [string, ...string[]] {
  const names = Object.keys(columns);
  if (engine === 'postgres')
    return [`select ${names.join(', ')} from ${toSource(engine, columns)}`];
  const row = `(${names.map(() => '?').join(', ')})`;
  const counts = Array.from({ length: rowsMax - 1 }, (_, index) => index + 2);
  return [`values ${row}`, ...counts.map((count) => `values ${Array(count).fill(row).join(', ')}`)];
}

function toUpsert(engine: Engine, { table, key, merge, same = [] }: Upsert): Statement {
  const columns = toColumns(table);
  const names = Object.keys(columns);
  const changed = names.filter((name) => !key.includes(name) && !same.includes(name));
  const set = changed.map((name) => {
    if (merge === 'replace') return `${name} = excluded.${name}`;
    const sum = `${table}.${name} + excluded.${name}`;
    return `${name} = case when ${sum} > ${amountMax} then ${amountMax} else ${sum} end`;
  });
  const update = merge === 'keep' ? 'nothing' : `update set ${set.join(', ')}`;
  const toSql = (rows: string) =>
    `insert into ${table} (${names.join(', ')}) ${rows} on conflict (${key.join(', ')}) do ${update}`;
  const [one, ...more] = toRows(engine, columns);
  return { sqls: [toSql(one), ...more.map(toSql)], columns: names };
}

/** What a record has from its start. Most indexes are on these, and are not written again at its end. */
const fixedColumns = [
  'key_id',
  'at',
  'day',
  'endpoint',
  'is_streamed',
  'session',
  'member_id',
  'group_name',
  'request_id',
];

/** What changes of a record while it is under way. */
const progressColumns = [
  'status',
  'tokens_in',
  'tokens_out',
  'tokens_cached',
  'tokens_cache_written',
  'is_estimated',
  'cost_nano_usd',
  'cost_source',
  'first_byte_ms',
  'duration_ms',
  'upstream',
  'lease_until',
];

type Update = Readonly<{ table: Table; changed: readonly string[]; where: string }>;

/** Changes rows that exist. For PostgreSQL none that others have locked, so that it waits for nobody. */
function toUpdate(engine: Engine, { table, changed, where }: Update): Statement {
  const set = changed.map((name) => `${name} = r.${name}`).join(', ');
  return toStatement(engine, toColumns(table, ['id', ...changed]), (source) => {
    const free =
      engine === 'postgres'
        ? `(select r.* from ${source} join ${table} as t on t.id = r.id for update of t skip locked) as r`
        : source;
    return `update ${table} set ${set} from ${free} where ${table}.id = r.id and ${where}`;
  });
}

/** How many rejected requests of a key are stored of one minute. */
export const rejectedMax = 10;

/** Stores rejected requests until there are enough of a key and minute. Their keys are locked. */
function toRejectedStatement(engine: Engine): Statement {
  const columns = toColumns('marquee_usage');
  const names = Object.keys(columns).join(', ');
  const minute = 'r.at - r.at % 60000';
  return toStatement(
    engine,
    columns,
    (source) => `insert into marquee_usage (${names}) select ${names} from (
        select r.*, ${minute} as minute,
          row_number() over (partition by r.key_id, ${minute} order by r.id) as place
        from ${source}
      ) as r
      where r.place + (
        select count(*) from marquee_usage as u
        where u.key_id = r.key_id and u.at >= r.minute and u.at < r.minute + 60000
          and u.is_counted = 0 and u.lease_until is null
      ) <= ${rejectedMax}`,
  );
}

/** What a transaction writes, in this order: last the rows that all requests change. */
export function toWriteStatements(engine: Engine): Readonly<Record<keyof Writes, Statement>> {
  const upsert = (options: Upsert) => toUpsert(engine, options);
  return {
    removed: toStatement(
      engine,
      id,
      (source) => `delete from marquee_usage where id in (select r.id from ${source})`,
    ),
    records: upsert({
      table: 'marquee_usage',
      key: ['id'],
      same: fixedColumns,
      merge: 'replace',
    }),
    progress: toUpdate(engine, {
      table: 'marquee_usage',
      changed: progressColumns,
      where: 'marquee_usage.lease_until is not null',
    }),
    rejected: toRejectedStatement(engine),
    sumsByKey: upsert({
      table: 'marquee_usage_by_key',
      key: ['key_id', 'day', 'model', 'upstream'],
      merge: 'add',
    }),
    sumsByMember: upsert({
      table: 'marquee_usage_by_member',
      key: ['member_id', 'day', 'model', 'upstream'],
      merge: 'add',
    }),
    usedKeys: toUpdate(engine, {
      table: 'marquee_keys',
      changed: ['used_at'],
      where: 'coalesce(marquee_keys.used_at, 0) < r.used_at',
    }),
    rejections: upsert({
      table: 'marquee_rejections',
      key: ['id'],
      same: ['key_id', 'at', 'day', 'status', 'code'],
      merge: 'add',
    }),
    setAside: upsert({ table: 'marquee_usage_set_aside', key: ['id'], merge: 'keep' }),
    balances: upsert({ table: 'marquee_balances', key: ['account', 'day'], merge: 'add' }),
    sumsByHour: upsert({
      table: 'marquee_usage_by_hour',
      key: ['hour', 'model', 'upstream', 'status'],
      merge: 'add',
    }),
  };
}
