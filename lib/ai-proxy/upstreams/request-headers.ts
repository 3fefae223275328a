/** Anything that gives a request's headers by name: `Headers` does. */
export type ClientHeaders = Readonly<{ get: (name: string) => string | null }>;

/**
 * Forwarded from the client: what concerns its own request, and the two that aggregators use as the app's name.
 * Nothing that identifies it (cookies, authorization, IP addresses), that chooses an account
 * (`openai-organization`, `openai-project`), or that could affect other clients (`idempotency-key`).
 */
const passedOn = ['openai-beta', 'http-referer', 'x-title'] as const;

// Printable ASCII: anything else could not be written into a header.
const sound = /^[\x20-\x7e]{1,500}$/;

export type HeaderOptions = Readonly<{
  key: string;
  hasBody: boolean;
  isStream: boolean;
  clientHeaders: ClientHeaders | undefined;
}>;

/** The headers of a request to the upstream: names and values in turn. */
export function toRequestHeaders(options: HeaderOptions): string[] {
  const { key, hasBody, isStream, clientHeaders } = options;
  const headers = [
    'authorization',
    `Bearer ${key}`,
    'accept',
    isStream ? 'text/event-stream' : 'application/json',
    // Frames have to be readable as they come.
    'accept-encoding',
    'identity',
    'user-agent',
    'marquee',
  ];
  if (hasBody) headers.push('content-type', 'application/json');
  if (clientHeaders === undefined) return headers;
  for (const name of passedOn) {
    const value = clientHeaders.get(name);
    if (value !== null && sound.test(value)) headers.push(name, value);
  }
  return headers;
}
