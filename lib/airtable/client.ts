import { setTimeout as sleep } from 'node:timers/promises';
import { Agent } from 'undici';
import { createTimeSlices, yieldToEventLoop } from '#lib/events/store/time-slices.ts';
import { AirtableError, type Failure } from './failure.ts';
import type { AirtableRecord } from './record.ts';
import { createRequestGate, penaltyMs } from './request-gate.ts';
import { type PageResult, requestPage } from './request-page.ts';

export type AirtableTable = Readonly<{
  apiUrl: string;
  token: string;
  baseId: string;
  table: string;
}>;

export type AirtableClientOptions = Readonly<{
  /** Unix time in ms, for the pace of requests. */
  now?: () => number;
  requestTimeoutMs?: number;
  readTimeoutMs?: number;
}>;

export type ReadParameters = Readonly<{ fields?: readonly string[]; maxRecords?: number }>;

export type AirtableClient = Readonly<{
  /**
   * Reads the whole table, page by page, as of one moment: never a page of one read with a page of another.
   * @throws AirtableError (502) with the reason, in our own words.
   */
  readRecords: (parameters?: ReadParameters) => Promise<AirtableRecord[]>;
  /** The same, where each record is made into something smaller as soon as its page is in. */
  mapRecords: <T>(toItem: (record: AirtableRecord) => T) => Promise<T[]>;
  close: () => Promise<void>;
}>;

/** How often a read starts again because its iterator ran out. */
const restartsMax = 2;
/** How often one page is asked for again after a 503 or a broken connection. */
const retriesMax = 3;
const firstRetryMs = 500;

/** A client for one table. One read at a time is assumed: the loader sees to that. */
export function createAirtableClient(
  table: AirtableTable,
  options: AirtableClientOptions = {},
): AirtableClient {
  const { now = Date.now, requestTimeoutMs = 10_000, readTimeoutMs = 30_000 } = options;
  const gate = createRequestGate(now);
  const dispatcher = new Agent({
    connections: 1,
    connect: { timeout: requestTimeoutMs },
  });

  async function read<T>(
    toItem: (record: AirtableRecord) => T,
    parameters: ReadParameters,
  ): Promise<T[]> {
    const deadline = AbortSignal.timeout(readTimeoutMs);
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
        if (record === null) throw new AirtableError({ reason: 'malformed', status: 200 });
        items.push(toItem(record));
        await yieldWhenDue();
      }
      const { offset } = result.page;
      if (offset === undefined) return items;
      // An upstream that hands out the same offset twice would be read for ever.
      if (offsets.has(offset)) throw new AirtableError({ reason: 'malformed' });
      offsets.add(offset);
      url.searchParams.set('offset', offset);
    }
  }

  async function readPage(url: URL, deadline: AbortSignal): Promise<PageResult> {
    for (let retries = 0; ; retries++) {
      await waitForTurn(deadline);
      const signal = AbortSignal.any([deadline, AbortSignal.timeout(requestTimeoutMs)]);
      const result = await requestPage({
        url,
        token: table.token,
        dispatcher,
        signal,
      });
      gate.answered();
      if (result.ok) return result;
      if (isRefusal(result)) {
        gate.shut(Math.max(penaltyMs, result.retryAfterMs ?? 0));
        return { ...result, retryAfterMs: gate.shutForMs() };
      }
      if (!isPassing(result) || retries === retriesMax) return result;
      const waitMs = result.retryAfterMs ?? firstRetryMs * 2 ** retries;
      // No use in waiting for longer than the read may take.
      if (waitMs >= readTimeoutMs) return result;
      await sleepUntilAborted(waitMs, deadline);
    }
  }

  async function waitForTurn(deadline: AbortSignal): Promise<void> {
    const shutForMs = gate.shutForMs();
    if (shutForMs > 0)
      throw new AirtableError({
        reason: 'rate_limited',
        retryAfterMs: shutForMs,
      });
    for (let waitMs = gate.take(); waitMs > 0; waitMs = gate.take()) {
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

// The upstream asks to be left alone.
function isRefusal({ reason }: Failure): boolean {
  return reason === 'rate_limited' || reason === 'quota_exhausted';
}

// Likely to go well a moment later.
function isPassing({ reason }: Failure): boolean {
  return reason === 'unavailable' || reason === 'network';
}

async function sleepUntilAborted(waitMs: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(waitMs, undefined, { signal });
  } catch {
    throw new AirtableError({ reason: 'timeout' });
  }
}
