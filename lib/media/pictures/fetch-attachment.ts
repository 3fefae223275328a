import { Agent, type Dispatcher, request } from 'undici';

/** Why an attachment could not be had, in our own words. */
export type FetchFailure =
  | 'not_allowed'
  | 'redirected'
  | 'refused'
  | 'network'
  | 'timeout'
  | 'too_large';

export type FetchResult =
  | Readonly<{ ok: true; bytes: Buffer }>
  | Readonly<{ ok: false; reason: FetchFailure }>;

export type AttachmentFetcher = Readonly<{
  /** Fetches the bytes behind a signed address. Never throws, and never tells the address. */
  fetch: (url: string) => Promise<FetchResult>;
  close: () => Promise<void>;
}>;

export type AttachmentFetcherOptions = Readonly<{
  /** `host` or `host:port`, over https. */
  hosts: readonly string[];
  /** Attachments may come from here too, whatever its scheme. */
  apiUrl: string;
  /** For all of it: the connection, the head and the last byte. */
  timeoutMs?: number;
  bytesMax?: number;
}>;

export function createAttachmentFetcher(options: AttachmentFetcherOptions): AttachmentFetcher {
  const { hosts, timeoutMs = 10_000, bytesMax = 10 * 1024 * 1024 } = options;
  const apiOrigin = new URL(options.apiUrl).origin;
  const dispatcher = new Agent({ connections: 4, connect: { timeout: timeoutMs } });

  // Addresses stand in a table that people write in: they may not lead into our own network.
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
        return await download(url, { dispatcher, signal, bytesMax });
      } catch {
        return { ok: false, reason: signal.aborted ? 'timeout' : 'network' };
      }
    },
    close: () => dispatcher.destroy(),
  };
}

type Download = Readonly<{ dispatcher: Dispatcher; signal: AbortSignal; bytesMax: number }>;

async function download(
  url: URL,
  { dispatcher, signal, bytesMax }: Download,
): Promise<FetchResult> {
  // undici's request follows no redirect: a host that is allowed may not send us to one that is not.
  const { statusCode, headers, body } = await request(url, { dispatcher, signal });
  if (statusCode !== 200) {
    body.on('error', () => {}).destroy();
    return { ok: false, reason: statusCode >= 300 && statusCode < 400 ? 'redirected' : 'refused' };
  }
  if (Number(headers['content-length'] ?? 0) > bytesMax) {
    body.on('error', () => {}).destroy();
    return { ok: false, reason: 'too_large' };
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    const bytes: Buffer = chunk;
    size += bytes.length;
    // Leaving the loop ends the connection.
    if (size > bytesMax) return { ok: false, reason: 'too_large' };
    chunks.push(bytes);
  }
  return { ok: true, bytes: Buffer.concat(chunks) };
}
