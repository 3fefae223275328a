import { randomBytes } from 'node:crypto';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import type { Log } from '#lib/http/log.ts';
import { toErrorCode } from '#lib/storage/storage-error.ts';
import type { UsageRecord, UsageStore } from '#lib/storage/usage-store.ts';
import { channels } from '#lib/telemetry/channels.ts';
import { toUsageRecord, type UsageEntry } from './usage-record.ts';

export type UsageMeterOptions = Readonly<{
  usage: Pick<UsageStore, 'insert'>;
  now: () => number;
  log: Log;
  /** The most records to queue while the database is unavailable. */
  waitingMax?: number;
  /** How long `close` retries, ms. */
  closeWithinMs?: number;
}>;

export type UsageMeter = Readonly<{
  /** Returns at once and never throws. */
  record: (entry: UsageEntry) => void;
  /** Writes queued records, if the database accepts them. */
  flush: () => Promise<void>;
  /** Writes queued records with retries; logs how many are lost. */
  close: () => Promise<void>;
}>;

const everyMs = 1_000;
const batchSize = 100;
const retryMs = 250;

/**
 * Collects usage and writes it in batches: every second, or as soon as there are 100 records. A
 * failed batch is retried; records have ids, so one that was already inserted counts once.
 */
export function createUsageMeter(options: UsageMeterOptions): UsageMeter {
  const { usage, now, log, waitingMax = 50_000, closeWithinMs = 5_000 } = options;
  const nextId = createUsageIds(now);
  let waiting: UsageRecord[] = [];
  /** Records being written. */
  let inFlight: readonly UsageRecord[] = [];
  let writing: Promise<void> | null = null;
  let timer: NodeJS.Timeout | null = null;
  let isFailing = false;
  let lost = 0;

  function record(entry: UsageEntry): void {
    waiting.push(toUsageRecord(entry, nextId(), now()));
    publishLength();
    if (waiting.length > waitingMax) drop(batchSize);
    if (waiting.length >= batchSize && !isFailing) void flush();
    else schedule();
  }

  function publishLength(): void {
    channels.usageQueue.publish(waiting.length + inFlight.length);
  }

  function schedule(): void {
    // Unreferenced, so it does not keep the process alive: `close` writes the rest.
    timer ??= setTimeout(() => void flush(), everyMs).unref();
  }

  /** Drops the oldest records. */
  function drop(count: number): void {
    waiting.splice(0, count);
    if (lost === 0) log.error({ reason: 'usage_lost', waitingMax }, 'usage records are lost');
    lost += count;
  }

  function flush(): Promise<void> {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    writing ??= write().finally(() => {
      writing = null;
      if (waiting.length > 0) schedule();
    });
    return writing;
  }

  async function write(): Promise<void> {
    for (;;) {
      // Embedded databases write synchronously: let requests run first.
      await nextTurn();
      if (waiting.length === 0) return;
      inFlight = waiting.slice(0, batchSize);
      waiting = waiting.slice(inFlight.length);
      try {
        await usage.insert(inFlight);
      } catch (error) {
        waiting = [...inFlight, ...waiting];
        recordFailure(error);
        return;
      } finally {
        inFlight = [];
        publishLength();
      }
      recordSuccess();
    }
  }

  function recordFailure(error: unknown): void {
    const code = toErrorCode(error);
    if (!isFailing) log.warn({ reason: 'usage_unwritable', code }, 'usage cannot be written yet');
    isFailing = true;
  }

  function recordSuccess(): void {
    if (isFailing) log.info({ lost }, 'usage is written again');
    isFailing = false;
    lost = 0;
  }

  async function flushWithin(ms: number): Promise<void> {
    const over = new AbortController();
    await Promise.race([flush(), delay(ms, undefined, { signal: over.signal })]);
    over.abort();
  }

  async function close(): Promise<void> {
    const deadline = performance.now() + closeWithinMs;
    const countLeft = (): number => waiting.length + inFlight.length;
    // At least one attempt; a database that hangs is not awaited longer than the deadline.
    do {
      if (isFailing) await delay(retryMs);
      await flushWithin(Math.max(retryMs, deadline - performance.now()));
    } while (countLeft() > 0 && performance.now() < deadline);
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (countLeft() === 0) return;
    log.error({ reason: 'usage_lost', lost: countLeft() + lost }, 'usage records are lost');
  }

  return { record, flush, close };
}

/**
 * Creates ids that are unique across instances and ascend with time: sequential inserts cost the
 * database a third of random ones.
 */
function createUsageIds(now: () => number): () => string {
  const instance = randomBytes(9).toString('base64url');
  let count = 0;
  return () => {
    count += 1;
    const time = Math.max(0, now()).toString(36).padStart(9, '0');
    return `${time}-${count.toString(36).padStart(7, '0')}-${instance}`;
  };
}
