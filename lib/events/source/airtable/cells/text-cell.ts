import type { RepairReason } from '../problem-reasons.ts';
import { toCellTexts } from './cell-texts.ts';
import { htmlToMarkdown } from './html-to-markdown.ts';

/** A cell as it was read. */
export type Cell = Readonly<{
  raw: unknown;
  /** Reports that the cell had to be repaired. @param value by default as it was read */
  repaired: (reason: RepairReason, value?: unknown) => null;
}>;

const textLengthMax = 100_000;
const lineLengthMax = 300;

/** All that a cell says; the texts of a lookup are paragraphs. */
export function readText(cell: Cell): string | null {
  return join(cell, readTexts(cell), '\n\n');
}

/** The same as Markdown, whatever it was written in. */
export function readMarkdown(cell: Cell): string | null {
  const text = readText(cell);
  return (text?.includes('<') ? htmlToMarkdown(text) : text) || null;
}

/** A single line, as for a name, a place or a channel; the texts of a lookup are a list. */
export function readLine(cell: Cell): string | null {
  return toLine(cell, readTexts(cell));
}

/** What an event has one of, as a city: a lookup of several different texts says none. */
export function readSingle(cell: Cell): string | null {
  const [first = '', ...others] = readTexts(cell);
  const isSame = others.every((text) => toPlain(text) === toPlain(first));
  return isSame ? join(cell, [first], '') : cell.repaired('several_values');
}

export function readSingleLine(cell: Cell): string | null {
  const text = readSingle(cell);
  return text === null ? null : toLine(cell, [text]);
}

/** Whether a cell says nothing, and nothing is wrong with it. */
export function isEmptyCell({ raw }: Cell): boolean {
  return toCellTexts(raw).texts?.length === 0;
}

function toPlain(text: string): string {
  return text.trim().toLowerCase();
}

export function readTexts(cell: Cell): readonly string[] {
  const { texts, fault } = toCellTexts(cell.raw);
  if (fault !== null) cell.repaired(fault);
  return texts ?? [];
}

function toLine(cell: Cell, texts: readonly string[]): string | null {
  const value = join(cell, texts, ', ')?.replace(/\s+/g, ' ');
  if (value === undefined) return null;
  if (value.length <= lineLengthMax) return value;
  cell.repaired('text_shortened', value);
  return cutText(value, lineLengthMax);
}

function join(cell: Cell, texts: readonly string[], separator: string): string | null {
  const clean = cleanText(texts.join(separator)).trim();
  if (clean.length > textLengthMax) {
    cell.repaired('text_shortened', clean);
    return cutText(clean, textLengthMax);
  }
  return clean === '' ? null : clean;
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
