import type { UpstreamSettings } from '#lib/config/upstreams-schema.ts';

/** How an upstream is reached. */
export type UpstreamConnection = Readonly<{
  /** Its name in the log. */
  name?: string;
  /** Base URL with its version, without a trailing slash. Its query is part of every request. */
  url: string;
  key: string;
  /** `bearer`, the default, or the name of the header that has the key. */
  auth?: string;
  /** Sent with every request, by name in small letters. */
  headers?: Readonly<Record<string, string>>;
  /** Its list of models is one of the Messages API: it needs the same headers. */
  hasMessagesList?: boolean;
  timeouts: Timeouts;
}>;

type Timeouts = Readonly<{
  /** The wait for response headers after which a client is no longer kept waiting, ms. */
  firstByteMs: number;
  /** Longest silence during a response, ms; by default that of the first byte. */
  idleMs?: number | undefined;
  /** Longest call in all, retries included, ms. */
  totalMs?: number | undefined;
  connectMs?: number | undefined;
}>;

/** @param firstByteMs for upstreams without their own */
export function toUpstreamConnection(
  settings: UpstreamSettings,
  firstByteMs: number,
): UpstreamConnection {
  const { name, url, key, auth, headers } = settings;
  const { connect, firstByte, idle, total } = settings.timeoutSeconds;
  return {
    name,
    url,
    key,
    auth,
    headers,
    hasMessagesList: hasMessagesList(settings),
    timeouts: {
      firstByteMs: toMs(firstByte) ?? firstByteMs,
      idleMs: toMs(idle),
      totalMs: toMs(total),
      connectMs: toMs(connect),
    },
  };
}

function hasMessagesList({ protocols, url }: UpstreamSettings): boolean {
  const isAnthropic = new URL(url).hostname === 'api.anthropic.com';
  return isAnthropic || (protocols.includes('messages') && !protocols.includes('chat'));
}

function toMs(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : seconds * 1000;
}

/**
 * Forwarded from the client: what concerns the request itself, and the two headers in which
 * aggregators expect the app's name. Nothing that identifies the client (cookies, authorization, IP
 * addresses), selects an account (`openai-organization`, `openai-project`), or could affect other
 * clients (`idempotency-key`).
 */
const passedOn = ['openai-beta', 'http-referer', 'x-title'] as const;

/** Of Messages requests: the version of the API, the features that the client expects, and that it runs in a browser. */
const passedOnMessages = [
  ...passedOn,
  'anthropic-version',
  'anthropic-beta',
  'anthropic-dangerous-direct-browser-access',
] as const;
const defaults: Readonly<Record<string, string>> = { 'anthropic-version': '2023-06-01' };

// Printable ASCII: anything else is invalid in a header. Lists of betas have more than a thousand characters.
const validValue = /^[\x20-\x7e]{1,4096}$/;

/** Request headers by name, such as `Headers`. */
export type ClientHeaders = Readonly<{ get: (name: string) => string | null }>;

type HeadersOfRequest = Readonly<{
  path: string;
  body?: unknown;
  isStream?: boolean;
  headers?: ClientHeaders;
}>;

/** Creates the headers of requests to an upstream, names and values alternating. */
export function createHeaders({
  key,
  auth = 'bearer',
  headers: own = {},
  hasMessagesList: ofMessages = false,
}: Pick<UpstreamConnection, 'key' | 'auth' | 'headers' | 'hasMessagesList'>): (
  request: HeadersOfRequest,
) => string[] {
  const fixed = {
    // Frames must be readable as they arrive.
    'accept-encoding': 'identity',
    'user-agent': 'marquee',
    ...own,
    ...(auth === 'bearer' ? { authorization: `Bearer ${key}` } : { [auth]: key }),
  };
  // Anthropic’s own servers take the key in this header only.
  const fixedOfMessages = auth === 'bearer' ? { ...fixed, 'x-api-key': key } : fixed;
  const isOfClient = (name: string) => !Object.hasOwn(own, name);
  const always = Object.entries(fixed).flat();
  const alwaysOfMessages = Object.entries(fixedOfMessages).flat();
  const ofClient = passedOn.filter(isOfClient);
  const ofClientOfMessages = passedOnMessages.filter(isOfClient);

  return ({ path, body, isStream, headers: client }) => {
    const isMessages = path.startsWith('/messages') || (ofMessages && path.startsWith('/models'));
    const headers = [...(isMessages ? alwaysOfMessages : always)];
    headers.push('accept', isStream ? 'text/event-stream' : 'application/json');
    if (body !== undefined) headers.push('content-type', 'application/json');
    for (const name of isMessages ? ofClientOfMessages : ofClient) {
      const value = client?.get(name) ?? (isMessages ? defaults[name] : undefined) ?? null;
      if (value !== null && validValue.test(value)) headers.push(name, value);
    }
    return headers;
  };
}
