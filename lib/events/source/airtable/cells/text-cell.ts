import type { Column } from '../../../model/field-lists.ts';
import { type CellSource, readRaw } from './cell-source.ts';

const textLengthMax = 100_000;
const lineLengthMax = 300;

export function readText(source: CellSource, column: Column): string | null {
  const raw = readRaw(source, column);
  const value = toCellText(raw);
  if (value === undefined) return source.report.repaired(column, 'not_text', raw);
  const clean = cleanText(value).trim();
  if (clean.length > textLengthMax) {
    source.report.repaired(column, 'text_shortened', raw);
    return cutText(clean, textLengthMax);
  }
  return /[^\p{Cf}\p{Mn}\s]/u.test(clean) ? clean : null;
}

/** A single line, as for a name, a place or a channel. */
export function readLine(source: CellSource, column: Column): string | null {
  const value = readText(source, column)?.replace(/\s+/g, ' ');
  if (value === undefined) return null;
  if (value.length <= lineLengthMax) return value;
  source.report.repaired(column, 'text_shortened', value);
  return cutText(value, lineLengthMax);
}

/** The text of a cell; undefined for a value that is not text (a failed formula, an AI field, a checkbox). */
export function toCellText(value: unknown): string | undefined {
  if (value == null) return '';
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  // A lookup is an array, often with one item.
  if (Array.isArray(value) && value.length <= 1 && !Array.isArray(value[0]))
    return toCellText(value[0]);
  return undefined;
}

// Control characters except tab and newline, lone surrogates and bidirectional overrides break some readers.
function cleanText(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?|\u2028|\u2029/g, '\n')
    .replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/g, '');
}

function cutText(text: string, lengthMax: number): string {
  return `${text
    .slice(0, lengthMax - 1)
    .toWellFormed()
    .replace(/\ufffd$/, '')
    .trimEnd()}…`;
}
