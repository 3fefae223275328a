import type { Config } from '#lib/config/config.ts';
import type { AccessRule } from '#lib/config/setting-schemas.ts';
import {
  firstPage,
  type List,
  type ListPage,
  type ListQuery,
  type ListStart,
} from '#lib/storage/lists.ts';
import { type CsvColumns, respondWithCsv } from '../files/csv-file.ts';
import { rowsAtOnce } from '../files/file-response.ts';
import type { AccountStores } from '../store/stores.ts';
import { type ListFields, readListQuery, type Values } from './list-query.ts';

/** A list of the account or admin pages: its page, form, links, file and command follow from it. */
export type ListView<
  Row,
  Sort extends string = string,
  Filter extends string = string,
  Source = ListSource,
> = ListFields<Sort, Filter> &
  Readonly<{
    /** Of its page; its file has the same with `.csv`. */
    path: string;
    /** Of its file. */
    columns: CsvColumns<Row>;
    load: (source: Source, query: ListQuery<Sort, Filter>) => Promise<LoadedRows<Row>>;
  }>;

/** That of a list of the database, with rows as pages show them. */
export type ViewOf<L extends Pick<List<never>, 'sorts' | 'filters'>, Row> = ListView<
  Row,
  Extract<keyof L['sorts'], string>,
  Extract<keyof L['filters'], string>
>;

/** Where a page is in its list. Not every list counts its rows. */
export type ListPlace = Pick<ListPage<unknown>, 'before' | 'after'> & Readonly<{ total?: number }>;
type LoadedRows<Row> = ListPlace & Readonly<{ rows: readonly Row[] }>;

/** What lists are loaded from. */
export type ListSource = Readonly<{
  database: AccountStores;
  /** Who is an admin. */
  admins: readonly AccessRule[];
  now: number;
}>;

export type ListServices = Readonly<{
  database: AccountStores;
  config: Pick<Config, 'members'>;
}>;

export function toListSource({ database, config }: ListServices): ListSource {
  return { database, admins: config.members?.admins ?? [], now: Date.now() };
}

/** All pages of a list as CSV. */
export function respondWithList<Row, Sort extends string, Filter extends string, Source>(
  list: ListView<Row, Sort, Filter, Source>,
  source: Source,
  values: Values,
): Promise<Response> {
  const name = list.path.split('/').at(-1) ?? '';
  const load = (query: ListQuery<Sort, Filter>) => list.load(source, query);
  return respondWithCsv(name, list.columns, readAllPages(load, readListQuery(list, values)));
}

/** The rows of all pages, some at a time. */
export async function* readAllPages<Row, Query extends ListQuery>(
  load: (query: Query) => Promise<LoadedRows<Row>>,
  query: Query,
): AsyncGenerator<readonly Row[], void> {
  let page: Readonly<{ start: ListStart; total?: number | undefined }> = { start: firstPage };
  for (;;) {
    const { rows, total, after } = await load({ ...query, ...page, limit: rowsAtOnce });
    yield rows;
    if (after === null) return;
    page = { start: after, total };
  }
}
