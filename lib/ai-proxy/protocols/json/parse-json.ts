import type { HeldBody } from '#lib/http/body-memory.ts';
import { findDecompressor } from '#lib/http/decompress-body.ts';
import { createApiError, HttpError } from '#lib/http/errors/errors.ts';
import { isJsonObject, type JsonObject, parseJsonObject } from '#lib/http/json-value.ts';
import { readBody } from '#lib/http/read-body.ts';
import { waitForLongTurn } from '#lib/http/time-slices.ts';
import { isNestedWithin, jsonValuesMax, measureJson } from './measure-json.ts';
import { keepRequestSource, keepSource } from './source-text.ts';

/** Nesting depth of objects and arrays. JSON schemas of real tools stay under 20. */
export const jsonDepthMax = 64;

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Numbers go on as they were written, and each counts as if it were short. Those of 128 bits are. */
const numberLengthMax = 40;

/** No protocol has more than a hundred. Objects with many fields are slow to copy, and these are copied most. */
const topFieldsMax = 1_000;

/**
 * Larger bodies of one owner of keys are parsed one at a time, in steps between which other requests run. So are compressed
 * ones, which are decompressed only then: a thousand of them, each of a few hundred bytes, would take gigabytes at once.
 */
const largeBytes = 32 * 1024;

const lastLarge = new Map<string, Promise<unknown>>();

type JsonBodyOptions = Readonly<{
  bytesMax: number;
  owner: string;
  /** Where its memory is counted. */
  held: Pick<HeldBody, 'hold' | 'grow'>;
  /** Its numbers are tokens: they do not count, and mean the same however they are written. */
  hasTokens?: boolean;
}>;

/**
 * Reads the body of a request as a JSON object, without delaying other requests: parsing 4 MB takes about 50 ms.
 * @throws HttpError 400, see `parseJsonBody`; 413, 415
 */
export async function readJsonBody(
  request: Request,
  { bytesMax, owner, held, hasTokens = false }: JsonBodyOptions,
): Promise<JsonObject> {
  const decompress = findDecompressor(request);
  // A body that waits is not read meanwhile; one that is too long gets its 413.
  const declared = Number(request.headers.get('content-length') ?? 0);
  if (declared <= bytesMax) await held.hold(declared);
  const body = await readBody(request, bytesMax, undefined, (length) => held.grow(length));
  if (decompress === null && body.length <= largeBytes) return parseJsonBody(body, hasTokens);
  const read = async () => {
    if (decompress === null) return body;
    await held.hold(bytesMax);
    const bytes = await decompress(body, bytesMax);
    await held.hold(bytes.length);
    return bytes;
  };
  return parseInTurn(read, { owner, hasTokens, client: request.signal });
}

type ReadBytes = () => Uint8Array | Promise<Uint8Array>;

type LargeBodyOptions = Omit<JsonBodyOptions, 'bytesMax' | 'held'> &
  Readonly<{ client: Pick<AbortSignal, 'aborted'> }>;

/** Reads and parses one large body of each owner at a time, and none whose client has left meanwhile. */
export async function parseInTurn(read: ReadBytes, options: LargeBodyOptions): Promise<JsonObject> {
  const { owner } = options;
  const before = lastLarge.get(owner) ?? Promise.resolve();
  const parsing = before.then(() => parseInSteps(read, options));
  const ended = parsing.catch(() => {});
  lastLarge.set(owner, ended);
  try {
    return await parsing;
  } finally {
    if (lastLarge.get(owner) === ended) lastLarge.delete(owner);
  }
}

async function parseInSteps(
  read: ReadBytes,
  { client, hasTokens }: LargeBodyOptions,
): Promise<JsonObject> {
  await waitForLongTurn();
  if (client.aborted) throw createApiError('bad_request', { message: 'The client has left.' });
  const text = decode(await read());
  await waitForLongTurn();
  const isInexact = requireSmall(text, hasTokens);
  await waitForLongTurn();
  const parsed = parse(text);
  await waitForLongTurn();
  const value = requireObject(mayEscapeSurrogates(text) ? toWellFormed(parsed) : parsed);
  if (!isInexact) return value;
  await waitForLongTurn();
  keepRequestSource(value, text);
  return value;
}

