import { type Dispatcher, errors, request } from 'undici';
import { z } from 'zod';
import { isJsonObject, type JsonObject, parseJson } from '#lib/http/json-value.ts';
import { yieldToEventLoop } from '#lib/http/time-slices.ts';
import { type Failure, toFailure } from './failure.ts';

export type PageResult =
  | Readonly<{ ok: true; page: RecordPage }>
  | (Failure & { readonly ok: false });

type PageRequest = Readonly<{
  url: URL;
  token: string;
  dispatcher: Dispatcher;
  /** Aborts the request, headers and body together. */
  signal: AbortSignal;
}>;

/** For the dispatcher's `maxResponseSize`: 100 records of 300 kB each are larger than any real table. */
export const pageBytesMax = 32 * 1024 * 1024;

/** Requests one page. Redirects are not followed, so the token goes to the configured host only. */
export async function requestPage({
  url,
  token,
  dispatcher,
  signal,
}: PageRequest): Promise<PageResult> {
  let status: number | undefined;
  let retryAfter: string | undefined;
  let body: string;
  try {
    const response = await request(url, {
      dispatcher,
      signal,
      headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
    });
    status = response.statusCode;
    retryAfter = [response.headers['retry-after']].flat()[0];
    body = await response.body.text();
  } catch (error) {
    if (signal.aborted) return { ok: false, reason: 'timeout' };
    const isTooLarge = error instanceof errors.ResponseExceededMaxSizeError;
    return isTooLarge && status !== undefined
      ? { ok: false, reason: 'too_large', status }
      : { ok: false, reason: 'network' };
  }
  if (status !== 200) {
    return { ok: false, ...toFailure(status, parseJson(body), parseRetrySeconds(retryAfter)) };
  }
  await yieldToEventLoop();
  const page = parseRecordPage(body);
  return page === null ? { ok: false, reason: 'malformed', status } : { ok: true, page };
}

// Seconds only: an HTTP date would depend on two clocks.
function parseRetrySeconds(value: string | undefined): number | undefined {
  return value !== undefined && /^\d{1,5}$/.test(value) ? Number(value) * 1000 : undefined;
}

const recordSchema = z.object({
  id: z.string().min(1).max(100),
  createdTime: z.string(),
  // Checked by reference, not copied: each cell is validated when it is read.
  fields: z.custom<JsonObject>(isJsonObject),
});

// Airtable returns at most 100 records.
const pageSchema = z.object({
  records: z.array(recordSchema).max(1000),
  offset: z.string().min(1).optional(),
});

/** A record as the Web API returns it. Its cells may hold anything. */
export type AirtableRecord = Readonly<z.infer<typeof recordSchema>>;

/** One page of a table; without `offset` it is the last one. */
type RecordPage = Readonly<z.infer<typeof pageSchema>>;

/** @returns null for a body that is not a page of records. */
function parseRecordPage(body: string): RecordPage | null {
  const page = pageSchema.safeParse(parseJson(body));
  return page.success ? page.data : null;
}
