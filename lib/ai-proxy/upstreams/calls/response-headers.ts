/** Headers as undici gives them: lower-case names. */
export type RawHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** The response headers that are used. */
export type UpstreamHeaders = Readonly<{
  /** The media type in lower case, without parameters; empty if missing. */
  contentType: string;
}>;

/** Null if the body is compressed, HTML, or anything else but JSON or an event stream. */
export function parseUpstreamHeaders(headers: RawHeaders): UpstreamHeaders | null {
  const contentType =
    firstOf(headers['content-type'])?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const encoding = firstOf(headers['content-encoding']) ?? 'identity';
  return encoding === 'identity' && isReadable(contentType) ? { contentType } : null;
}

/** A header's first value. */
export function firstOf(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

// Some upstreams omit the type for JSON, or use one of their own.
function isReadable(contentType: string): boolean {
  if (contentType === '' || contentType === 'text/event-stream') return true;
  return /^application\/(?:[\w.-]+\+)?(?:json|octet-stream)$|^text\/plain$/.test(contentType);
}
