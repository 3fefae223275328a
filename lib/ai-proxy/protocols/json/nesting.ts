const quote = 0x22;
const backslash = 0x5c;

export type JsonSize = Readonly<{ depth: number; values: number }>;

/**
 * Measures JSON text before it is parsed, since a few megabytes of brackets would take hundreds of megabytes as values:
 * its nesting depth, and how many objects, arrays and texts it has, field names included. Stops at either bound. For
 * invalid JSON the result is meaningless, but it does not throw.
 */
export function measureJson(text: string, max: JsonSize): JsonSize {
  let depth = 0;
  let deepest = 0;
  let values = 0;
  for (let at = 0; at < text.length && values <= max.values && deepest <= max.depth; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      values++;
      at = findStringEnd(text, at);
      if (at === -1) break;
      continue;
    }
    // `{` and `[`, `}` and `]` differ in one bit.
    const bracket = code | 0x20;
    if (bracket === 0x7b) {
      values++;
      depth++;
      if (depth > deepest) deepest = depth;
    } else if (bracket === 0x7d) {
      depth--;
    }
  }
  return { depth: deepest, values };
}

/** Whether JSON text has at most this nesting depth. */
export function isNestedWithin(text: string, depthMax: number): boolean {
  return measureJson(text, { depth: depthMax, values: Number.POSITIVE_INFINITY }).depth <= depthMax;
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
