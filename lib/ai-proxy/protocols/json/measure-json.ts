const quote = 0x22;
const plus = 0x2b;
const minus = 0x2d;
const dot = 0x2e;
const zero = 0x30;
const nine = 0x39;
const backslash = 0x5c;

type JsonSize = Readonly<{
  /** Of objects and arrays. */
  depth: number;
  /** Of any kind, field names included. */
  values: number;
}>;

type JsonMeasure = JsonSize &
  Readonly<{
    /** Written again, it may differ: `1.0`, numbers above 2^53, or names that are numbers, which objects have first. */
    isInexact: boolean;
  }>;

const endless: JsonSize = {
  depth: Number.POSITIVE_INFINITY,
  values: Number.POSITIVE_INFINITY,
};

/** Field names included: a conversation of a thousand tool calls has a third of it. More take too long in one step. */
export const jsonValuesMax = 60_000;

/**
 * Measures JSON text before it is parsed, since a few megabytes of brackets would take hundreds of megabytes as values.
 * Stops at either bound. For invalid JSON the result is meaningless, but it does not throw.
 * @param readsNumbers if false, numbers, `true`, `false` and `null` are not counted: reading them takes longest
 */
export function measureJson(
  text: string,
  max: JsonSize = endless,
  readsNumbers = true,
): JsonMeasure {
  let isInexact = false;
  let depth = 0;
  let deepest = 0;
  let values = 0;
  for (let at = 0; at < text.length && values <= max.values && deepest <= max.depth; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      values++;
      const end = findStringEnd(text, at);
      if (end === -1) break;
      isInexact ||= mayBeIndex(text, at, end);
      at = end;
      continue;
    }
    if (readsNumbers && isScalar(code)) {
      values++;
      const end = findScalarEnd(text, at);
      isInexact ||= !isLetter(code) && !isExactNumber(text, at, end);
      at = end - 1;
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
  return { depth: deepest, values, isInexact };
}

/** Whether JSON text has at most this nesting depth. */
export function isNestedWithin(text: string, depthMax: number): boolean {
  return measureJson(text, { ...endless, depth: depthMax }, false).depth <= depthMax;
}

/** Where the string that begins at `start` has its last quote; -1 if it does not end. */
export function findStringEnd(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end;
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(at - 1 - backslashes) === backslash) backslashes++;
  return backslashes % 2 === 1;
}

/** Whether a string may be the name of a field that is a number; it may be written as an escape. */
function mayBeIndex(text: string, start: number, end: number): boolean {
  const first = text.charCodeAt(start + 1);
  if (first !== backslash && !isDigit(first)) return false;
  return /^\s*:/.test(text.slice(end + 1, end + 20));
}

function findScalarEnd(text: string, start: number): number {
  let end = start + 1;
  while (isScalar(text.charCodeAt(end))) end++;
  return end;
}

/** Of a number, or of `true`, `false` and `null`. */
function isScalar(code: number): boolean {
  return isDigit(code) || isLetter(code) || code === minus || code === dot || code === plus;
}

function isLetter(code: number): boolean {
  const small = code | 0x20;
  return small >= 0x61 && small <= 0x7a;
}

export function isDigit(code: number): boolean {
  return code >= zero && code <= nine;
}

/** Integers with fewer digits are what they are. */
const digitsMax = 15;

function isExactNumber(text: string, start: number, end: number): boolean {
  if (end - start > digitsMax) return isExact(text.slice(start, end));
  for (let at = start; at < end; at++) {
    if (!isDigit(text.charCodeAt(at))) return isExact(text.slice(start, end));
  }
  return true;
}

/** Whether a number is written again as it was. */
export function isExact(token: string): boolean {
  return String(Number(token)) === token;
}
