import { createApiError } from './errors/errors.ts';

const searchLengthMax = 4096;

/** The query of a URL without its `?`; empty if there is none. */
export function searchOf(url: string): string {
  const start = url.indexOf('?');
  if (start === -1) return '';
  const end = url.indexOf('#', start);
  return url.slice(start + 1, end === -1 ? undefined : end);
}

/**
 * Reads query parameters strictly: `URLSearchParams` alone would decode malformed percent-encoding to other text.
 * @throws HttpError 400 for malformed percent-encoding, bytes that are not UTF-8, a NUL, or more than 4,096
 * characters.
 */
export function readSearchParameters(search: string): URLSearchParams {
  if (search.length > searchLengthMax) {
    throw createApiError('bad_request', {
      message: `The query string is ${search.length} characters long.`,
      hint: `It may have at most ${searchLengthMax} characters after the \`?\`.`,
    });
  }
  let decoded: string;
  try {
    decoded = decodeURIComponent(search);
  } catch {
    throw createApiError('bad_request', {
      message: 'The query string contains malformed percent-encoding.',
      hint: 'Percent-encode each value as UTF-8, and a literal percent sign as `%25`.',
    });
  }
  if (decoded.includes('\0')) {
    throw createApiError('bad_request', {
      message: 'The query string contains a NUL character.',
      hint: 'Remove `%00`.',
    });
  }
  // The constructor drops a leading `?`, which belongs to a name here.
  return new URLSearchParams(search.startsWith('?') ? `?${search}` : search);
}