/**
 * Parses the body of a request as a JSON object. Only the parsed value is forwarded, with its numbers
 * as they were written (`source-text.ts`): of a repeated key the last value counts; a
 * lone surrogate (`"\ud800"`) in a text becomes U+FFFD, since many programs cannot encode it; `\u0000` is an
 * ordinary character. Text that is not UTF-8 is rejected. @throws HttpError 400, `invalid_json` if
 * it is not JSON.
 */
export function parseJsonBody(body: Uint8Array, hasTokens = false): JsonObject {
  if (body.length === 0) {
    throw invalidJson('The body is empty: send a JSON object.');
  }
  const text = decode(body);
  const isInexact = requireSmall(text, hasTokens);
  const parsed = parse(text);
  const value = requireObject(mayEscapeSurrogates(text) ? toWellFormed(parsed) : parsed);
  if (isInexact) keepRequestSource(value, text);
  return value;
}

/** @returns whether its source text has to be kept */
function requireSmall(text: string, hasTokens = false): boolean {
  const { depth, values, isInexact, numberLength } = measureJson(
    text,
    { depth: jsonDepthMax, values: jsonValuesMax },
    !hasTokens,
  );
  if (depth > jsonDepthMax) {
    throw new HttpError(400, {
      message: `The body is nested deeper than ${jsonDepthMax} levels: flatten it.`,
    });
  }
  if (values > jsonValuesMax) {
    throw new HttpError(400, {
      message: `The body has more than ${jsonValuesMax} values (objects, arrays, texts, numbers): send fewer.`,
    });
  }
  if (numberLength > numberLengthMax) {
    throw new HttpError(400, {
      message: `The body has a number of more than ${numberLengthMax} characters: send it as a text.`,
    });
  }
  return isInexact && !hasTokens;
}

function requireObject(value: unknown): JsonObject {
  if (isJsonObject(value)) {
    if (Object.keys(value).length <= topFieldsMax) return value;
    throw new HttpError(400, { message: `The body has more than ${topFieldsMax} fields.` });
  }
  throw invalidJson('The body must be a JSON object, such as {"model": "…"}.');
}

function decode(body: Uint8Array): string {
  try {
    return decoder.decode(body);
  } catch {
    throw invalidJson(
      'The body is not UTF-8 text: encode it as UTF-8, and name its compression, if any, in `Content-Encoding`.',
    );
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

/** `\ud83d`, lone or not. A regular expression takes six times as long for the base64 of pictures. */
function mayEscapeSurrogates(text: string): boolean {
  return text.includes('\\ud') || text.includes('\\uD');
}

/** Replaces lone surrogates in texts, in place. @throws HttpError 400 for one in a name: its object would be rebuilt */
function toWellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) value[at] = toWellFormed(value[at]);
    return value;
  }
  if (!isJsonObject(value)) return value;
  const fields: Record<string, unknown> = value;
  for (const name of Object.keys(fields)) {
    if (!name.isWellFormed()) {
      throw invalidJson(
        'The name of a field has half of a surrogate pair, such as `\\ud800`: send names as Unicode text.',
      );
    }
    const inner = toWellFormed(fields[name]);
    if (inner !== fields[name]) fields[name] = inner;
  }
  return fields;
}

function invalidJson(message: string): HttpError {
  return new HttpError(400, { code: 'invalid_json', message });
}

/** Deeper JSON can be parsed, but writing it again overflows the stack. */
const depthMax = 1000;
/** Shorter data cannot overflow it. */
const shortDataMax = 4096;

/** An upstream's JSON object; null if it is something else, or too deep to be written again. */
export function parseUpstreamJson(text: string): JsonObject | null {
  if (text.length > shortDataMax && !isNestedWithin(text, depthMax)) return null;
  return parseJsonObject(text);
}

/** The same with the source text of its values. */
export function parseUpstreamSource(text: string): JsonObject | null {
  const parsed = parseUpstreamJson(text);
  if (parsed !== null) keepSource(parsed, text);
  return parsed;
}
