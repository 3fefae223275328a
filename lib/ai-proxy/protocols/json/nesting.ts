const quote = 0x22;
const backslash = 0x5c;

/**
 * Whether JSON text has at most so many objects and arrays one in the other. It is looked at before it is
 * parsed: a few megabytes of brackets alone would take hundreds of megabytes as values.
 * Of text that is not JSON the answer means nothing, but is given all the same.
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
