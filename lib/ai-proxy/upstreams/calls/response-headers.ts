export type ResponseHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** What the headers of a response say about its body, and about a retry. */
export function readResponseHeaders(headers: ResponseHeaders) {
  const [contentType = ''] = firstOf(headers['content-type']).split(';', 1);
  const mediaType = contentType.trim().toLowerCase();
  return {
    /** The media type, in lower case. */
    contentType: mediaType,
    isReadable: isReadable(mediaType),
    isCompressed: !['', 'identity'].includes(firstOf(headers['content-encoding'])),
    retryAfter: firstOf(headers['retry-after']),
  };
}

function firstOf(value: string | string[] | undefined): string {
  const [first = ''] = Array.isArray(value) ? value : [value];
  return first;
}

// Some upstreams omit the type for JSON, or use one of their own.
function isReadable(mediaType: string): boolean {
  if (mediaType === '' || mediaType === 'text/event-stream') return true;
  return /^application\/(?:[\w.-]+\+)?(?:json|octet-stream)$|^text\/plain$/.test(mediaType);
}
