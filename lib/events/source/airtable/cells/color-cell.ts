import { formatHex, formatHex8, parse } from 'culori';
import type { Cell } from './cell.ts';
import { readSingle } from './text-cell.ts';

export function readColor(cell: Cell): string | null {
  const value = readSingle(cell);
  if (value === null) return null;
  return parseColor(value) ?? cell.repaired('not_a_color', value);
}

const colorTextLengthMax = 64;

/**
 * Parses a CSS colour (CSS Color 4: names, hex, `rgb()`, `hsl()`, `oklch()` …) to `#rrggbb`, or `#rrggbbaa` if it
 * is not opaque, so that texts of the table never reach a style.
 * @returns null for anything else.
 */
export function parseColor(text: string): string | null {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed.length > colorTextLengthMax) return null;
  const color = parseCss(trimmed);
  if (color === undefined) return null;
  return color.alpha === undefined || color.alpha >= 1 ? formatHex(color) : formatHex8(color);
}

// The parser throws for a unit after a slash: `rgb(0 0 0 / 5px)`.
function parseCss(text: string): ReturnType<typeof parse> {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}
