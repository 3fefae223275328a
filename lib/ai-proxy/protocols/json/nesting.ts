const quote = 0x22;
const backslash = 0x5c;

/**
 * Whether JSON text has at most this nesting depth. Checked before parsing: a few megabytes of
 * brackets would take hundreds of megabytes as values. For invalid JSON the result is meaningless,
 * but it does not throw.
 */
export function isNestedWithin(text: string, depthMax: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      at = findStringEnd(text, at);
      if (at === -1) return true;
      continue;
    }
    // `{` and `[`, `}` and `]` differ in one bit.
    const bracket = code | 0x20;
    if (bracket === 0x7b) {
      depth++;
      if (depth > depthMax) return false;
    } else if (bracket === 0x7d) {
      depth--;
    }
  }
  return true;
}

function findStringEnd(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end;
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(at - 1 - backslashes) === backslash) backslashes++;
  return backslashes % 2 === 1;
}
