/** Headers as undici gives them: names in lower case. */
export type RawHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** The little of an answer's headers that anyone may know of. */
export type UpstreamHeaders = Readonly<{
  /** The media type in lower case, without parameters; empty where none was sent. */
  contentType: string;
}>;

/** Null where the body is compressed, a page, or anything else but JSON or a stream of events. */
export function parseUpstreamHeaders(headers: RawHeaders): UpstreamHeaders | null {
  const contentType =
    firstOf(headers['content-type'])?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const encoding = firstOf(headers['content-encoding']) ?? 'identity';
  return encoding === 'identity' && isReadable(contentType) ? { contentType } : null;
}

/** A header's value, the first of several. */
export function firstOf(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

// Some upstreams do not name JSON, or give it a kind of its own.
function isReadable(contentType: string): boolean {
  if (contentType === '' || contentType === 'text/event-stream') return true;
  return /^application\/(?:[\w.-]+\+)?(?:json|octet-stream)$|^text\/plain$/.test(contentType);
}
