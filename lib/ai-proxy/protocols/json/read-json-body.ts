import { ProxyError } from '../../proxy-error.ts';
import { isJsonObject, type JsonObject } from './json-value.ts';
import { isNestedWithin } from './nesting.ts';

/** Nesting depth of objects and arrays. JSON schemas of real tools stay under 20. */
export const jsonDepthMax = 64;

const decoder = new TextDecoder('utf-8', { fatal: true });

const surrogateEscape = /\\u[dD][89a-fA-F]/;

/**
 * Reads the body of a request as a JSON object. Only the parsed value is forwarded, never the
 * client's bytes, so that ambiguities are resolved here: of a repeated key the last value counts; a
 * lone surrogate (`"\ud800"`) becomes U+FFFD, since many programs cannot encode it; `\u0000` is an
 * ordinary character. Text that is not UTF-8 is rejected. @throws ProxyError 400, `invalid_json` if
 * it is not JSON.
 */
export function readJsonBody(body: Uint8Array): JsonObject {
  if (body.length === 0) {
    throw invalidJson('The body is empty: send a JSON object.');
  }
  const text = decode(body);
  if (!isNestedWithin(text, jsonDepthMax)) {
    throw new ProxyError(400, {
      type: 'invalid_request_error',
      message: `The body is nested deeper than ${jsonDepthMax} levels: flatten it.`,
    });
  }
  const parsed = parse(text);
  const value = surrogateEscape.test(text) ? toWellFormed(parsed) : parsed;
  if (!isJsonObject(value)) {
    throw invalidJson('The body must be a JSON object, such as {"model": "…"}.');
  }
  return value;
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

function invalidJson(message: string): ProxyError {
  return new ProxyError(400, { type: 'invalid_request_error', code: 'invalid_json', message });
}
