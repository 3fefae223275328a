import { isJsonObject, type JsonObject } from '#lib/http/json-value.ts';
import { estimateMediaTokens, readMedia } from './estimate-media.ts';

/** The average of English text. Other scripts have more tokens and also more bytes per character. */
const bytesPerToken = 4;

/** Estimates the tokens of a text: for budgets, and for streams that ended before their usage. */
export function estimateTextTokens(utf8Bytes: number): number {
  return Math.ceil(utf8Bytes / bytesPerToken);
}

/** Fields that may contain images and files. Anywhere else they count as text. */
const contentFields = new Set(['messages', 'input', 'content', 'output', 'system', 'instructions']);
/** Fields that are not part of a prompt. */
const otherFields = new Set(['model', 'models', 'stream_options']);
/** Names and values of schemas and arguments reach the model, too. */
const schemaFields = new Set(['tools', 'functions', 'parameters', 'input_schema', 'arguments']);

/**
 * Estimates the tokens of a request: every text of it, whatever its place or type, and images and files by
 * their size.
 */
export function estimateRequestTokens(body: JsonObject): number {
  const fields = Object.entries(body).filter(
    ([name, value]) => !otherFields.has(name) && typeof value !== 'number',
  );
  return estimate(fields.map(([name, value]) => [value, contentFields.has(name)]));
}

/** Estimates the tokens of content, such as the output of a reply. */
export function estimateContentTokens(...values: readonly unknown[]): number {
  return estimate(values.map((value) => [value, true]));
}

function estimate(values: readonly (readonly [value: unknown, isContent: boolean])[]): number {
  let bytes = 0;
  let tokens = 0;

  function visit(value: unknown, isContent: boolean): void {
    if (typeof value === 'string') bytes += Buffer.byteLength(value);
    else if (typeof value === 'number' && !isContent) tokens += 1;
    else if (Array.isArray(value)) for (const one of value) visit(one, isContent);
    else if (isJsonObject(value)) visitFields(value, isContent);
  }

  function visitFields(fields: JsonObject, isContent: boolean): void {
    const media = isContent ? readMedia(fields) : null;
    if (media !== null) tokens += estimateMediaTokens(media);
    // Pairs of names and values take twice as long.
    for (const name of Object.keys(fields)) {
      if (name === media?.field) continue;
      if (!isContent) bytes += name.length;
      visit(fields[name], !schemaFields.has(name) && (isContent || contentFields.has(name)));
    }
  }

  for (const [value, isContent] of values) visit(value, isContent);
  return estimateTextTokens(bytes) + tokens;
}

export type MediaCount = Readonly<{
  /** Some models charge for them one by one. */
  images: number;
  /** How many tokens a file has, only the upstream finds out: it may be a URL, or a compressed document. */
  files: number;
}>;

export const noMedia: MediaCount = { images: 0, files: 0 };

/** Images and files in the content of a request. */
export function countMedia(body: JsonObject): MediaCount {
  const count = { images: 0, files: 0 };

  function visit(value: unknown, isContent: boolean): void {
    if (Array.isArray(value)) for (const one of value) visit(one, isContent);
    if (!isJsonObject(value)) return;
    const media = isContent ? readMedia(value) : null;
    if (media !== null) count[media.kind === 'image' ? 'images' : 'files'] += 1;
    for (const name of Object.keys(value)) {
      visit(value[name], !schemaFields.has(name) && (isContent || contentFields.has(name)));
    }
  }

  visit(body, false);
  return count;
}
