import { createHash } from 'node:crypto';
import { pipeline, Readable } from 'node:stream';
import { createResponse, type Freshness, type HeaderFields } from '../response.ts';
import { createTimeSlices } from '../time-slices.ts';
import { isNotModified, isPreconditionFailed } from './conditional.ts';
import {
  type Compression,
  chooseEncoding,
  compress,
  compressedBytesMin,
  createCompressor,
} from './content-encoding.ts';

type Encoded = Readonly<{
  body: () => Uint8Array | Readable;
  etag: string;
  headers: HeaderFields;
}>;
type Encoding = 'identity' | 'br' | 'gzip';

/** A representation of a resource (RFC 9110 §3.2): its bytes, plain and compressed, and their ETags. */
export type Representation = Readonly<{
  sizeBytes: number;
  lastModifiedMs: number;
  encoded: (encoding: Encoding) => Encoded | Promise<Encoded>;
  compressible: boolean;
}>;

type CommonOptions = Readonly<{
  contentType: string;
  /** Unix time in ms of the last change to what is shown. */
  lastModifiedMs: number;
  /** Further headers. */
  headers?: HeaderFields;
  /** Request headers that selected this representation, besides Accept-Encoding. */
  vary?: string;
}>;

type RepresentationOptions = CommonOptions &
  Readonly<{
    body: string | Uint8Array;
    /** `usual` by default; `best` for files that are served for long. */
    compression?: Compression;
  }>;

/** A body that is too long to be stored: its parts are written for each response, as fast as its client reads. */
export type StreamedBody = Readonly<{ parts: () => Iterable<string> }>;

/**
 * The ETag is a digest of the type and the content (RFC 9110 §8.8.3), so that all instances send the same, and
 * representations of one URL differ.
 */
export function createRepresentation(options: RepresentationOptions): Representation {
  const { contentType, body, lastModifiedMs, compression = 'usual' } = options;
  const identity: Uint8Array = typeof body === 'string' ? Buffer.from(body) : body;
  const digest = toDigest(contentType, identity);
  const cache = new Map<Encoding, Encoded | Promise<Encoded>>();

  function encode(encoding: Encoding, bytes: Uint8Array): Encoded {
    const encoded = { body: () => bytes, ...toValidated(options, digest, encoding) };
    cache.set(encoding, encoded);
    return encoded;
  }

  async function compressTo(
    encoding: 'br' | 'gzip',
    effort: Exclude<Compression, 'none'>,
  ): Promise<Encoded> {
    try {
      return encode(encoding, await compress(identity, encoding, effort));
    } catch (error) {
      cache.delete(encoding);
      throw error;
    }
  }

  return {
    sizeBytes: identity.length,
    lastModifiedMs,
    // Images are compressed by their own formats.
    compressible:
      compression !== 'none' &&
      identity.length >= compressedBytesMin &&
      !contentType.startsWith('image/'),
    encoded(encoding) {
      const known = cache.get(encoding);
      if (known !== undefined) return known;
      if (encoding === 'identity' || compression === 'none') return encode('identity', identity);
      const pending = compressTo(encoding, compression);
      cache.set(encoding, pending);
      return pending;
    },
  };
}

/** @param key identifies its content, which determines its bytes, for the same ETag in all instances. */
export function createStreamedRepresentation(
  { parts }: StreamedBody,
  { key, ...options }: CommonOptions & Readonly<{ key: string }>,
): Representation {
  const digest = toDigest(options.contentType, key);
  return {
    sizeBytes: key.length,
    lastModifiedMs: options.lastModifiedMs,
    compressible: true,
    encoded: (encoding) => ({
      body: () => openStream(parts(), encoding),
      ...toValidated(options, digest, encoding),
    }),
  };
}

/** A client that leaves ends all of it at once. */
function openStream(parts: Iterable<string>, encoding: Encoding): Readable {
  const plain = Readable.from(joinToPieces(parts), { objectMode: false });
  return encoding === 'identity' ? plain : pipeline(plain, createCompressor(encoding), () => {});
}

