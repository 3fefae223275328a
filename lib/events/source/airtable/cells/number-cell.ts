import type { Cell } from './cell.ts';
import { readSingle } from './text-cell.ts';

/** Longer texts are no numbers. */
const lengthMax = 40;

type Bounds = Readonly<{ min: number; max: number }>;

export function readNumber(cell: Cell, { min, max }: Bounds): number | null {
  const text = readSingle(cell);
  if (text === null) return null;
  const parsed = parseNumber(text);
  if (parsed === null) return cell.repaired('not_a_number');
  const clamped = Math.min(Math.max(parsed, min), max);
  if (clamped !== parsed) cell.repaired('number_out_of_range');
  return clamped;
}

/** Things that can be counted. */
export function readCount(cell: Cell): number | null {
  const value = readNumber(cell, { min: 0, max: 1_000_000 });
  return value && Math.floor(value);
}

/** `96`, `96 px`, `1,200`. */
function parseNumber(text: string): number | null {
  if (text.length > lengthMax) return null;
  const digits = text
    .replace(/\s*px$/i, '')
    .replace(/(?<=^\d{1,3}(?:,\d{3})*),(?=(?:\d{3},?)+$)/g, '');
  const number = Number(digits);
  return digits !== '' && Number.isFinite(number) ? number : null;
}
