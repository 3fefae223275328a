import { type Kysely, type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { hasText } from './has-text.ts';
import type { Schema } from './schema.ts';
import { readStored } from './stored-json.ts';

/**
 * A list that may be long: what its rows are, and how they are found and ordered. `Context` is what conditions depend
 * on, such as the time.
 */
export type List<Context, Sort extends string = string, Filter extends string = string> = Readonly<{
  /** Its table with the joins of its texts; `item` is a row. */
  from: RawBuilder<unknown>;
  /** The column that names a row, such as `item.id`. */
  id: string;
  /** Columns that are searched, and the join of those of other tables. */
  texts: readonly string[];
  textJoin?: RawBuilder<unknown>;
  /** The first one is the default. */
  sorts: Readonly<Record<Sort, (context: Context) => ListSort>>;
  filters: Readonly<Record<Filter, ListFilter<Context>>>;
}>;

/** The condition of each value; or of any value, such as a name. */
export type ListFilter<Context> =
  | Readonly<Record<string, (context: Context) => RawBuilder<boolean>>>
  | ((value: string) => RawBuilder<boolean>);

/** What orders a list. Rows with the same value are in the order of their ids. */
export type ListSort = Readonly<{
  /** Never null: a comparison with null is not true, so that rows would be skipped. Numbers are whole. */
  value: RawBuilder<string | number>;
  isText: boolean;
  isDescending: boolean;
  /** What the value needs, such as sums. */
  join?: RawBuilder<unknown>;
}>;

/** One page of a list. */
export type ListQuery<Sort extends string = string, Filter extends string = string> = Readonly<{
  /** Part of one of the texts, in any case; '' for all rows. */
  text: string;
  sort: Sort;
  filters: Readonly<Partial<Record<Filter, string>>>;
  start: ListStart;
  limit: number;
  /** Of an earlier page: rows are not counted again. */
  total?: number;
}>;

/** Where a page starts: after so many rows, or beside the row of a cursor. */
export type ListStart =
  | Readonly<{ kind: 'offset'; offset: number }>
  | Readonly<{ kind: 'after' | 'before'; cursor: string }>;

export const firstPage = { kind: 'offset', offset: 0 } as const satisfies ListStart;

/** Where a page is in its list. */
export type ListPlace = Readonly<{
  /** How many rows all pages have together. */
  total: number;
  /** Cursors of the pages beside it; null: there is none. */
  before: string | null;
  after: string | null;
}>;

type IdPage = ListPlace & Readonly<{ ids: readonly string[] }>;

/** The ids of a page, in their order: only its rows need to be read in full. */
export async function readListPage<Context>(
  db: Kysely<Schema>,
  list: List<Context>,
  query: ListQuery,
  context: Context,
): Promise<IdPage> {
  const name = Object.hasOwn(list.sorts, query.sort) ? query.sort : Object.keys(list.sorts)[0];
  const sort = list.sorts[name ?? '']?.(context);
  if (name === undefined || sort === undefined) throw new Error('A list needs an order.');
  const conditions = toConditions(list, query, context);
  const textJoin = query.text === '' ? undefined : list.textJoin;
  const from = sql`${list.from} ${textJoin ?? sql``}`;
  const total = query.total ?? (await countRows(db, from, conditions));
  const start = readStart(query.start, { name, isText: sort.isText });
  const id = sql.ref<string>(list.id);
  const page = await readRows(db, { from, id, sort, conditions, start, limit: query.limit });
  const { rows, hasBefore, hasAfter } = page;
  const toCursor = (row: Row | undefined) =>
    row === undefined ? null : writeCursor([name, row.value, row.id]);
  return {
    total,
    ids: rows.map(({ id }) => id),
    before: hasBefore ? toCursor(rows[0]) : null,
    after: hasAfter ? toCursor(rows.at(-1)) : null,
  };
}

/** Rows as their page lists them. */
export function inOrder<T>(
  ids: readonly string[],
  rows: readonly T[],
  toId: (row: T) => string,
): T[] {
  const byId = new Map(rows.map((row) => [toId(row), row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

function toConditions<Context>(
  { texts, filters }: List<Context>,
  { text, filters: values }: ListQuery,
  context: Context,
): RawBuilder<unknown>[] {
  const found = Object.entries(filters).flatMap(([name, filter]) => {
    const value = values[name];
    if (value === undefined) return [];
    if (typeof filter === 'function') return filter(value);
    return Object.hasOwn(filter, value) ? (filter[value]?.(context) ?? []) : [];
  });
  return text === '' ? found : [...found, hasText(texts, text)];
}

async function countRows(
  db: Kysely<Schema>,
  from: RawBuilder<unknown>,
  conditions: readonly RawBuilder<unknown>[],
): Promise<number> {
  const counted = sql<{
    total: number;
  }>`select count(*) as total from ${from} ${toWhere(conditions)}`;
  return (await counted.execute(db)).rows[0]?.total ?? 0;
}

function toWhere(conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`;
}

/** A place between rows. */
type Start =
  | Readonly<{ kind: 'offset'; offset: number }>
  | Readonly<{ kind: 'after' | 'before'; cursor: Cursor }>;

type Selection = Readonly<{
  from: RawBuilder<unknown>;
  id: RawBuilder<string>;
  sort: ListSort;
  conditions: readonly RawBuilder<unknown>[];
  start: Start;
  limit: number;
}>;

type Row = Readonly<{ id: string; value: string | number }>;
type RowPage = Readonly<{ rows: readonly Row[]; hasBefore: boolean; hasAfter: boolean }>;

async function readRows(db: Kysely<Schema>, selection: Selection): Promise<RowPage> {
  const { start, limit } = selection;
  // One more, which says whether there is another page.
  const found = (await selectRows(selection).execute(db)).rows;
  const rows = found.slice(0, limit);
  const hasMore = found.length > limit;
  if (start.kind === 'offset') return { rows, hasBefore: start.offset > 0, hasAfter: hasMore };
  if (start.kind === 'after' && rows.length > 0)
    return { rows, hasBefore: true, hasAfter: hasMore };
  if (start.kind === 'before' && hasMore) {
    return { rows: rows.toReversed(), hasBefore: true, hasAfter: true };
  }
  // Rows were removed meanwhile, or this is the first page.
  return readRows(db, { ...selection, start: firstPage });
}

function selectRows({ from, id, sort, conditions, start, limit }: Selection) {
  const isDescending = sort.isDescending !== (start.kind === 'before');
  const direction = isDescending ? sql`desc` : sql`asc`;
  const beside = start.kind === 'offset' ? [] : toBounds({ sort, id, isDescending }, start.cursor);
  return sql<Row>`select ${id} as id, ${sort.value} as value from ${from} ${sort.join ?? sql``}
    ${toWhere([...conditions, ...beside])}
    order by ${sort.value} ${direction}, ${id} ${direction}
    limit ${limit + 1} offset ${start.kind === 'offset' ? start.offset : 0}`;
}

type Order = Readonly<{ sort: ListSort; id: RawBuilder<string>; isDescending: boolean }>;

/** Rows after the one of a cursor. */
function toBounds(
  { sort, id, isDescending }: Order,
  [, value, lastId]: Cursor,
): RawBuilder<unknown>[] {
  const [operator, orEqual] = isDescending ? [sql`<`, sql`<=`] : [sql`>`, sql`>=`];
  // Whatever a made-up cursor has: PostgreSQL would take it for a number of the column's type.
  const bound = sort.isText ? sql`${value}` : sql`cast(${value} as bigint)`;
  return [
    // SQLite finds a pair by an index of columns alone, and an expression by itself.
    sql`${sort.value} ${orEqual} ${bound}`,
    sql`(${sort.value}, ${id}) ${operator} (${bound}, ${lastId})`,
  ];
}

/** The order, and the value and id of a row. A NUL is no text for PostgreSQL. */
const cursorSchema = z.tuple([
  z.string(),
  z.union([z.int(), z.string().regex(/^[^\0]*$/)]),
  z.string().regex(/^[^\0]*$/),
]);

type Cursor = z.infer<typeof cursorSchema>;

function writeCursor(cursor: Cursor): string {
  return Buffer.from(JSON.stringify(cursor)).toString('base64url');
}

/** A cursor that cannot be read, or is one of another order, leads to the first page. */
function readStart(start: ListStart, sort: Readonly<{ name: string; isText: boolean }>): Start {
  if (!('cursor' in start)) return start;
  const text = Buffer.from(start.cursor, 'base64url').toString();
  const cursor = readStored(cursorSchema.nullable(), text, null);
  if (cursor?.[0] !== sort.name || (typeof cursor[1] === 'string') !== sort.isText) {
    return firstPage;
  }
  return { kind: start.kind, cursor };
}
