import { createApiError } from '#lib/http/errors/errors.ts';

/** A request of an oEmbed consumer (https://oembed.com, 2.2). */
export type OEmbedQuery = Readonly<{
  url: URL;
  /** In pixels; infinite if the consumer sets no limit. */
  maxWidth: number;
  maxHeight: number;
  /** `other` is a format that the protocol does not have, which gets a 501. */
  format: 'json' | 'xml' | 'other';
}>;

const urlLengthMax = 2_000;

/** @throws HttpError 400 for a missing URL or an impossible size, 404 for something that is no URL. */
export function parseOEmbedQuery(search: string): OEmbedQuery {
  const parameters = new URLSearchParams(search);
  const format = (parameters.get('format') || 'json').toLowerCase();
  return {
    url: parseUrl(parameters.get('url') ?? ''),
    maxWidth: parseSize('maxwidth', parameters),
    maxHeight: parseSize('maxheight', parameters),
    format: format === 'json' || format === 'xml' ? format : 'other',
  };
}

function parseUrl(text: string): URL {
  if (text === '') {
    throw createApiError('bad_request', {
      message: 'The parameter `url` is missing.',
      hint: 'Send the URL of the page to embed, percent-encoded: `/oembed?url=https%3A%2F%2F…`.',
    });
  }
  const url = text.length > urlLengthMax ? null : URL.parse(text);
  if (url === null) {
    throw createApiError('not_found', {
      message: 'The parameter `url` is not an absolute URL of this site.',
    });
  }
  return url;
}

function parseSize(name: 'maxwidth' | 'maxheight', parameters: URLSearchParams): number {
  const text = parameters.get(name);
  if (text === null || text === '') return Number.POSITIVE_INFINITY;
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text);
  throw createApiError('bad_request', {
    message: `Invalid value for the parameter \`${name}\`.`,
    hint: `\`${name}\` must be a number of pixels from 1 to 99999.`,
  });
}