/** What is written in a time slice is a piece. */
async function* joinToPieces(parts: Iterable<string>): AsyncGenerator<Uint8Array> {
  let piece = '';
  let yieldWhenDue = createTimeSlices();
  for (const part of parts) {
    piece += part;
    const nextSlice = yieldWhenDue();
    if (nextSlice === undefined) continue;
    await nextSlice;
    yield Buffer.from(piece);
    piece = '';
    // The slice begins when the client wants more.
    yieldWhenDue = createTimeSlices();
  }
  yield Buffer.from(piece);
}

function toDigest(contentType: string, content: string | Uint8Array): string {
  const hash = createHash('sha256').update(`${contentType}\n`).update(content);
  return hash.digest('base64url').slice(0, 27);
}

/** A strong validator names bytes (RFC 9110 §8.8.1), so each encoding has its own. */
function toValidated(
  { contentType, lastModifiedMs, headers = [], vary }: CommonOptions,
  digest: string,
  encoding: Encoding,
): Omit<Encoded, 'body'> {
  const etag = encoding === 'identity' ? `"${digest}"` : `"${digest}-${encoding}"`;
  return {
    etag,
    headers: [
      ['Content-Type', contentType],
      ['ETag', etag],
      ['Last-Modified', new Date(lastModifiedMs).toUTCString()],
      ['Vary', vary === undefined ? 'Accept-Encoding' : `${vary}, Accept-Encoding`],
      ...headers,
      ...(encoding === 'identity' ? [] : [['Content-Encoding', encoding] as const]),
    ],
  };
}

/**
 * Responds to GET or HEAD in the best encoding, with a 304 if the client has the representation, or with a 412 if it
 * asks for another one.
 */
export async function respondWith(
  request: Request,
  representation: Representation,
  freshness: Freshness,
): Promise<Response> {
  const encoding =
    representation.compressible && !isServedByNext(request)
      ? chooseEncoding(request.headers.get('accept-encoding'))
      : 'identity';
  const { body, etag, headers } = await representation.encoded(encoding);
  const { lastModifiedMs } = representation;
  const preconditions = {
    ifMatch: request.headers.get('if-match'),
    ifUnmodifiedSince: request.headers.get('if-unmodified-since'),
  };
  if (isPreconditionFailed(preconditions, { etag, lastModifiedMs })) return toOtherNow(etag);
  const conditions = {
    ifNoneMatch: request.headers.get('if-none-match'),
    ifModifiedSince: request.headers.get('if-modified-since'),
  };
  const isKnown = isNotModified(conditions, { etag, lastModifiedMs });
  return createResponse({
    status: isKnown ? 304 : 200,
    headers: [
      ...(isKnown ? withoutContentHeaders(headers) : headers),
      ['Cache-Control', freshness() ?? 'no-cache'],
    ],
    body: isKnown ? null : body(),
    freshness,
  });
}

function toOtherNow(etag: string): Response {
  return createResponse({
    status: 412,
    headers: [
      ['Cache-Control', 'no-store'],
      ['Content-Type', 'text/plain; charset=utf-8'],
      ['ETag', etag],
    ],
    body: Buffer.from(
      'This is not the representation that If-Match or If-Unmodified-Since names.\n',
    ),
  });
}

// Under `next start` Next compresses, and drops our Content-Encoding.
function isServedByNext(request: Request): boolean {
  return 'nextUrl' in request;
}

const contentHeaders = new Set([
  'content-type',
  'content-encoding',
  'content-length',
  'last-modified',
  'link',
]);

/** The headers of a 304, which describe no content (RFC 9110 §15.4.5). */
export function withoutContentHeaders(headers: HeaderFields): HeaderFields {
  return headers.filter(([name]) => !contentHeaders.has(name.toLowerCase()));
}
