import { attachmentId } from '#lib/events/model/schema.ts';
import type { EventsLoader } from '#lib/events/store/loader.ts';
import { findAttachment } from '#lib/events/store/snapshot.ts';
import { isNotModified } from '#lib/http/conditional.ts';
import { HttpError } from '#lib/http/errors.ts';
import { decodePathSegment } from '#lib/http/path.ts';
import { prepareResponse } from '#lib/http/prepared-response.ts';
import { drawColor } from './draw-placeholder.ts';
import { readWanted } from './parse-picture-request.ts';
import type { PictureResult, Pictures } from './pictures.ts';

type Parts = Readonly<{ pictures: Pictures; events: EventsLoader }>;

// An attachment's id belongs to the same picture for good.
const forGood = 'public, max-age=31536000, immutable';

/**
 * Answers a request for a picture. One that exists but cannot be had now is answered with its event's
 * colour, for which the status is 200 so that every browser shows it, and which nobody may keep.
 * @param segment the id, as it stands in the address.
 * @throws HttpError 400 for a width or format that is not served, 404 for an unknown id.
 */
export async function respondWithPicture(
  request: Request,
  { pictures, events }: Parts,
  segment: string,
): Promise<Response> {
  const wanted = readWanted(request.url, request.headers.get('accept'));
  const id = decodePathSegment(segment);
  if (!attachmentId.test(id)) throw unknownPicture();
  const findOrigin = async () => findAttachment(await events.current(), id);
  const result = pictures.peek(id, wanted) ?? (await pictures.load(id, wanted, findOrigin));
  const vary = wanted.isNegotiated ? ['Vary', 'Accept'] : [];
  switch (result.kind) {
    case 'picture':
      return respondWithFile(request, result, vary);
    case 'unavailable':
      return respondWithColor(request, await drawColor(result.origin), vary);
    case 'unknown':
      throw unknownPicture();
  }
}

type Found = Extract<PictureResult, { kind: 'picture' }>;

function respondWithFile(request: Request, { format, file }: Found, vary: string[]): Response {
  const { bytes, etag } = file;
  const headers = ['ETag', etag, 'Cache-Control', forGood, ...safety, ...vary];
  const ifNoneMatch = request.headers.get('if-none-match');
  // Without a date of its own: If-Modified-Since says nothing of a picture.
  if (isNotModified({ ifNoneMatch }, { etag, lastModifiedMs: 0 })) {
    return prepareResponse({ status: 304, headers, body: null });
  }
  headers.push('Content-Type', `image/${format}`, 'Content-Length', String(bytes.length));
  return prepareResponse({ status: 200, headers, body: toBody(request, bytes) });
}

function respondWithColor(request: Request, bytes: Bytes, vary: string[]): Response {
  const headers = ['Cache-Control', 'no-store', ...safety, ...vary];
  headers.push('Content-Type', 'image/png', 'Content-Length', String(bytes.length));
  return prepareResponse({ status: 200, headers, body: toBody(request, bytes) });
}

type Bytes = Uint8Array<ArrayBuffer>;

function toBody(request: Request, bytes: Bytes): Bytes | null {
  return request.method === 'HEAD' ? null : bytes;
}

// Whatever the bytes hold, a browser takes them for the picture that they are.
const safety = ['Content-Security-Policy', "default-src 'none'"];

function unknownPicture(): HttpError {
  return new HttpError('not_found', {
    message: 'No event has a picture with that id.',
    hint: 'Addresses of pictures stand under `pictures` of each event, and in its page.',
  });
}
