import type { Column } from '../../../model/field-lists.ts';
import { type CellSource, readRaw } from './cell-source.ts';

const choicesMax = 100;

export function readChoices(source: CellSource, column: Column): string[] {
  const value = readRaw(source, column);
  if (value == null) return [];
  const list: unknown[] = Array.isArray(value) ? value : [value];
  if (list.length > choicesMax) source.report.repaired(column, 'too_many_choices', value);
  return list
    .slice(0, choicesMax)
    .flatMap((item) => (typeof item === 'string' ? [item.trim()] : []));
}

export function readChecked(source: CellSource, column: Column): boolean {
  return readRaw(source, column) === true;
}
