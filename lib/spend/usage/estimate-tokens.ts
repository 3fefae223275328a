import type { JsonObject } from '#lib/http/json-value.ts';
import { isJsonObject } from '#lib/http/json-value.ts';

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
/** Tools are no content. */
const toolFields = new Set(['tools', 'functions']);
/** Schemas and arguments reach the model as JSON: each name, number and bracket of them. */
const jsonFields = new Set(['parameters', 'input_schema', 'schema', 'arguments', 'input', 'env']);
/** Of names of the protocols themselves, which models do not read. */
const nameLengthMax = 32;

/** What of a request does not cost what its text does. */
export type MediaCount = Readonly<{
  /** Some models charge for them one by one. */
  images: number;
  /** How many tokens a file has, only the upstream finds out: it may be a URL, or a compressed document. */
  files: number;
  /** An estimate for those of them that are sound, which has a price of its own. */
  audioTokens: number;
  /** For how long the upstream writes the prompt into its cache (`cache_control`), which may cost more. */
  cached: 'not' | 'minutes' | 'hour';
}>;

export const noMedia: MediaCount = { images: 0, files: 0, audioTokens: 0, cached: 'not' };

type RequestEstimate = Readonly<{ tokens: number; media: MediaCount }>;

/**
 * Estimates the tokens of a request: every text of it, whatever its place or type, and images and files by
 * their size. Counts the images and files in its content.
 */
export function estimateRequest(body: JsonObject): RequestEstimate {
  const values = Object.entries(body).flatMap(([name, value]) => {
    const isOther = otherFields.has(name) || typeof value === 'number';
    return isOther ? [] : [[value, contentFields.has(name)] as const];
  });
  const { tokens, media } = estimate(values);
  return { tokens, media: { ...media, cached: toLonger(media.cached, body.cache_control) } };
}

/** Estimates the tokens of content, such as the output of a reply. */
export function estimateContentTokens(value: unknown): number {
  return estimate([[value, true]]).tokens;
}

function estimate(values: readonly (readonly [value: unknown, isContent: boolean])[]) {
  let bytes = 0;
  let tokens = 0;
  const media: { -readonly [name in keyof MediaCount]: MediaCount[name] } = { ...noMedia };

  function visit(value: unknown, isContent: boolean): void {
    if (typeof value === 'string') bytes += Buffer.byteLength(value);
    else if (typeof value === 'number' && !isContent) tokens += 1;
    else if (Array.isArray(value)) for (const inner of value) visit(inner, isContent);
    else if (isJsonObject(value)) visitFields(value, isContent);
  }

  function visitFields(fields: JsonObject, isContent: boolean): void {
    const found = isContent ? readMedia(fields) : null;
    if (found !== null) {
      const foundTokens = estimateMediaTokens(found);
      tokens += foundTokens;
      media[found.kind === 'image' ? 'images' : 'files'] += 1;
      if (found.isAudio) media.audioTokens += foundTokens;
    }
    // Pairs of names and values take twice as long.
    for (const name of Object.keys(fields)) {
      if (name === found?.field) continue;
      if (name === 'cache_control') media.cached = toLonger(media.cached, fields[name]);
      if (!isContent || name.length > nameLengthMax) bytes += name.length;
      const inner = fields[name];
      if (jsonFields.has(name) && isJsonObject(inner)) {
        bytes += Buffer.byteLength(JSON.stringify(inner));
      } else {
        visit(inner, !toolFields.has(name) && (isContent || contentFields.has(name)));
      }
    }
  }

  for (const [value, isContent] of values) visit(value, isContent);
  return { tokens: estimateTextTokens(bytes) + tokens, media };
}

function toLonger(cached: MediaCount['cached'], mark: unknown): MediaCount['cached'] {
  if (!isJsonObject(mark)) return cached;
  return mark.ttl === '1h' || cached === 'hour' ? 'hour' : 'minutes';
}

/** An image or file in a request: a data URL, base64, or a URL that only the upstream will read. */
type Media = Readonly<{
  kind: 'image' | 'file';
  source: string;
  /** The field that has it. */
  field: string;
  isLowDetail: boolean;
  isAudio: boolean;
}>;

