import type { Cell } from './cell.ts';
import { readSingle, readTexts } from './text-cell.ts';

const choicesMax = 100;

/** The choices of a select, of a lookup, or of a text that separates them with commas. */
export function readChoices(cell: Cell): string[] {
  const { raw } = cell;
  if (Array.isArray(raw) && raw.length > choicesMax) cell.repaired('too_many_choices');
  return readTexts(cell)
    .flatMap((text) => text.split(/[,;\n]/))
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .slice(0, choicesMax);
}

const yes: ReadonlySet<string> = new Set(['true', 'yes', 'y', 'x', '1', '✓', '✔', '✅', 'checked']);
const no: ReadonlySet<string> = new Set(['false', 'no', 'n', '0', '-', '✗', '❌', 'unchecked']);

/** A checkbox, a lookup of one, or a formula that says yes or no. */
export function readChecked(cell: Cell): boolean {
  const { raw } = cell;
  if (raw === true || (Array.isArray(raw) && raw.includes(true))) return true;
  if (raw === false || (Array.isArray(raw) && raw.includes(false))) return false;
  const word = readSingle(cell)?.toLowerCase();
  if (word !== undefined && !yes.has(word) && !no.has(word)) cell.repaired('unknown_choice');
  return word !== undefined && yes.has(word);
}
