import { hash } from 'node:crypto';
import { isNotModified } from './conditional.ts';
import {
  type Compression,
  chooseEncoding,
  compress,
  compressedBytesMin,
} from './content-encoding.ts';
import { type Freshness, prepareResponse } from './prepared-response.ts';

type Bytes = Uint8Array<ArrayBuffer>;
type Encoded = Readonly<{
  body: Bytes;
  etag: string;
  headers: readonly string[];
  /** Those that a 304 repeats. */
  validatorHeaders: readonly string[];
  /** Whether these bytes stay; else smaller ones of the same content are being made. */
  isFinal: boolean;
}>;
type Encoding = 'identity' | 'br' | 'gzip';

/** One form of one thing, made once and sent many times: its bytes, plain and compressed, and their ETags. */
export type Representation = Readonly<{
  sizeBytes: number;
  lastModifiedMs: number;
  encoded: (encoding: Encoding) => Encoded | Promise<Encoded>;
  compressible: boolean;
}>;

export type RepresentationOptions = Readonly<{
  contentType: string;
  body: string | Uint8Array;
  /** Unix time in ms of the last change to what is shown. */
  lastModifiedMs: number;
  /** Further headers, names and values in turn. */
  headers?: readonly string[];
  /**
   * How much effort compressing it is worth: the usual, where nothing is said. The best takes its time, so
   * those who ask before it is done get the usual.
   */
  compression?: Compression;
  /** Request headers beside Accept-Encoding that this form was chosen by. */
  vary?: string;
}>;

/** Takes the ETag from the content (RFC 9110 §8.8.3): equal bytes have equal tags, in every instance. */
export function createRepresentation(options: RepresentationOptions): Representation {
  const { contentType, body, lastModifiedMs, headers = [], compression = 'usual' } = options;
  const identity: Bytes = typeof body === 'string' ? Buffer.from(body) : toBytes(body);
  const digest = hash('sha256', identity, 'base64url').slice(0, 27);
  const vary = options.vary === undefined ? 'Accept-Encoding' : `${options.vary}, Accept-Encoding`;
  const lastModified = new Date(lastModifiedMs).toUTCString();
  const made = new Map<Encoding, Encoded | Promise<Encoded>>();

  function encode(encoding: Encoding, bytes: Bytes, effort: Compression): Encoded {
    // A strong tag stands for bytes (RFC 9110 §8.8.1), so those of the best compression have one of their own.
    const parts = [
      digest,
      encoding === 'identity' ? '' : encoding,
      effort === 'best' ? 'best' : '',
    ];
    const etag = `"${parts.filter(Boolean).join('-')}"`;
    const list = ['Content-Type', contentType, 'ETag', etag, 'Last-Modified', lastModified];
    list.push('Vary', vary, ...headers);
    if (encoding !== 'identity') list.push('Content-Encoding', encoding);
    list.push('Content-Length', String(bytes.length));
    const isFinal = encoding === 'identity' || effort === compression;
    const validatorHeaders = withoutContent(list);
    const encoded = { body: bytes, etag, headers: list, validatorHeaders, isFinal };
    made.set(encoding, encoded);
    return encoded;
  }

  async function press(encoding: 'br' | 'gzip', effort: 'usual' | 'best'): Promise<Encoded> {
    return encode(encoding, toBytes(await compress(identity, encoding, effort)), effort);
  }

  encode('identity', identity, 'none');
  return {
    sizeBytes: identity.length,
    lastModifiedMs,
    // Pictures are compressed by their own formats.
    compressible:
      compression !== 'none' &&
      identity.length >= compressedBytesMin &&
      !contentType.startsWith('image/'),
    encoded(encoding) {
      const known = made.get(encoding);
      if (known !== undefined) return known;
      if (encoding === 'identity' || compression === 'none') {
        return encode('identity', identity, 'none');
      }
      const pending = press(encoding, 'usual').catch((error: unknown) => {
        made.delete(encoding);
        throw error;
      });
      made.set(encoding, pending);
      if (compression === 'best') {
        // Where it fails, what is there goes on.
        pending.then(() => press(encoding, 'best')).catch(() => {});
      }
      return pending;
    },
  };
}

/** Answers a GET or HEAD with a representation, in the best encoding, or 304 where the caller has it. */
export async function respondWith(
  request: Request,
  representation: Representation,
  freshness: Freshness,
): Promise<Response> {
  const encoding =
    representation.compressible && !isServedByNext(request)
      ? chooseEncoding(request.headers.get('accept-encoding'))
      : 'identity';
  const made = representation.encoded(encoding);
  const encoded = made instanceof Promise ? await made : made;
  const { body, etag, headers, validatorHeaders, isFinal } = encoded;
  const { lastModifiedMs } = representation;
  const cacheControl = freshness() ?? 'no-cache';
  const conditions = {
    ifNoneMatch: request.headers.get('if-none-match'),
    ifModifiedSince: request.headers.get('if-modified-since'),
  };
  const isKnown = isNotModified(conditions, { etag, lastModifiedMs });
  return prepareResponse({
    status: isKnown ? 304 : 200,
    headers: [...(isKnown ? validatorHeaders : headers), 'Cache-Control', cacheControl],
    body: isKnown || request.method === 'HEAD' ? null : body,
    // What will be smaller in a moment is not kept for others.
    freshness: isFinal ? freshness : undefined,
  });
}

// Where Next runs without the front it compresses by itself, and drops the header that would tell it
// that this has been done.
function isServedByNext(request: Request): boolean {
  return 'nextUrl' in request;
}

const contentHeaders = new Set([
  'Content-Type',
  'Content-Encoding',
  'Content-Length',
  'Last-Modified',
  'Link',
]);

/** The headers of a 304: what a cache needs to update its copy; it describes no content (RFC 9110 §15.4.5). */
export function withoutContent(headers: readonly string[]): string[] {
  const kept: string[] = [];
  for (let index = 0; index < headers.length; index += 2) {
    const name = headers[index] ?? '';
    if (!contentHeaders.has(name)) kept.push(name, headers[index + 1] ?? '');
  }
  return kept;
}

function toBytes(bytes: Uint8Array): Bytes {
  return bytes.buffer instanceof ArrayBuffer ? (bytes as Bytes) : Uint8Array.from(bytes);
}
