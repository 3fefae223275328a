import { createApiError, type HttpError } from '#lib/http/errors/errors.ts';
import { acceptQuality, namesMediaType } from '#lib/http/representations/accept.ts';
import { readSearchParameters, searchOf } from '#lib/http/search-parameters.ts';
import { pictureWidths, toServedWidth } from '#lib/representations/theming/picture-placeholder.ts';
import { type PictureFormat, pictureFormats, type StoredOriginal } from './process-image.ts';

/** The size and format that a client requests. */
export type PictureRequest = Readonly<{
  /** In pixels; null for the original width. */
  width: number | null;
  /** `plain`: PNG for a picture with transparency, else JPEG; every client supports these. */
  format: PictureFormat | 'plain';
  /** Whether the format comes from the Accept header. */
  isNegotiated: boolean;
}>;

const widthNames = pictureWidths.map(String);

/**
 * Parses `?w=` and `?format=`. Without `format` the Accept header decides: AVIF, then WebP, each only if
 * it is named, since clients that support neither send wildcards too.
 * @throws HttpError 400 for an unknown parameter, width or format.
 */
export function parsePictureRequest(url: string, accept: string | null): PictureRequest {
  const parameters = readSearchParameters(searchOf(url));
  for (const name of new Set(parameters.keys())) {
    if (name !== 'w' && name !== 'format')
      throw toBadRequest(`Unknown parameter \`${cut(name)}\`.`);
    if (parameters.getAll(name).length > 1)
      throw toBadRequest(`\`${name}\` was sent more than once.`);
  }
  const width = parameters.get('w') || null;
  if (width !== null && !widthNames.includes(width)) {
    throw toBadRequest(`The width “${cut(width)}” is not supported.`);
  }
  const wanted = parameters.get('format') || null;
  const format = pictureFormats.find((format) => format === wanted);
  if (wanted !== null && format === undefined) {
    throw toBadRequest(`The format “${cut(wanted)}” is not supported.`);
  }
  return {
    width: width === null ? null : Number(width),
    format: format ?? negotiate(accept),
    isNegotiated: format === undefined,
  };
}

/** One size and format of a picture, with its file name. */
export type Variant = Readonly<{ name: string; width: number; format: PictureFormat }>;

/** Chooses the variant for a request. All widths above the original's share one file. */
export function chooseVariant(original: StoredOriginal, wanted: PictureRequest): Variant {
  const width = toServedWidth(Math.min(wanted.width ?? original.width, original.width));
  const fallback = original.hasAlpha ? 'png' : 'jpeg';
  const format = wanted.format === 'plain' ? fallback : wanted.format;
  return { name: `${width}.${format}`, width, format };
}

function negotiate(accept: string | null): PictureFormat | 'plain' {
  for (const format of ['avif', 'webp'] as const) {
    const type = `image/${format}`;
    if (namesMediaType(accept, type) && acceptQuality(accept, type) > 0) return format;
  }
  return 'plain';
}

function toBadRequest(message: string): HttpError {
  return createApiError('bad_request', {
    message,
    hint: `\`w\` is one of ${widthNames.join(', ')}; \`format\` is one of ${pictureFormats.join(', ')}. Both are optional.`,
  });
}

function cut(text: string): string {
  return text.length > 40 ? `${text.slice(0, 39).toWellFormed()}…` : text;
}
