import { formatHex, formatHex8, parse } from 'culori';

const colorTextLengthMax = 64;

/**
 * Reads a CSS colour (CSS Color 4: names, hex, `rgb()`, `hsl()`, `oklch()` …) and writes it as
 * `#rrggbb`, or `#rrggbbaa` where it is not opaque. What comes from a table is parsed, never pasted into a style.
 * @returns null for anything that is not one colour.
 */
export function parseColor(text: string): string | null {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed.length > colorTextLengthMax) return null;
  const color = parseCss(trimmed);
  if (color === undefined) return null;
  return color.alpha === undefined || color.alpha >= 1 ? formatHex(color) : formatHex8(color);
}

// The parser throws where a unit follows a slash: `rgb(0 0 0 / 5px)`.
function parseCss(text: string): ReturnType<typeof parse> {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}
