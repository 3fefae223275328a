import { type Dispatcher, request } from 'undici';
import { parseJson } from '#lib/http/read-body.ts';
import { yieldToEventLoop } from '#lib/http/timing/time-slices.ts';
import { type Failure, toFailure } from './failure.ts';
import { parseRecordPage, type RecordPage } from './record-page.ts';

export type PageResult =
  | Readonly<{ ok: true; page: RecordPage }>
  | (Failure & { readonly ok: false });

export type PageRequest = Readonly<{
  url: URL;
  token: string;
  dispatcher: Dispatcher;
  /** Aborts the request, headers and body together. */
  signal: AbortSignal;
}>;

/** 100 records of 300 kB each: larger than any real table. */
const bodyBytesMax = 32 * 1024 * 1024;

/** Requests one page. Redirects are not followed, so the token goes to the configured host only. */
export async function requestPage({
  url,
  token,
  dispatcher,
  signal,
}: PageRequest): Promise<PageResult> {
  let status: number;
  let retryAfter: string | undefined;
  let body: string | null;
  try {
    const response = await request(url, {
      dispatcher,
      signal,
      headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
    });
    status = response.statusCode;
    retryAfter = [response.headers['retry-after']].flat()[0];
    body = await readBody(response.body);
  } catch {
    return { ok: false, reason: signal.aborted ? 'timeout' : 'network' };
  }
  if (body === null) return { ok: false, reason: 'too_large', status };
  if (status !== 200) {
    return { ok: false, ...toFailure(status, parseJson(body), parseRetryAfter(retryAfter)) };
  }
  await yieldToEventLoop();
  const page = parseRecordPage(body);
  return page === null ? { ok: false, reason: 'malformed', status } : { ok: true, page };
}

async function readBody(body: Dispatcher.ResponseData['body']): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    const bytes: Buffer = chunk;
    size += bytes.length;
    if (size > bodyBytesMax) {
      body.destroy();
      return null;
    }
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString();
}

// Seconds only: an HTTP date would depend on two clocks.
function parseRetryAfter(value: string | undefined): number | undefined {
  return value !== undefined && /^\d{1,5}$/.test(value) ? Number(value) * 1000 : undefined;
}
