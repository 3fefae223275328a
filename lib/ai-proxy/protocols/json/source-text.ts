import type { JsonObject } from '#lib/http/json-value.ts';
import { JsonTokens, jsonValuesMax, measureJson } from './measure-json.ts';

/**
 * JavaScript has no numbers above 2^53, writes `1.0` as `1`, and puts names that are numbers first. Parsed objects and
 * arrays that it would write otherwise remember how they were written.
 */
type Source = Readonly<{
  /** The text of numbers, by name or index. */
  numbers: Map<string | number, string>;
  /** The names in their order, if JavaScript has another one. */
  names: readonly string[];
}>;

const noSource: Source = { numbers: new Map(), names: [] };

/** Enumerable, so that a copy by `...` has it, too. */
const sourceKey = Symbol('source');

/** Bounds of a reply are whole numbers, which few servers take with a decimal point. */
const boundName = /^max_\w*tokens$/;

/** Whether `JSON.stringify` has met a value with a source, or one that has such a value in it. */
let hasMetSource = false;

const withSource: PropertyDescriptor = {
  value(this: unknown) {
    hasMetSource = true;
    return this;
  },
};

/** Remembers how a value that has just been parsed was written, where that is needed. */
export function keepSource(value: object, text: string): void {
  const { values, isInexact } = measureJson(text, { values: jsonValuesMax });
  if (isInexact && values <= jsonValuesMax) readAlong(new JsonTokens(text), value);
}

/** The same for the body of a request that was measured as inexact. */
export function keepRequestSource(body: JsonObject, text: string): void {
  readAlong(new JsonTokens(text), body);
  const { numbers } = readSource(body) ?? noSource;
  for (const name of numbers.keys()) if (boundName.test(String(name))) numbers.delete(name);
}

/** JSON of a value, with numbers and the order of names as they were written. */
export function writeJson(value: object): string {
  hasMetSource = false;
  const text = JSON.stringify(value);
  return hasMetSource || isCopyWithSource(value) ? (write(value) ?? 'null') : text;
}

/** An object that was made of the fields of another one, with the text of its numbers. */
export function keepNumbers(from: object, to: JsonObject): JsonObject {
  const source = readSource(from);
  return source === undefined ? to : { ...to, [sourceKey]: source };
}

function readSource(value: object): Source | undefined {
  return sourceKey in value ? (value[sourceKey] as Source) : undefined;
}

/** Of copies, only the object itself and those in its fields are looked at: deeper ones have hardly any numbers. */
function isCopyWithSource(value: object): boolean {
  if (sourceKey in value) return true;
  const hasSource = (inner: unknown) =>
    typeof inner === 'object' && inner !== null && sourceKey in inner;
  return Object.values(value).some(hasSource);
}

function write(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const { numbers, names } = readSource(value) ?? noSource;
  const writeInner = (name: string | number, inner: unknown) => {
    const text = numbers.get(name);
    return text !== undefined && Number(text) === inner ? text : write(inner);
  };
  if (Array.isArray(value)) {
    return `[${value.map((item, index) => writeInner(index, item) ?? 'null').join(',')}]`;
  }
  const fields: string[] = [];
  for (const name of inOrder(value, names)) {
    const written = writeInner(name, Reflect.get(value, name));
    if (written !== undefined) fields.push(`${JSON.stringify(name)}:${written}`);
  }
  return `{${fields.join(',')}}`;
}

function inOrder(value: object, names: readonly string[]): Iterable<string> {
  if (names.length === 0) return Object.keys(value);
  return new Set([...names.filter((name) => Object.hasOwn(value, name)), ...Object.keys(value)]);
}

/**
 * Reads valid JSON text along with its value, an object or an array. A reviver with the source of numbers takes five times
 * as long, and does not see the order of names.
 */
function readAlong(tokens: JsonTokens, value: unknown, bracket = tokens.next()): void {
  const numbers = new Map<string | number, string>();
  const names: string[] = [];
  let hasIndex = false;
  let index = 0;
  for (let first = tokens.next(); first !== '}' && first !== ']'; first = tokens.next()) {
    let name: string | number = index++;
    if (bracket === '{') {
      hasIndex ||= tokens.mayBeIndex();
      name = tokens.readString();
      names.push(name);
      first = tokens.next();
    }
    const inner = readField(value, name);
    // Of a repeated name the last value counts.
    numbers.delete(name);
    if (first === '{' || first === '[') readAlong(tokens, inner, first);
    else if (typeof inner === 'number' && !tokens.isExact()) numbers.set(name, tokens.token);
  }
  const isSorted = !hasIndex || Object.keys(Object(value)).join() === names.join();
  remember(value, { numbers, names: isSorted ? [] : names });
}

/** Where a name is repeated, its value is read along with each of its texts: the last one counts. */
function remember(value: unknown, source: Source): void {
  if (typeof value !== 'object' || value === null) return;
  if (source.numbers.size > 0 || source.names.length > 0) {
    Reflect.set(value, sourceKey, source);
    if (!Object.hasOwn(value, 'toJSON')) Object.defineProperty(value, 'toJSON', withSource);
  } else if (sourceKey in value) {
    Reflect.deleteProperty(value, sourceKey);
  }
}

function readField(value: unknown, name: string | number): unknown {
  if (Array.isArray(value)) return value[Number(name)];
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return Reflect.get(value, name);
}
