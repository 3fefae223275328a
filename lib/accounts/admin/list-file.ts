import { firstPage, type ListPlace, type ListQuery, type ListStart } from '#lib/storage/lists.ts';
import { type CsvColumns, respondWithCsv } from '../files/csv-file.ts';
import { rowsAtOnce } from '../files/file-response.ts';

type Page<Row> = ListPlace & Readonly<{ rows: readonly Row[] }>;

type ListFile<Row, Query extends ListQuery> = Readonly<{
  name: string;
  columns: CsvColumns<Row>;
  load: (query: Query) => Promise<Page<Row>>;
  /** What the page shows that the file is of. */
  query: Query;
}>;

/** All pages of a list as CSV. */
export function respondWithList<Row, Query extends ListQuery>({
  name,
  columns,
  load,
  query,
}: ListFile<Row, Query>): Promise<Response> {
  return respondWithCsv(name, columns, readAllPages(load, query));
}

/** The rows of all pages, some at a time. */
export async function* readAllPages<Row, Query extends ListQuery>(
  load: (query: Query) => Promise<Page<Row>>,
  query: Query,
): AsyncGenerator<readonly Row[], void> {
  let start: ListStart = firstPage;
  let known = {};
  for (;;) {
    const { rows, total, after } = await load({ ...query, ...known, start, limit: rowsAtOnce });
    yield rows;
    if (after === null) return;
    start = { kind: 'after', cursor: after };
    known = { total };
  }
}

export function toIsoTime(timeMs: number | null): string | null {
  return timeMs === null ? null : new Date(timeMs).toISOString();
}
