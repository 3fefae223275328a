import { acceptQuality, namesMediaType } from '#lib/http/accept.ts';
import { HttpError } from '#lib/http/errors.ts';
import { readSearchParameters, searchOf } from '#lib/http/search-parameters.ts';
import { pictureWidths } from '#lib/theming/picture-sources.ts';
import { type PictureFormat, pictureFormats } from './process-image.ts';

/** What a caller wants of a picture. */
export type WantedPicture = Readonly<{
  /** In pixels; null for the picture's own. */
  width: number | null;
  /** `plain`: PNG for what one can see through, else JPEG, which everyone can show. */
  format: PictureFormat | 'plain';
  /** Whether the Accept header had a say. */
  isNegotiated: boolean;
}>;

const widthNames = pictureWidths.map(String);

/**
 * Reads `?w=` and `?format=`. Without a format the Accept header decides: AVIF, then WebP, each only
 * where it is named, since a wildcard is sent by clients that can show neither.
 * @throws HttpError 400 for anything but the widths and formats that there are.
 */
export function readWanted(url: string, accept: string | null): WantedPicture {
  const parameters = readSearchParameters(searchOf(url));
  for (const name of new Set(parameters.keys())) {
    if (name !== 'w' && name !== 'format') throw refuse(`There is no parameter \`${cut(name)}\`.`);
    if (parameters.getAll(name).length > 1) throw refuse(`\`${name}\` is given more than once.`);
  }
  const width = parameters.get('w') || null;
  if (width !== null && !widthNames.includes(width)) {
    throw refuse(`No picture is served at the width “${cut(width)}”.`);
  }
  const wanted = parameters.get('format') || null;
  const format = pictureFormats.find((one) => one === wanted);
  if (wanted !== null && format === undefined) {
    throw refuse(`No picture is served in the format “${cut(wanted)}”.`);
  }
  return {
    width: width === null ? null : Number(width),
    format: format ?? negotiate(accept),
    isNegotiated: format === undefined,
  };
}

function negotiate(accept: string | null): PictureFormat | 'plain' {
  for (const format of ['avif', 'webp'] as const) {
    const type = `image/${format}`;
    if (namesMediaType(accept, type) && acceptQuality(accept, type) > 0) return format;
  }
  return 'plain';
}

function refuse(message: string): HttpError {
  return new HttpError('bad_request', {
    message,
    hint: `\`w\` takes one of ${widthNames.join(', ')}; \`format\` takes one of ${pictureFormats.join(', ')}. Both may be left out.`,
  });
}

function cut(text: string): string {
  return text.length > 40 ? `${text.slice(0, 39).toWellFormed()}…` : text;
}
