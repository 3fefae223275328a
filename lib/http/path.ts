import { createApiError } from './errors/errors.ts';

/** A request target in parts; neither is decoded. */
type Target = Readonly<{ path: string; search: string }>;

/** A path and query with no character that needs percent-encoding. */
const plainTarget = /^\/[\w\-.~!$&'()*+,;=:@%/?[\]]*$/;
const dotSegment = /\/(?:\.|%2e){1,2}(?:[/?]|$)/i;

/**
 * Parses a request target (RFC 9112 §3.2): the host of an absolute URL is ignored, dot segments are
 * resolved, other characters are percent-encoded as browsers do.
 * @returns null for anything else, such as `*`.
 */
export function parseTarget(target: string): Target | null {
  if (plainTarget.test(target) && !dotSegment.test(target)) return splitTarget(target);
  const absolute = /^https?:\/\//i.test(target) ? target : `http://host${target}`;
  if (!target.startsWith('/') && absolute !== target) return null;
  const url = URL.parse(absolute);
  return url === null ? null : { path: url.pathname, search: url.search };
}

/** The canonical path: without repeated or trailing slashes. */
export function toCanonicalPath(path: string): string {
  const single = path.includes('//') ? path.replace(/\/{2,}/g, '/') : path;
  return single.length > 1 && single.endsWith('/') ? single.slice(0, -1) : single;
}

/** Whether the percent-encoding of a path is well-formed UTF-8. */
export function isDecodable(path: string): boolean {
  if (!path.includes('%')) return true;
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/**
 * Decodes one segment of a path.
 * @throws HttpError 400 for malformed percent-encoding or bytes that are not UTF-8.
 */
export function decodePathSegment(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    throw createApiError('bad_request', {
      message: 'The path contains malformed percent-encoding.',
      hint: 'Percent-encode it as UTF-8, and a literal percent sign as `%25`.',
    });
  }
}

function splitTarget(target: string): Target {
  const start = target.indexOf('?');
  if (start === -1) return { path: target, search: '' };
  return { path: target.slice(0, start), search: target.slice(start) };
}
