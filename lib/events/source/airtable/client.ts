import { setTimeout as sleep } from 'node:timers/promises';
import { Agent } from 'undici';
import { createTimeSlices, yieldToEventLoop } from '#lib/http/time-slices.ts';
import { channels } from '#lib/telemetry/channels.ts';
import { withSpan } from '#lib/telemetry/spans.ts';
import { AirtableError, type Failure } from './failure.ts';
import { createRateLimiter, penaltyMs, type RateLimiter } from './rate-limiter.ts';
import { ReadDeadline } from './read-deadline.ts';
import { type AirtableRecord, type PageResult, pageBytesMax, requestPage } from './request-page.ts';

type AirtableTable = Readonly<{
  apiUrl: string;
  token: string;
  baseId: string;
  table: string;
  /** By name or id: only its rows are read. Default: all rows. */
  view?: string | null;
}>;

export type AirtableClientOptions = Readonly<{
  /** A monotonic clock in ms, for the rate limiter. */
  uptime?: () => number;
  requestTimeoutMs?: number;
  /** The longest wait for a page, and the longest read while pages arrive. */
  pageTimeoutMs?: number;
  readTimeoutMs?: number;
  /** Before the first retry; each one after it waits twice as long. */
  firstRetryMs?: number;
  /** Called for every call of Airtable. */
  onCall?: () => void;
  /** Called with the rows that have arrived: none when a read begins. */
  onRows?: (count: number) => void;
  /** The pause after a 429 that other instances keep to, too. */
  pause?: Pause;
}>;

export type Pause = Readonly<{
  leftMs: () => Promise<number>;
  start: (durationMs: number) => Promise<void>;
}>;

const defaults: Required<AirtableClientOptions> = {
  uptime: () => performance.now(),
  requestTimeoutMs: 10_000,
  pageTimeoutMs: 30_000,
  // Two such reads, one after the other, and events are not yet 300 s old.
  readTimeoutMs: 140_000,
  firstRetryMs: 500,
  onCall: () => {},
  onRows: () => {},
  pause: { leftMs: async () => 0, start: async () => {} },
};

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
  const reader = new TableReader(table, options);
  return {
    readRecords: (parameters = {}) => reader.read((record) => record, parameters),
    mapRecords: (toItem) => reader.read(toItem, {}),
    close: () => reader.close(),
  };
}

type ToItem<T> = (record: AirtableRecord) => T;

class TableReader {
  readonly #table: AirtableTable;
  readonly #options: Required<AirtableClientOptions>;
  readonly #limiter: RateLimiter;
  readonly #dispatcher: Agent;

  constructor(table: AirtableTable, options: AirtableClientOptions) {
    this.#table = table;
    this.#options = { ...defaults, ...options };
    this.#limiter = createRateLimiter(this.#options.uptime);
    this.#dispatcher = new Agent({
      connections: 1,
      connect: { timeout: this.#options.requestTimeoutMs },
      maxResponseSize: pageBytesMax,
    });
  }

  async read<T>(toItem: ToItem<T>, parameters: ReadParameters): Promise<T[]> {
    const pausedMs = await this.#options.pause.leftMs();
    if (pausedMs > 0) this.#limiter.block(pausedMs);
    const deadline = new ReadDeadline(this.#options);
    try {
      for (let restarts = 0; ; restarts++) {
        const items = await this.#readPages(toListUrl(this.#table, parameters), toItem, deadline);
        if (items !== 'expired') return items;
        if (restarts === restartsMax) throw new AirtableError({ reason: 'iterator_expired' });
      }
    } finally {
      deadline.end();
    }
  }

  close(): Promise<void> {
    return this.#dispatcher.destroy();
  }

  async #readPages<T>(
    url: URL,
    toItem: ToItem<T>,
    deadline: ReadDeadline,
  ): Promise<T[] | 'expired'> {
    const items: T[] = [];
    const offsets = new Set<string>();
    for (;;) {
      this.#options.onRows(items.length);
      const result = await this.#readPage(url, deadline, items.length > 0);
      if (!result.ok) {
        if (result.reason === 'iterator_expired') return 'expired';
        throw new AirtableError(result);
      }
      deadline.startPage();
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

  async #readPage(url: URL, deadline: ReadDeadline, isLater: boolean): Promise<PageResult> {
    for (let retries = 0; ; retries++) {
      await this.#waitForTurn(deadline.signal);
      const result = await this.#request(url, deadline.signal);
      if (result.ok) return result;
      if (isRateLimited(result)) {
        const limited = await this.#pauseAll(result);
        const mayGoOn = isLater && result.reason === 'rate_limited';
        if (mayGoOn && (await this.#sitOut(deadline))) continue;
        return limited;
      }
      if (!isTransient(result) || retries === retriesMax) return result;
      const waitMs = result.retryAfterMs ?? this.#options.firstRetryMs * 2 ** retries;
      // Waiting longer than a page may take is useless.
      if (waitMs >= this.#options.pageTimeoutMs) return result;
      await sleepUntilAborted(waitMs, deadline.signal);
    }
  }

  /** Waits for the end of a pause: others who use the base have caused it, and the pages so far are not lost. */
  async #sitOut(deadline: ReadDeadline): Promise<boolean> {
    if (this.#limiter.blockedForMs() >= deadline.leftMs) return false;
    deadline.holdPage();
    for (let waitMs = this.#limiter.blockedForMs(); waitMs > 0; ) {
      await sleepUntilAborted(Math.min(waitMs, 250), deadline.signal);
      waitMs = this.#limiter.blockedForMs();
    }
    deadline.startPage();
    return true;
  }

  async #request(url: URL, deadline: AbortSignal): Promise<PageResult> {
    const { requestTimeoutMs, onCall } = this.#options;
    const signal = AbortSignal.any([deadline, AbortSignal.timeout(requestTimeoutMs)]);
    const [token, dispatcher] = [this.#table.token, this.#dispatcher];
    const result = await withSpan('request a page of the table', {}, () =>
      requestPage({ url, token, dispatcher, signal }),
    );
    this.#limiter.responded();
    onCall();
    channels.airtableCalled.publish({ outcome: result.ok ? 'ok' : result.reason });
    return result;
  }

  async #pauseAll(failure: Failure): Promise<PageResult> {
    this.#limiter.block(Math.max(penaltyMs, failure.retryAfterMs ?? 0));
    const retryAfterMs = this.#limiter.blockedForMs();
    await this.#options.pause.start(retryAfterMs);
    return { ...failure, ok: false, retryAfterMs };
  }

  async #waitForTurn(deadline: AbortSignal): Promise<void> {
    const retryAfterMs = this.#limiter.blockedForMs();
    if (retryAfterMs > 0) throw new AirtableError({ reason: 'rate_limited', retryAfterMs });
    for (let waitMs = this.#limiter.take(); waitMs > 0; waitMs = this.#limiter.take()) {
      await sleepUntilAborted(waitMs, deadline);
    }
  }
}

function toListUrl(
  { apiUrl, baseId, table, view }: AirtableTable,
  { fields = [], maxRecords }: ReadParameters,
): URL {
  const url = new URL(
    `${apiUrl.replace(/\/$/, '')}/v0/${encodeURIComponent(baseId)}/${encodeURIComponent(table)}`,
  );
  if (view) url.searchParams.set('view', view);
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
