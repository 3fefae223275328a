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
    /** The characters of its longest number of those. */
    numberLength: number;
  }>;

/** Field names included: a conversation of a thousand tool calls has a third of it. More take too long in one step. */
export const jsonValuesMax = 60_000;

/**
 * Measures JSON text before it is parsed, since a few megabytes of brackets would take hundreds of megabytes as values.
 * Stops at either bound. For invalid JSON the result is meaningless, but it does not throw.
 * @param readsNumbers if false, numbers, `true`, `false` and `null` are not counted: reading them takes longest
 */
export function measureJson(
  text: string,
  max: Readonly<Partial<JsonSize>>,
  readsNumbers = true,
): JsonMeasure {
  const { values: valuesMax = Infinity, depth: depthMax = Infinity } = max;
  const tokens = new JsonTokens(text, readsNumbers);
  let isInexact = false;
  let numberLength = 0;
  let depth = 0;
  let deepest = 0;
  let values = 0;
  while (values <= valuesMax && deepest <= depthMax) {
    const first = tokens.next();
    if (first === '') break;
    if (first === '}' || first === ']') {
      depth--;
      continue;
    }
    values++;
    if (first === '{' || first === '[') {
      depth++;
      if (depth > deepest) deepest = depth;
    } else if (first === '"') {
      isInexact ||= tokens.mayBeIndex();
    } else if (!tokens.isExact()) {
      isInexact = true;
      if (tokens.length > numberLength) numberLength = tokens.length;
    }
  }
  return { depth: deepest, values, isInexact, numberLength };
}

/** Whether JSON text has at most this nesting depth. */
export function isNestedWithin(text: string, depthMax: number): boolean {
  return measureJson(text, { depth: depthMax }, false).depth <= depthMax;
}

const backslash = 0x5c;
/** Shared: each search sets where it begins. */
const bracketOrQuote = /["{}[\]]/g;
const tokenStart = /["{}[\]\w.+-]/g;
/** What JavaScript writes as it is: names of values, and integers that are short enough. */
const plainScalar = /(?:true|false|null|\d{1,15})(?![^\s,\]}])/y;
/** Of a number, or of `true`, `false` and `null`: up to white space, a comma, or a bracket. */
const scalarRest = /[^\s,\]}]*/y;

/** Reads JSON text token by token: brackets, strings and, unless they are left out, other values. */
export class JsonTokens {
  readonly #text: string;
  readonly #pattern: RegExp;
  #start = 0;
  #end = 0;

  constructor(text: string, readsNumbers = true) {
    this.#text = text;
    this.#pattern = readsNumbers ? tokenStart : bracketOrQuote;
  }

  /** Goes to the next token. @returns its first character; at the end of the text an empty string */
  next(): string {
    this.#pattern.lastIndex = this.#end;
    if (!this.#pattern.test(this.#text)) return '';
    this.#start = this.#pattern.lastIndex - 1;
    const first = this.#text.charAt(this.#start);
    if (first === '"') this.#end = this.#findStringEnd();
    else if ('{}[]'.includes(first)) this.#end = this.#start + 1;
    else this.#end = this.#findScalarEnd();
    return first;
  }

  get length(): number {
    return this.#end - this.#start;
  }

  get token(): string {
    return this.#text.slice(this.#start, this.#end);
  }

  /** The text of a string. */
  readString(): string {
    const { token } = this;
    return token.includes('\\') ? String(JSON.parse(token)) : token.slice(1, -1);
  }

  /** Whether a string may be the name of a field that is a number; it may be written as an escape. */
  mayBeIndex(): boolean {
    const first = this.#text.charAt(this.#start + 1);
    if (first !== '\\' && !(first >= '0' && first <= '9')) return false;
    return /^\s*:/.test(this.#text.slice(this.#end, this.#end + 20));
  }

  /** Whether a number is written again as it was. */
  isExact(): boolean {
    plainScalar.lastIndex = this.#start;
    if (plainScalar.test(this.#text)) return true;
    const { token } = this;
    return String(Number(token)) === token;
  }

  #findScalarEnd(): number {
    scalarRest.lastIndex = this.#start + 1;
    scalarRest.test(this.#text);
    return scalarRest.lastIndex;
  }

  /** Natively, from quote to quote: a picture in it is hardly read. */
  #findStringEnd(): number {
    const text = this.#text;
    let quote = text.indexOf('"', this.#start + 1);
    while (text.charCodeAt(quote - 1) === backslash && isEscaped(text, quote)) {
      quote = text.indexOf('"', quote + 1);
    }
    return quote === -1 ? text.length : quote + 1;
  }
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(at - 1 - backslashes) === backslash) backslashes++;
  return backslashes % 2 === 1;
}
