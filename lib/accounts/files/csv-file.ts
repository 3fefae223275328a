import { respondWithFile } from './file-response.ts';

type CsvCell = string | number | boolean | null;

/** The columns of a file, by their names. */
export type CsvColumns<Row> = Readonly<Record<string, (row: Row) => CsvCell>>;

export function toIsoTime(timeMs: number | null): string | null {
  return timeMs === null ? null : new Date(timeMs).toISOString();
}

/** Rows as CSV (RFC 4180), which is sent while they are read. */
export function respondWithCsv<Row>(
  name: string,
  columns: CsvColumns<Row>,
  pages: AsyncIterable<readonly Row[]>,
): Promise<Response> {
  const file = { name: `${name}.csv`, type: 'text/csv; charset=utf-8' };
  return respondWithFile(writeLines(columns, pages), file);
}

async function* writeLines<Row>(columns: CsvColumns<Row>, pages: AsyncIterable<readonly Row[]>) {
  const toCells = Object.values(columns);
  let text = toLine(Object.keys(columns));
  for await (const rows of pages) {
    yield text + rows.map((row) => toLine(toCells.map((toCell) => toCell(row)))).join('');
    text = '';
  }
  yield text;
}

/** null is an empty cell. */
function toLine(cells: readonly CsvCell[]): string {
  return `${cells.map(toText).join(',')}\r\n`;
}

/** What spreadsheets run as a formula, in the width of East Asian keyboards, too. */
const formulaStart = /^[=+\-@＝＋－＠\t\r\n]/;

function toText(value: CsvCell): string {
  if (value === null) return '';
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return toDecimal(value);
  const text = formulaStart.test(value) ? `'${value}` : value;
  // Where commas are decimal, spreadsheets split at semicolons: what is behind one would be a cell of its own.
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Without an exponent, which some programs read as text: down to a billionth, the unit of amounts. */
function toDecimal(value: number): string {
  return Number.isInteger(value)
    ? BigInt(value).toString()
    : value.toFixed(9).replace(/\.?0+$/, '');
}
