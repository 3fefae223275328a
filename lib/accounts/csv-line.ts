export const csvType = 'text/csv; charset=utf-8';

export type CsvCell = string | number | null;

/** A line of CSV (RFC 4180); null is an empty cell. */
export function toCsvLine(cells: readonly CsvCell[]): string {
  return `${cells.map(toCell).join(',')}\r\n`;
}

/** What spreadsheets run as a formula, in the width of East Asian keyboards, too. */
const formulaStart = /^[=+\-@＝＋－＠\t\r\n]/;

function toCell(value: CsvCell): string {
  if (value === null) return '';
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
