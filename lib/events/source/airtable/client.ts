import { setTimeout as sleep } from 'node:timers/promises';
import { Agent } from 'undici';
import { createTimeSlices, yieldToEventLoop } from '#lib/http/time-slices.ts';
import { channels } from '#lib/telemetry/channels.ts';
import { withSpan } from '#lib/telemetry/spans.ts';
import { AirtableError, type Failure } from './failure.ts';
import { createRateLimiter, penaltyMs } from './rate-limiter.ts';
import { type AirtableRecord, type PageResult, pageBytesMax, requestPage } from './request-page.ts';

type AirtableTable = Readonly<{
  apiUrl: string;
  token: string;
  baseId: string;
  table: string;
}>;

export type AirtableClientOptions = Readonly<{
  /** A monotonic clock in ms, for the rate limiter. */
  uptime?: () => number;
  requestTimeoutMs?: number;
  readTimeoutMs?: number;
  /** Before the first retry; each one after it waits twice as long. */
  firstRetryMs?: number;
  /** Called for every call of Airtable. */
  onCall?: () => void;
  /** The pause after a 429 that other instances keep to, too. */
  pause?: Pause;
}>;

export type Pause = Readonly<{
  leftMs: () => Promise<number>;
  start: (durationMs: number) => Promise<void>;
}>;

const ownPause: Pause = { leftMs: async () => 0, start: async () => {} };

type ReadParameters = Readonly<{ fields?: readonly string[]; maxRecords?: number }>;

export type AirtableClient = Readonly<{
  /**
   * Reads the whole table, page by page, as of one moment: pages of two reads are never mixed.
   * @throws AirtableError (502) with the reason, without any text of the upstream.
   */
  readRecords: (parameters?: ReadParameters) => Promise<AirtableRecord[]>;
  /** The same, but converts each record as soon as its page has arrived. */
  mapRecords: <T>(toItem: (record: AirtableRecord) => T) => Promise<T[]>;
  close: () => Promise<void>;
}>;

/** How often a read starts again after its iterator expired. */
const restartsMax = 2;
/** How often a page is requested again after a 503 or a broken connection. */
const retriesMax = 3;

/** A client for one table. It expects one read at a time; the loader ensures that. */
export function createAirtableClient(
  table: AirtableTable,
  options: AirtableClientOptions = {},
): AirtableClient {
  const {
    uptime = () => performance.now(),
    requestTimeoutMs = 10_000,
    readTimeoutMs = 30_000,
  } = options;
  const { firstRetryMs = 500, onCall, pause = ownPause } = options;
  const limiter = createRateLimiter(uptime);
  const dispatcher = new Agent({
    connections: 1,
    connect: { timeout: requestTimeoutMs },
    maxResponseSize: pageBytesMax,
  });

  async function read<T>(
    toItem: (record: AirtableRecord) => T,
    parameters: ReadParameters,
  ): Promise<T[]> {
    const deadline = AbortSignal.timeout(readTimeoutMs);
    const pausedMs = await pause.leftMs();
    if (pausedMs > 0) limiter.block(pausedMs);
    for (let restarts = 0; ; restarts++) {
      const items = await readPages(toListUrl(table, parameters), toItem, deadline);
      if (items !== 'expired') return items;
      if (restarts === restartsMax) throw new AirtableError({ reason: 'iterator_expired' });
    }
  }

  async function readPages<T>(
    url: URL,
    toItem: (record: AirtableRecord) => T,
    deadline: AbortSignal,
  ): Promise<T[] | 'expired'> {
    const items: T[] = [];
    const offsets = new Set<string>();
    for (;;) {
      const result = await readPage(url, deadline);
      if (!result.ok) {
        if (result.reason === 'iterator_expired') return 'expired';
        throw new AirtableError(result);
      }
      await yieldToEventLoop();
      const yieldWhenDue = createTimeSlices();
      for (const record of result.page.records) {
        items.push(toItem(record));
        await yieldWhenDue();
      }
      const { offset } = result.page;
      if (offset === undefined) return items;
      // An upstream that repeats an offset would be read forever.
      if (offsets.has(offset)) throw new AirtableError({ reason: 'malformed' });
      offsets.add(offset);
      url.searchParams.set('offset', offset);
    }
  }

  async function readPage(url: URL, deadline: AbortSignal): Promise<PageResult> {
    for (let retries = 0; ; retries++) {
      await waitForTurn(deadline);
      const signal = AbortSignal.any([deadline, AbortSignal.timeout(requestTimeoutMs)]);
      const result = await withSpan('request a page of the table', {}, () =>
        requestPage({ url, token: table.token, dispatcher, signal }),
      );
      limiter.responded();
      onCall?.();
      channels.airtableCalled.publish({ outcome: result.ok ? 'ok' : result.reason });
      if (result.ok) return result;
      if (isRateLimited(result)) {
        limiter.block(Math.max(penaltyMs, result.retryAfterMs ?? 0));
        const retryAfterMs = limiter.blockedForMs();
        await pause.start(retryAfterMs);
        return { ...result, retryAfterMs };
      }
      if (!isTransient(result) || retries === retriesMax) return result;
      const waitMs = result.retryAfterMs ?? firstRetryMs * 2 ** retries;
      // Waiting longer than the read may take is useless.
      if (waitMs >= readTimeoutMs) return result;
      await sleepUntilAborted(waitMs, deadline);
    }
  }

  async function waitForTurn(deadline: AbortSignal): Promise<void> {
    const retryAfterMs = limiter.blockedForMs();
    if (retryAfterMs > 0)
      throw new AirtableError({
        reason: 'rate_limited',
        retryAfterMs,
      });
    for (let waitMs = limiter.take(); waitMs > 0; waitMs = limiter.take()) {
      await sleepUntilAborted(waitMs, deadline);
    }
  }

  return {
    readRecords: (parameters = {}) => read((record) => record, parameters),
    mapRecords: (toItem) => read(toItem, {}),
    close: () => dispatcher.destroy(),
  };
}

function toListUrl(
  { apiUrl, baseId, table }: AirtableTable,
  { fields = [], maxRecords }: ReadParameters,
): URL {
  const url = new URL(
    `${apiUrl.replace(/\/$/, '')}/v0/${encodeURIComponent(baseId)}/${encodeURIComponent(table)}`,
  );
  for (const field of fields) url.searchParams.append('fields[]', field);
  if (maxRecords !== undefined) url.searchParams.set('maxRecords', String(maxRecords));
  return url;
}

function isRateLimited({ reason }: Failure): boolean {
  return reason === 'rate_limited' || reason === 'quota_exhausted';
}

function isTransient({ reason }: Failure): boolean {
  return reason === 'unavailable' || reason === 'network';
}

async function sleepUntilAborted(waitMs: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(waitMs, undefined, { signal });
  } catch {
    throw new AirtableError({ reason: 'timeout' });
  }
}
