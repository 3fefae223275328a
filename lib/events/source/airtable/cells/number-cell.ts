import type { Column } from '../../../model/field-lists.ts';
import { type CellSource, readRaw } from './cell-source.ts';

type Bounds = Readonly<{ min: number; max: number }>;

export function readNumber(
  source: CellSource,
  column: Column,
  { min, max }: Bounds,
): number | null {
  const value = readRaw(source, column);
  if (value == null || value === '') return null;
  const digits = typeof value === 'string' ? value.trim().replace(/\s*px$/i, '') : null;
  if (digits === '') return null;
  const parsed = digits === null ? value : Number(digits);
  if (typeof parsed !== 'number' || !Number.isFinite(parsed)) {
    return source.report.repaired(column, 'not_a_number', value);
  }
  const clamped = Math.min(Math.max(parsed, min), max);
  if (clamped !== parsed) source.report.repaired(column, 'number_out_of_range', value);
  return clamped;
}

/** Things that can be counted. */
export function readCount(source: CellSource, column: Column): number | null {
  const value = readNumber(source, column, { min: 0, max: 1_000_000 });
  return value && Math.floor(value);
}
