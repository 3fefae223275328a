/** Request headers by name, such as `Headers`. */
export type ClientHeaders = Readonly<{ get: (name: string) => string | null }>;

/**
 * Forwarded from the client: what concerns the request itself, and the two headers in which
 * aggregators expect the app's name. Nothing that identifies the client (cookies, authorization, IP
 * addresses), selects an account (`openai-organization`, `openai-project`), or could affect other
 * clients (`idempotency-key`).
 */
const passedOn = ['openai-beta', 'http-referer', 'x-title'] as const;

// Printable ASCII: anything else is invalid in a header.
const validValue = /^[\x20-\x7e]{1,500}$/;

export type HeaderOptions = Readonly<{
  key: string;
  hasBody: boolean;
  isStream: boolean;
  clientHeaders: ClientHeaders | undefined;
}>;

/** The headers of a request to the upstream, names and values alternating. */
export function toRequestHeaders(options: HeaderOptions): string[] {
  const { key, hasBody, isStream, clientHeaders } = options;
  const headers = [
    'authorization',
    `Bearer ${key}`,
    'accept',
    isStream ? 'text/event-stream' : 'application/json',
    // Frames must be readable as they arrive.
    'accept-encoding',
    'identity',
    'user-agent',
    'marquee',
  ];
  if (hasBody) headers.push('content-type', 'application/json');
  if (clientHeaders === undefined) return headers;
  for (const name of passedOn) {
    const value = clientHeaders.get(name);
    if (value !== null && validValue.test(value)) headers.push(name, value);
  }
  return headers;
}
