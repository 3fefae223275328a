import { ProxyError } from '../../proxy-error.ts';
import { isJsonObject, type JsonObject } from './json-value.ts';
import { isNestedWithin } from './nesting.ts';

/** Levels of objects and arrays, one in the other. JSON schemas of real tools stay under 20. */
export const jsonDepthMax = 64;

const decoder = new TextDecoder('utf-8', { fatal: true });

const surrogateEscape = /\\u[dD][89a-fA-F]/;

/**
 * Reads the body of a request as a JSON object.
 *
 * Resolves what is ambiguous in JSON; only the parsed value is forwarded, never the client's
 * bytes: of a repeated key the last value counts; a lone surrogate (`"\ud800"`) becomes U+FFFD, since many
 * programs cannot write it; `\u0000` is a character as any other. Text that is not UTF-8 is rejected.
 * @throws ProxyError 400, `invalid_json` where it is not JSON.
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
  // JSON.stringify escapes a surrogate only where it stands alone. Escapes are matched one after another,
  // so that a backslash that was escaped itself is not taken for the begin of one.
  return JSON.parse(
    text.replace(/\\(ud[89a-f][0-9a-f]{2}|.)/g, (escaped, code: string) =>
      code.length === 1 ? escaped : '\ufffd',
    ),
  );
}

function invalidJson(message: string): ProxyError {
  return new ProxyError(400, { type: 'invalid_request_error', code: 'invalid_json', message });
}
