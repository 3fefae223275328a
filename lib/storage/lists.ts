import { type Kysely, type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { hasText } from './has-text.ts';
import type { RunQuery, Schema } from './schema.ts';
import { readStored } from './stored-json.ts';

/**
 * A list that may be long: what its rows are, how they are found and ordered, and what its form calls that. Conditions
 * and orders may depend on the time (Unix ms).
 */
export type List<Row, Sort extends string = string, Filter extends string = string> = Readonly<{
  /** Its table; `item` is a row. */
  from: RawBuilder<unknown>;
  /** The column that names a row, such as `item.id`. */
  id: string;
  /** Columns that are searched, and the join of those of other tables. */
  texts: readonly string[];
  textJoin?: RawBuilder<unknown>;
  /** The label of the search; left out: there is nothing to search. */
  search?: string;
  /** The first one is the default. */
  sorts: Readonly<Record<Sort, ListSort>>;
  filters: Readonly<Record<Filter, ListFilter>>;
  /** Rows by their ids, in any order. */
  readRows: (db: Kysely<Schema>, ids: readonly string[]) => Promise<readonly Row[]>;
  toId: (row: Row) => string;
}>;

/** The condition of each value; or of any value, such as a name. Without a label it is in links alone. */
type ListFilter = Readonly<{ label: string | null; all?: string }> &
  (
    | Readonly<{ options: readonly ListOption[] }>
    | Readonly<{ where: (value: string) => RawBuilder<boolean> }>
  );

type ListOption = readonly [
  value: string,
  words: string,
  where: (now: number) => RawBuilder<boolean>,
];

type ListSort = Readonly<{ words: string; by: (now: number) => ListOrder }>;

/** What orders a list. Rows with the same value are in the order of their ids. */
export type ListOrder = Readonly<{
  /** Never null: a comparison with null is not true, so that rows would be skipped. Numbers are whole. */
  value: RawBuilder<string | number>;
  isText: boolean;
  isDescending: boolean;
  /** What the value needs, such as sums. */
  join?: RawBuilder<unknown>;
  /** Writes what the join needs. */
  prepare?: (queries: ListQueries) => Promise<void>;
}>;

type ListQueries = Readonly<{ run: RunQuery; readLong: RunQuery }>;

/** One page of a list. */
export type ListQuery<Sort extends string = string, Filter extends string = string> = Readonly<{
  /** Part of one of the texts, in any case; '' for all rows. */
  text: string;
  sort: Sort;
  filters: Readonly<Partial<Record<Filter, string>>>;
  start: ListStart;
  limit: number;
  /** Of an earlier page: rows are not counted again. */
  total?: number | undefined;
}>;

/** Where a page starts: after so many rows, or beside the row of a cursor. */
export type ListStart =
  | Readonly<{ kind: 'offset'; offset: number }>
  | Readonly<{ kind: 'after' | 'before'; cursor: string }>;

export const firstPage = { kind: 'offset', offset: 0 } as const satisfies ListStart;

export type ListPage<Row> = Readonly<{
  rows: readonly Row[];
  /** How many rows all pages have together. */
  total: number;
  /** Where the pages beside it start; null: there is none. */
  before: ListStart | null;
  after: ListStart | null;
}>;

/** Reads a page of a list of the database, as of a time (Unix ms). */
export type ReadList = <Row, Sort extends string, Filter extends string>(
  list: List<Row, Sort, Filter>,
  query: ListQuery<Sort, Filter>,
  now: number,
) => Promise<ListPage<Row>>;

/** Reads a page of a list: its ids first, so that only its rows are read in full. */
export async function readList<Row, Sort extends string, Filter extends string>(
  { run, readLong }: ListQueries,
  list: List<Row, Sort, Filter>,
  query: ListQuery<Sort, Filter>,
  now: number,
): Promise<ListPage<Row>> {
  const order = list.sorts[query.sort].by(now);
  await order.prepare?.({ run, readLong });
  return readLong(async (db) => {
    const conditions = toConditions(list, query, now);
    const textJoin = query.text === '' ? undefined : list.textJoin;
    const from = sql`${list.from} ${textJoin ?? sql``}`;
    const total = query.total ?? (await countRows(db, from, conditions));
    const start = readStart(query.start, query.sort, order);
    const id = sql.ref<string>(list.id);
    const { limit } = query;
    const places = await readPlaces(db, { from, id, order, conditions, start, limit });
    const ids = places.rows.map(({ id }) => id);
    const rows = ids.length === 0 ? [] : await list.readRows(db, ids);
    const byId = new Map(rows.map((row) => [list.toId(row), row]));
    const toStart = (kind: 'before' | 'after', place: Place | undefined) =>
      place === undefined
        ? null
        : { kind, cursor: writeCursor([query.sort, place.value, place.id]) };
    return {
      rows: ids.flatMap((id) => byId.get(id) ?? []),
      total,
      before: places.hasBefore ? toStart('before', places.rows[0]) : null,
      after: places.hasAfter ? toStart('after', places.rows.at(-1)) : null,
    };
  });
}

function toConditions(
  { texts, filters }: Pick<List<never>, 'texts' | 'filters'>,
  { text, filters: values }: ListQuery,
  now: number,
): RawBuilder<unknown>[] {
  const found = Object.entries(filters).flatMap(([name, filter]) => {
    const value = values[name];
    if (value === undefined) return [];
    if ('where' in filter) return filter.where(value);
    return filter.options.flatMap(([name, , where]) => (name === value ? where(now) : []));
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
  order: ListOrder;
  conditions: readonly RawBuilder<unknown>[];
  start: Start;
  limit: number;
}>;

/** A row, as a place in the order. */
type Place = Readonly<{ id: string; value: string | number }>;
type Places = Readonly<{ rows: readonly Place[]; hasBefore: boolean; hasAfter: boolean }>;

async function readPlaces(db: Kysely<Schema>, selection: Selection): Promise<Places> {
  const { start, limit } = selection;
  // One more, which says whether there is another page.
  const found = (await selectPlaces(selection).execute(db)).rows;
  const rows = found.slice(0, limit);
  const hasMore = found.length > limit;
  const hasBefore = start.kind !== 'offset' || start.offset > 0;
  const isFound = rows.length > 0 || !hasBefore;
  if (start.kind !== 'before' && isFound) return { rows, hasBefore, hasAfter: hasMore };
  if (start.kind === 'before' && hasMore) {
    return { rows: rows.toReversed(), hasBefore: true, hasAfter: true };
  }
  // Rows were removed meanwhile, or this is the first page.
  return readPlaces(db, { ...selection, start: firstPage });
}

function selectPlaces({ from, id, order, conditions, start, limit }: Selection) {
  const isDescending = order.isDescending !== (start.kind === 'before');
  const direction = isDescending ? sql`desc` : sql`asc`;
  const beside = start.kind === 'offset' ? [] : toBounds({ order, id, isDescending }, start.cursor);
  return sql<Place>`select ${id} as id, ${order.value} as value from ${from} ${order.join ?? sql``}
    ${toWhere([...conditions, ...beside])}
    order by ${order.value} ${direction}, ${id} ${direction}
    limit ${limit + 1} offset ${start.kind === 'offset' ? start.offset : 0}`;
}

type Bounds = Readonly<{ order: ListOrder; id: RawBuilder<string>; isDescending: boolean }>;

/** Rows after the one of a cursor. */
function toBounds(
  { order, id, isDescending }: Bounds,
  [, value, lastId]: Cursor,
): RawBuilder<unknown>[] {
  const [operator, orEqual] = isDescending ? [sql`<`, sql`<=`] : [sql`>`, sql`>=`];
  // Whatever a made-up cursor has: PostgreSQL would take it for a number of the column's type.
  const bound = order.isText ? sql`${value}` : sql`cast(${value} as bigint)`;
  return [
    // SQLite finds a pair by an index of columns alone, and an expression by itself.
    sql`${order.value} ${orEqual} ${bound}`,
    sql`(${order.value}, ${id}) ${operator} (${bound}, ${lastId})`,
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
function readStart(start: ListStart, sort: string, { isText }: ListOrder): Start {
  if (!('cursor' in start)) return start;
  const text = Buffer.from(start.cursor, 'base64url').toString();
  const cursor = readStored(cursorSchema.nullable(), text, null);
  if (cursor?.[0] !== sort || (typeof cursor[1] === 'string') !== isText) {
    return firstPage;
  }
  return { kind: start.kind, cursor };
}
