import { setImmediate as nextTurn } from 'node:timers/promises';
import { HttpError } from '#lib/http/errors/errors.ts';
import { isJsonObject, type JsonObject } from '#lib/http/json-value.ts';
import { isNestedWithin } from './nesting.ts';

/** Nesting depth of objects and arrays. JSON schemas of real tools stay under 20. */
export const jsonDepthMax = 64;

const decoder = new TextDecoder('utf-8', { fatal: true });

const surrogateEscape = /\\u[dD][89a-fA-F]/;

/** Larger bodies are parsed one at a time, in steps between which other requests run. */
const largeBytes = 1024 * 1024;

let lastLarge: Promise<unknown> = Promise.resolve();

/**
 * Reads the body of a request as a JSON object, without blocking other requests: parsing 4 MB takes about 50 ms.
 * @throws HttpError 400, see `parseJsonBody`
 */
export async function readJsonBody(body: Uint8Array): Promise<JsonObject> {
  if (body.length <= largeBytes) return parseJsonBody(body);
  const reading = lastLarge.then(() => readLargeBody(body));
  lastLarge = reading.catch(() => {});
  return reading;
}

async function readLargeBody(body: Uint8Array): Promise<JsonObject> {
  await nextTurn();
  const text = decode(body);
  await nextTurn();
  requireFlat(text);
  await nextTurn();
  const parsed = parse(text);
  await nextTurn();
  return requireObject(surrogateEscape.test(text) ? toWellFormed(parsed) : parsed);
}

/**
 * Parses the body of a request as a JSON object. Only the parsed value is forwarded, never the
 * client's bytes, so that ambiguities are resolved here: of a repeated key the last value counts; a
 * lone surrogate (`"\ud800"`) becomes U+FFFD, since many programs cannot encode it; `\u0000` is an
 * ordinary character. Text that is not UTF-8 is rejected. @throws HttpError 400, `invalid_json` if
 * it is not JSON.
 */
export function parseJsonBody(body: Uint8Array): JsonObject {
  if (body.length === 0) {
    throw invalidJson('The body is empty: send a JSON object.');
  }
  const text = decode(body);
  requireFlat(text);
  const parsed = parse(text);
  return requireObject(surrogateEscape.test(text) ? toWellFormed(parsed) : parsed);
}

function requireFlat(text: string): void {
  if (isNestedWithin(text, jsonDepthMax)) return;
  throw new HttpError(400, {
    message: `The body is nested deeper than ${jsonDepthMax} levels: flatten it.`,
  });
}

function requireObject(value: unknown): JsonObject {
  if (isJsonObject(value)) return value;
  throw invalidJson('The body must be a JSON object, such as {"model": "…"}.');
}

function decode(body: Uint8Array): string {
  try {
    return decoder.decode(body);
  } catch {
    throw invalidJson('The body is not UTF-8 text: encode it as UTF-8, without compression.');
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own message quotes the body.
    throw invalidJson('The body is not valid JSON: check quotes, commas and brackets.');
  }
}

function toWellFormed(value: unknown): unknown {
  const text = JSON.stringify(value);
  if (!text.includes('\\ud')) return value;
  // JSON.stringify escapes a surrogate only if it is unpaired. The expression also consumes other
  // escapes, so that an escaped backslash is not taken for the start of one.
  return JSON.parse(
    text.replace(/\\(ud[89a-f][0-9a-f]{2}|.)/g, (escaped, code: string) =>
      code.length === 1 ? escaped : '\ufffd',
    ),
  );
}

function invalidJson(message: string): HttpError {
  return new HttpError(400, { code: 'invalid_json', message });
}
