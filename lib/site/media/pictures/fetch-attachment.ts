import { Agent, errors, request } from 'undici';

/** Why an attachment could not be fetched. */
export type FetchFailure =
  | 'not_allowed'
  | 'redirected'
  | 'rejected'
  | 'network'
  | 'timeout'
  | 'too_large';

type FetchResult =
  | Readonly<{ ok: true; bytes: Buffer }>
  | Readonly<{ ok: false; reason: FetchFailure }>;

export type AttachmentFetcher = Readonly<{
  /** Fetches a signed URL. Never throws, and the result does not contain the URL. */
  fetch: (url: string) => Promise<FetchResult>;
  close: () => Promise<void>;
}>;

export type AttachmentFetcherOptions = Readonly<{
  /** `host` or `host:port`; HTTPS only. */
  hosts: readonly string[];
  /** Its origin is allowed too, with any scheme. */
  apiUrl: string;
  /** For the whole download. */
  timeoutMs?: number;
  bytesMax?: number;
}>;

/** Fetches attachments from allowed hosts only, without following redirects. */
export function createAttachmentFetcher(options: AttachmentFetcherOptions): AttachmentFetcher {
  const { hosts, timeoutMs = 10_000, bytesMax = 10 * 1024 * 1024 } = options;
  const apiOrigin = new URL(options.apiUrl).origin;
  const dispatcher = new Agent({
    connections: 4,
    connect: { timeout: timeoutMs },
    maxResponseSize: bytesMax,
  });

  // Anyone who edits the table can enter a URL: it must not reach our own network (SSRF).
  function isAllowed(url: URL): boolean {
    if (url.username !== '' || url.password !== '') return false;
    if (url.origin === apiOrigin) return true;
    return url.protocol === 'https:' && hosts.includes(url.host);
  }

  return {
    async fetch(text) {
      const url = URL.parse(text);
      if (url === null || !isAllowed(url)) return { ok: false, reason: 'not_allowed' };
      const signal = AbortSignal.timeout(timeoutMs);
      try {
        // undici's request does not follow redirects, which could point to a host that is not allowed.
        const { statusCode, headers, body } = await request(url, { dispatcher, signal });
        const isTooLarge = Number(headers['content-length'] ?? 0) > bytesMax;
        if (statusCode === 200 && !isTooLarge) {
          return { ok: true, bytes: Buffer.from(await body.arrayBuffer()) };
        }
        body.on('error', () => {}).destroy();
        if (statusCode === 200) return { ok: false, reason: 'too_large' };
        const isRedirect = statusCode >= 300 && statusCode < 400;
        return { ok: false, reason: isRedirect ? 'redirected' : 'rejected' };
      } catch (error) {
        if (signal.aborted) return { ok: false, reason: 'timeout' };
        const isTooLarge = error instanceof errors.ResponseExceededMaxSizeError;
        return { ok: false, reason: isTooLarge ? 'too_large' : 'network' };
      }
    },
    close: () => dispatcher.destroy(),
  };
}
