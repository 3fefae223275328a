import { isJsonObject, type JsonObject } from '#lib/http/json-value.ts';
import { findStringEnd, isDigit, isExact, jsonValuesMax, measureJson } from './measure-json.ts';

/**
 * What is not changed on its way is forwarded as its source text: JavaScript has no numbers above 2^53, writes `1.0` as
 * `1`, and puts names that are numbers first. A parsed object that would be written otherwise remembers its text. A
 * changed object is a copy, which remembers only the text of its numbers.
 */
const sources = new WeakMap<object, string>();

/** The text of numbers, by the name of their field. Enumerable, so that a copy by `...` has it, too. */
const numbers = Symbol('numbers');

/** Bounds of a reply are whole numbers, which few servers take with a decimal point. */
const boundName = /^max_\w*tokens$/;

/** Whether `JSON.stringify` has met an object with a source. */
let hasMetSource = false;

const withSource: PropertyDescriptor = {
  value(this: unknown) {
    hasMetSource = true;
    return this;
  },
};

/** Longer texts are not read for it: a megabyte takes 0.1 s. */
const lengthMax = 1024 * 1024;
const measured = { depth: Number.POSITIVE_INFINITY, values: jsonValuesMax };

/** Remembers the text of objects within a value that has just been parsed, where that is needed. */
export function keepSource(value: unknown, text: string): void {
  if (text.length > lengthMax) return;
  const { values, isInexact } = measureJson(text, measured);
  if (isInexact && values <= jsonValuesMax) new SourceReader(text).read(value);
}

/** The same for text that was measured as inexact. */
export function keepInexactSource(value: unknown, text: string): void {
  new SourceReader(text).read(value);
}

/** JSON of a value, with source texts in their places. */
export function writeJson(value: object): string {
  hasMetSource = false;
  const text = JSON.stringify(value);
  return hasMetSource || hasNumbers(value as JsonObject) ? (write(value) ?? 'null') : text;
}

/** An object that was made of the fields of another one, with the text of its numbers. */
export function keepNumbers(from: object, to: JsonObject): JsonObject {
  const kept = readNumbers(from);
  return kept === undefined ? to : { ...to, [numbers]: kept };
}

/** Where a name is repeated, its value is read along with each of its texts: the last one counts. */
function rememberNumbers(value: unknown, inexact: ReadonlyMap<string, string> | null): void {
  if (!isJsonObject(value)) return;
  if (inexact !== null && inexact.size > 0) Object.assign(value, { [numbers]: inexact });
  else if (numbers in value) Reflect.deleteProperty(value, numbers);
}

function readNumbers(value: object): ReadonlyMap<string, string> | undefined {
  return numbers in value && value[numbers] instanceof Map ? value[numbers] : undefined;
}

/** Of copies, only the object itself and those in its fields are looked at: deeper ones have hardly any numbers. */
function hasNumbers(value: Readonly<Record<string, unknown>>): boolean {
  if (numbers in value) return true;
  for (const name in value) {
    const inner = value[name];
    if (typeof inner === 'object' && inner !== null && numbers in inner) return true;
  }
  return false;
}

/** Level by level, so that each value is written once however deep it is. */
function write(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const source = sources.get(value);
  if (source !== undefined) return source;
  if (Array.isArray(value)) return `[${value.map((item) => write(item) ?? 'null').join(',')}]`;
  const texts = readNumbers(value);
  const fields = Object.entries(value).flatMap(([name, inner]) => {
    const text = texts?.get(name);
    const written = text !== undefined && Number(text) === inner ? text : write(inner);
    return written === undefined ? [] : [`${JSON.stringify(name)}:${written}`];
  });
  return `{${fields.join(',')}}`;
}

/** `ambiguous`: parsers differ about a repeated name, or half of a surrogate pair, so its text is not forwarded. */
type Kind = 'exact' | 'inexact' | 'ambiguous';

const literals: ReadonlySet<string> = new Set(['true', 'false', 'null']);
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
    let inexact: Map<string, string> | null = null;
    let kind: Kind = 'exact';
    this.#take();
    while (this.#next() !== '}') {
      if (this.#next() === ',') this.#take();
      const name = toName(this.#readString());
      kind = worse(kind, order.add(name));
      this.#next();
      this.#take();
      const field = readField(value, name);
      const ofField = this.read(field);
      kind = worse(kind, ofField);
      // Of a repeated name the last value counts.
      inexact?.delete(name);
      const isNumber = ofField === 'inexact' && typeof field === 'number';
      if (isNumber && !boundName.test(name)) {
        inexact ??= new Map();
        inexact.set(name, this.#tokens.at(-1) ?? '');
      }
    }
    this.#take();
    rememberNumbers(value, inexact);
    return this.#remember(value, kind, start);
  }

  #readArray(value: unknown): Kind {
    const start = this.#tokens.length;
    let kind: Kind = 'exact';
    this.#take();
    for (let index = 0; this.#next() !== ']'; index++) {
      if (this.#next() === ',') this.#take();
      kind = worse(kind, this.read(Array.isArray(value) ? value[index] : undefined));
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
    return literals.has(token) || isExact(token) ? 'exact' : 'inexact';
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
    // Most often there is none: a pattern each time would take a third longer.
    if (this.#text.charCodeAt(this.#at) <= 0x20) this.#skip(space);
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
  #names: Set<string> | null = null;
  #lastIndex = -1;

  add(name: string): Kind {
    this.#names ??= new Set();
    if (this.#names.has(name)) return 'ambiguous';
    const isIndex = isDigit(name.charCodeAt(0)) && /^(?:0|[1-9]\d{0,9})$/.test(name);
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

function toName(token: string): string {
  return token.includes('\\') ? String(JSON.parse(token)) : token.slice(1, -1);
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