/** The most tokens that any vendor counts for an image; larger images are scaled down. */
const imageTokensMax = 1600;
const imageTokensMin = 85;
/** Vendors count about one token per this many pixels. */
const pixelsPerToken = 750;
/** A page of a document, as text and as an image. */
const pageTokens = 3000;
/** Documents without readable pages, sound and video. */
const bytesPerFileToken = 20;
const fileTokensMin = 1000;
/** A file of unknown size. */
const remoteTokens = 10_000;

/** The fields in which the protocols carry images and files. */
const mediaFields = ['image_url', 'video_url', 'file_data', 'file_url', 'url', 'data'] as const;

/** The image or file among the fields of an object of a conversation. */
function readMedia(fields: JsonObject): Media | null {
  // A plain text document of Messages has its text in `data`.
  if (fields.type === 'text') return null;
  for (const field of mediaFields) {
    const source = fields[field];
    if (typeof source !== 'string' || !isSource(source)) continue;
    const kind = isImage(field, source, fields) ? 'image' : 'file';
    return {
      kind,
      source,
      field,
      isLowDetail: fields.detail === 'low',
      isAudio: isAudio(field, source, fields),
    };
  }
  return null;
}

function isImage(field: string, source: string, { media_type, type }: JsonObject): boolean {
  if (/^data:/i.test(source)) return /^data:image\//i.test(source);
  if (field === 'data') return String(media_type).startsWith('image/');
  return field === 'image_url' || (field === 'url' && type !== 'document');
}

/** `input_audio` has base64 and its format. */
function isAudio(field: string, source: string, { format, media_type }: JsonObject): boolean {
  if (/^data:/i.test(source)) return /^data:audio\//i.test(source);
  return field === 'data' && (typeof format === 'string' || /^audio\//i.test(String(media_type)));
}

/** How much of either end of base64 is looked at: what lies between could be words without spaces as well. */
const seenLength = 10_000;

/** A URL, or base64; anything else is text, wherever it stands. */
function isSource(text: string): boolean {
  if (/^https?:\/\/\S+$/i.test(text.slice(0, 2100))) return text.length <= 2000;
  const isLong = text.length > 2 * seenLength;
  const seen = isLong ? text.slice(0, seenLength) + text.slice(-seenLength) : text;
  return /^(?:data:[^,\s]{0,200},)?[a-z0-9+/_=\r\n-]+$/i.test(seen);
}

/** Estimates the tokens of an image or file by its size. */
function estimateMediaTokens({ kind, source, isLowDetail }: Media): number {
  const isRemote = /^https?:/i.test(source);
  if (kind === 'image') {
    if (isLowDetail) return imageTokensMin;
    return isRemote ? imageTokensMax : estimateImage(withoutPrefix(source));
  }
  if (isRemote) return remoteTokens;
  const base64 = withoutPrefix(source);
  const bytes = Math.ceil((base64.length * 3) / 4);
  if (/^data:(?:text\/|application\/(?:json|xml))/i.test(source)) return Math.ceil(bytes / 4);
  return Math.max(
    fileTokensMin,
    countPages(base64) * pageTokens,
    Math.ceil(bytes / bytesPerFileToken),
  );
}

function withoutPrefix(source: string): string {
  return source.startsWith('data:') ? source.slice(source.indexOf(',') + 1) : source;
}

function estimateImage(base64: string): number {
  const size = readImageSize(Buffer.from(base64.slice(0, 64), 'base64'));
  if (size === null) return imageTokensMax;
  const tokens = Math.ceil((size.width * size.height) / pixelsPerToken);
  return Math.min(Math.max(tokens, imageTokensMin), imageTokensMax);
}

/** Of PNG and GIF, whose sizes stand at a fixed place; other images count as large. */
function readImageSize(head: Buffer): Readonly<{ width: number; height: number }> | null {
  if (head.length >= 24 && head.toString('latin1', 1, 4) === 'PNG') {
    return { width: head.readUInt32BE(16), height: head.readUInt32BE(20) };
  }
  if (head.length >= 10 && head.toString('latin1', 0, 3) === 'GIF') {
    return { width: head.readUInt16LE(6), height: head.readUInt16LE(8) };
  }
  return null;
}

/** Pages of a PDF whose objects are not compressed; else 0. */
function countPages(base64: string): number {
  if (!base64.startsWith('JVBER')) return 0;
  const text = Buffer.from(base64, 'base64').toString('latin1');
  return text.match(/\/Type\s*\/Page\b/g)?.length ?? 0;
}
