import { Readable } from 'node:stream';
import { firstPage, type ListPlace, type ListQuery, type ListStart } from '#lib/storage/lists.ts';
import { toFile } from '../account/usage-files.ts';
import { type CsvCell, csvType, toCsvLine } from '../csv-line.ts';

/** The columns of a file, by their names. */
export type FileColumns<Row> = Readonly<Record<string, (row: Row) => CsvCell>>;

type Page<Row> = ListPlace & Readonly<{ rows: readonly Row[] }>;

type ListFile<Row, Query extends ListQuery> = Readonly<{
  name: string;
  columns: FileColumns<Row>;
  load: (query: Query) => Promise<Page<Row>>;
  /** What the page shows that the file is of. */
  query: Query;
}>;

/** All pages of a list as CSV, which is sent while it is read. */
export async function respondWithList<Row, Query extends ListQuery>({
  name,
  columns,
  load,
  query,
}: ListFile<Row, Query>): Promise<Response> {
  const pages = readAllPages(load, query);
  // Before the response begins: a database that is away is an error.
  const first = await pages.next();
  const toCells = Object.values(columns);
  const toLines = (rows: readonly Row[]) =>
    rows.map((row) => toCsvLine(toCells.map((toCell) => toCell(row)))).join('');
  async function* write() {
    yield toCsvLine(Object.keys(columns));
    if (!first.done) yield toLines(first.value);
    for await (const rows of pages) yield toLines(rows);
  }
  return toFile(Readable.from(write()), csvType, `${name}.csv`);
}

/** Costs are summed up for each of these pages. */
const rowsAtOnce = 5_000;

/** The rows of all pages, some at a time. */
export async function* readAllPages<Row, Query extends ListQuery>(
  load: (query: Query) => Promise<Page<Row>>,
  query: Query,
): AsyncGenerator<readonly Row[], void> {
  let start: ListStart = firstPage;
  for (;;) {
    const { rows, after } = await load({ ...query, start, limit: rowsAtOnce });
    yield rows;
    if (after === null) return;
    start = { kind: 'after', cursor: after };
  }
}

export function toIsoTime(timeMs: number | null): string | null {
  return timeMs === null ? null : new Date(timeMs).toISOString();
}
