/** From the first byte of a value to behind its last one, blanks included. */
export type Span = readonly [start: number, end: number];

/** A list in a body of JSON: where what is between its brackets starts and ends, and each of its values. */
export type SplitList = Readonly<{ start: number; end: number; values: readonly Span[] }>;

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const backslash = 0x5c;
const [openBracket, closeBracket] = [0x5b, 0x5d];
const [openBrace, closeBrace] = [0x7b, 0x7d];
const blanks: readonly unknown[] = [0x20, 0x09, 0x0a, 0x0d];

/**
 * Finds the values of the list under a key of the outermost object, by quotes and brackets alone: whether
 * what is between them is JSON (RFC 8259), its parser has to say.
 * @param countMax the longest list that is split: each value costs more here than its bytes did.
 * @returns null where there is no such list, or a longer one.
 */
export function splitList(body: Buffer, key: string, countMax: number): SplitList | null {
  const wanted = Buffer.from(JSON.stringify(key));
  let at = skipBlanks(body, 0);
  if (body[at] !== openBrace) return null;
  do {
    const keyAt = skipBlanks(body, at + 1);
    if (body[keyAt] !== quote) return null;
    const keyEnd = skipString(body, keyAt);
    const colonAt = skipBlanks(body, keyEnd);
    if (body[colonAt] !== colon) return null;
    const valueAt = skipBlanks(body, colonAt + 1);
    if (body[valueAt] === openBracket && wanted.equals(body.subarray(keyAt, keyEnd))) {
      return splitValues(body, valueAt + 1, countMax);
    }
    at = skipValue(body, valueAt);
  } while (body[at] === comma);
  return null;
}

function splitValues(body: Buffer, start: number, countMax: number): SplitList | null {
  const values: Span[] = [];
  for (let at = start; ; ) {
    const end = skipValue(body, at);
    const isLast = body[end] !== comma;
    // Nothing between the brackets is no value; nothing beside a comma is a broken one.
    if (!isLast || values.length > 0 || skipBlanks(body, at) < end) values.push([at, end]);
    if (values.length > countMax) return null;
    if (isLast) return { start, end, values };
    at = end + 1;
  }
}

// To the comma or the bracket behind it, or to the end of a body that is cut off.
function skipValue(body: Buffer, start: number): number {
  let depth = 0;
  for (let at = start; at < body.length; at++) {
    switch (body[at]) {
      case quote:
        at = skipString(body, at) - 1;
        break;
      case openBracket:
      case openBrace:
        depth++;
        break;
      case closeBracket:
      case closeBrace:
        if (depth === 0) return at;
        depth--;
        break;
      case comma:
        if (depth === 0) return at;
        break;
    }
  }
  return body.length;
}

function skipString(body: Buffer, start: number): number {
  for (let at = start + 1; at < body.length; at++) {
    if (body[at] === quote) return at + 1;
    if (body[at] === backslash) at++;
  }
  return body.length;
}

function skipBlanks(body: Buffer, start: number): number {
  let at = start;
  while (blanks.includes(body[at])) at++;
  return at;
}
