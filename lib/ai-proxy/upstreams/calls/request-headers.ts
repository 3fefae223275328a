/** Request headers by name, such as `Headers`. */
export type ClientHeaders = Readonly<{ get: (name: string) => string | null }>;

/**
 * Forwarded from the client: what concerns the request itself, and the two headers in which
 * aggregators expect the app's name. Nothing that identifies the client (cookies, authorization, IP
 * addresses), selects an account (`openai-organization`, `openai-project`), or could affect other
 * clients (`idempotency-key`).
 */
const passedOn = ['openai-beta', 'http-referer', 'x-title'] as const;

/** Of Messages requests: the version of the API, the features that the client expects, and that it runs in a browser. */
const passedOnMessages = [
  'anthropic-version',
  'anthropic-beta',
  'anthropic-dangerous-direct-browser-access',
] as const;
const defaults: Readonly<Record<string, string>> = { 'anthropic-version': '2023-06-01' };

// Printable ASCII: anything else is invalid in a header. Lists of betas have more than a thousand characters.
const validValue = /^[\x20-\x7e]{1,4096}$/;

export type HeaderOptions = Readonly<{
  key: string;
  hasBody: boolean;
  isStream: boolean;
  clientHeaders: ClientHeaders | undefined;
  /** Whether the request is one of the Messages API. */
  isMessages?: boolean;
}>;

/** The headers of a request to the upstream, names and values alternating. */
export function toRequestHeaders(options: HeaderOptions): string[] {
  const { key, hasBody, isStream, clientHeaders, isMessages = false } = options;
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
  // Anthropic’s own servers take the key in this header only.
  if (isMessages) headers.push('x-api-key', key);
  for (const name of isMessages ? [...passedOn, ...passedOnMessages] : passedOn) {
    const value = clientHeaders?.get(name) ?? (isMessages ? defaults[name] : undefined) ?? null;
    if (value !== null && validValue.test(value)) headers.push(name, value);
  }
  return headers;
}
