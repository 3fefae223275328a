import type { Column } from '../../../model/field-lists.ts';
import type { CellSource } from './cell-source.ts';
import { readText } from './text-cell.ts';

export function readWebUrl(source: CellSource, column: Column): string | null {
  const value = readText(source, column);
  if (value === null) return null;
  return toWebUrl(value) ?? source.report.repaired(column, 'not_a_web_url', value);
}

export function toWebUrl(text: string): string | null {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null;
  return url.username === '' && url.password === '' && text.length <= 4096 ? url.href : null;
}
