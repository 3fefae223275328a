import { LRUCache } from 'lru-cache';
import sharp from 'sharp';
import { type AttachmentOrigin, attachmentId } from '#lib/events/model/schema.ts';
import type { EventsLoader } from '#lib/events/source/loader.ts';
import { findAttachment } from '#lib/events/source/snapshot.ts';
import { createApiError, type HttpError } from '#lib/http/errors/errors.ts';
import { decodePathSegment } from '#lib/http/path.ts';
import { isNotModified } from '#lib/http/representations/conditional.ts';
import { createResponse, type HeaderFields } from '#lib/http/response.ts';
import { crossOriginHeaders } from '#lib/http/security-headers.ts';
import { parsePictureRequest } from './picture-request.ts';
import type { PictureResult, Pictures } from './pictures.ts';

type Parts = Readonly<{ pictures: Pictures; events: EventsLoader }>;

// The picture of an attachment id never changes.
const immutable = 'public, max-age=31536000, immutable';

/**
 * Responds with a picture. One that exists but is unavailable now gets a placeholder in its event's colour:
 * with status 200, since browsers show no image of an error response, and `no-store`.
 * @param segment the attachment id, as in the URL.
 * @throws HttpError 400 for an unsupported width or format, 404 for an unknown id.
 */
export async function respondWithPicture(
  request: Request,
  { pictures, events }: Parts,
  segment: string,
): Promise<Response> {
  const wanted = parsePictureRequest(request.url, request.headers.get('accept'));
  const id = decodePathSegment(segment);
  if (!attachmentId.test(id)) throw unknownPicture();
  const findOrigin = async () => findAttachment(await events.current(), id);
  const result = pictures.peek(id, wanted) ?? (await pictures.load(id, wanted, findOrigin));
  const vary: HeaderFields = wanted.isNegotiated ? [['Vary', 'Accept']] : [];
  switch (result.kind) {
    case 'picture':
      return respondWithFile(request, result, vary);
    case 'unavailable':
      return respondWithPlaceholder(await drawPlaceholder(result.origin), vary);
    case 'unknown':
      throw unknownPicture();
  }
}

type Found = Extract<PictureResult, { kind: 'picture' }>;

function respondWithFile(request: Request, { format, file }: Found, vary: HeaderFields): Response {
  const { bytes, etag } = file;
  const headers: HeaderFields = [
    ['ETag', etag],
    ['Cache-Control', immutable],
    ...securityHeaders,
    ...vary,
  ];
  const ifNoneMatch = request.headers.get('if-none-match');
  // No Last-Modified is sent, so only If-None-Match applies.
  if (isNotModified({ ifNoneMatch }, { etag, lastModifiedMs: 0 })) {
    return createResponse({ status: 304, headers, body: null });
  }
  return createResponse({
    status: 200,
    headers: [...headers, ['Content-Type', `image/${format}`]],
    body: bytes,
  });
}

function respondWithPlaceholder(bytes: Uint8Array, vary: HeaderFields): Response {
  const headers: HeaderFields = [
    ['Cache-Control', 'no-store'],
    ['Content-Type', 'image/png'],
    ...securityHeaders,
    ...vary,
  ];
  return createResponse({ status: 200, headers, body: bytes });
}

// Nothing inside a picture may run or load when it is opened as a document.
const securityHeaders: HeaderFields = [
  ['Content-Security-Policy', "default-src 'none'"],
  ...crossOriginHeaders,
];

function unknownPicture(): HttpError {
  return createApiError('not_found', {
    message: 'No event has a picture with that id.',
    hint: 'Each event lists the URLs of its pictures in the field `pictures`.',
  });
}

/** For an event without a colour: a grey that works on light and dark. */
const defaultColor = '#8a8894';
const longerSide = 32;

const cache = new LRUCache<string, Promise<Uint8Array<ArrayBuffer>>>({ max: 500 });

/** Draws a small PNG in the event's colour, with the proportions of the picture that is unavailable. */
function drawPlaceholder(origin: AttachmentOrigin): Promise<Uint8Array<ArrayBuffer>> {
  const color = origin.color ?? defaultColor;
  const { width, height } = toSize(origin);
  const key = `${color} ${width}x${height}`;
  const cached = cache.get(key);
  if (cached !== undefined) return cached;
  const drawing = sharp({ create: { width, height, channels: 4, background: color } })
    .png()
    .toBuffer()
    .then((bytes) => Uint8Array.from(bytes));
  cache.set(key, drawing);
  return drawing;
}

function toSize({ width, height }: AttachmentOrigin) {
  const scale = longerSide / Math.max(width ?? 1, height ?? 1);
  const toSide = (side: number | null) => Math.max(1, Math.round((side ?? 1) * scale));
  return { width: toSide(width), height: toSide(height) };
}
