import { findStringEnd, isExact, measureJson } from './measure-json.ts';

/**
 * What is not changed on its way is forwarded as its source text: JavaScript has no numbers above 2^53, writes `1.0` as
 * `1`, and puts names that are numbers first. A parsed object that would be written otherwise remembers its text. A
 * changed object is a copy, which remembers none.
 */
const sources = new WeakMap<object, string>();

/** Whether `JSON.stringify` has met an object with a source. */
let hasMetSource = false;

const withSource: PropertyDescriptor = {
  value(this: unknown) {
    hasMetSource = true;
    return this;
  },
};

/** Remembers the text of objects within a value that has just been parsed, where that is needed. */
export function keepSource(value: unknown, text: string): void {
  if (measureJson(text).isInexact) new SourceReader(text).read(value);
}

/** The same for text that was measured as inexact. */
export function keepInexactSource(value: unknown, text: string): void {
  new SourceReader(text).read(value);
}

/** JSON of a value, with source texts in their places. */
export function writeJson(value: object): string {
  hasMetSource = false;
  const text = JSON.stringify(value);
  return hasMetSource ? (write(value) ?? 'null') : text;
}

/** Level by level, so that each value is written once however deep it is. */
function write(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const source = sources.get(value);
  if (source !== undefined) return source;
  if (Array.isArray(value)) return `[${value.map((item) => write(item) ?? 'null').join(',')}]`;
  const fields = Object.entries(value).flatMap(([name, inner]) => {
    const written = write(inner);
    return written === undefined ? [] : [`${JSON.stringify(name)}:${written}`];
  });
  return `{${fields.join(',')}}`;
}

/** `ambiguous`: parsers differ about a repeated name, or half of a surrogate pair, so its text is not forwarded. */
type Kind = 'exact' | 'inexact' | 'ambiguous';

const space = /\s*/y;
const scalar = /[\w.+-]*/y;
const firstSurrogate = /\\u[dD][89a-fA-F]/;

/** Reads valid JSON text along with its value. */
class SourceReader {
  readonly #text: string;
  /** Without the white space between them, which a prompt would not be charged for. */
  readonly #tokens: string[] = [];
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(value: unknown): Kind {
    this.#skipSpace();
    const first = this.#text.charAt(this.#at);
    if (first === '{') return this.#readObject(value);
    if (first === '[') return this.#readArray(value);
    if (first === '"') return toTextKind(this.#readString());
    return this.#readScalar();
  }

  #readObject(value: unknown): Kind {
    const start = this.#tokens.length;
    const order = new NameOrder();
    let kind: Kind = 'exact';
    this.#take();
    while (this.#next() !== '}') {
      if (this.#next() === ',') this.#take();
      const name: unknown = JSON.parse(this.#readString());
      kind = worse(kind, order.add(String(name)));
      this.#next();
      this.#take();
      kind = worse(kind, this.read(readField(value, String(name))));
    }
    this.#take();
    return this.#remember(value, kind, start);
  }

  #readArray(value: unknown): Kind {
    const start = this.#tokens.length;
    let kind: Kind = 'exact';
    this.#take();
    for (let index = 0; this.#next() !== ']'; index++) {
      if (this.#next() === ',') this.#take();
      kind = worse(kind, this.read(readField(value, String(index))));
    }
    this.#take();
    return this.#remember(value, kind, start);
  }

  /** Of a repeated name the last value counts, whose text is read last. */
  #remember(value: unknown, kind: Kind, start: number): Kind {
    if (typeof value !== 'object' || value === null) return kind;
    sources.delete(value);
    if (kind !== 'inexact') return kind;
    sources.set(value, this.#tokens.slice(start).join(''));
    if (!Object.hasOwn(value, 'toJSON')) Object.defineProperty(value, 'toJSON', withSource);
    return kind;
  }

  #readString(): string {
    this.#skipSpace();
    const start = this.#at;
    this.#at = findStringEnd(this.#text, start) + 1;
    return this.#push(start);
  }

  #readScalar(): Kind {
    const start = this.#at;
    this.#skip(scalar);
    const token = this.#push(start);
    return /^[tfn]/.test(token) || isExact(token) ? 'exact' : 'inexact';
  }

  /** The next character that is no white space. */
  #next(): string {
    this.#skipSpace();
    return this.#text.charAt(this.#at);
  }

  #take(): void {
    this.#at++;
    this.#push(this.#at - 1);
  }

  #push(start: number): string {
    const token = this.#text.slice(start, this.#at);
    this.#tokens.push(token);
    return token;
  }

  #skipSpace(): void {
    this.#skip(space);
  }

  /** @param pattern sticky; it may match nothing */
  #skip(pattern: RegExp): void {
    pattern.lastIndex = this.#at;
    pattern.test(this.#text);
    this.#at = pattern.lastIndex;
  }
}

/** Whether an object would have its fields in another order, or has one twice. */
class NameOrder {
  readonly #names = new Set<string>();
  #lastIndex = -1;

  add(name: string): Kind {
    if (this.#names.has(name)) return 'ambiguous';
    const isIndex = /^(?:0|[1-9]\d{0,9})$/.test(name);
    this.#names.add(name);
    if (!isIndex) {
      this.#lastIndex = Number.POSITIVE_INFINITY;
      return 'exact';
    }
    const isInOrder = Number(name) > this.#lastIndex;
    this.#lastIndex = Math.max(this.#lastIndex, Number(name));
    return isInOrder ? 'exact' : 'inexact';
  }
}

function readField(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return Reflect.get(value, name);
}

function toTextKind(token: string): Kind {
  if (!firstSurrogate.test(token)) return 'exact';
  return String(JSON.parse(token)).isWellFormed() ? 'exact' : 'ambiguous';
}

function worse(first: Kind, second: Kind): Kind {
  if (first === 'ambiguous' || second === 'ambiguous') return 'ambiguous';
  return first === 'inexact' || second === 'inexact' ? 'inexact' : 'exact';
}
