import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import type { Log } from '#lib/http/log.ts';
import { toErrorCode } from '#lib/storage/storage-error.ts';
import type { UsageRecord, UsageStore } from '#lib/storage/usage-store.ts';
import { createUsageIds } from './usage-id.ts';
import { toUsageRecord, type UsageEntry } from './usage-record.ts';

export type UsageMeterOptions = Readonly<{
  usage: Pick<UsageStore, 'insert'>;
  now: () => number;
  log: Log;
  /** Records that wait at most while the database does not take them. */
  waitingMax?: number;
  /** ms that `close` goes on trying. */
  closeWithinMs?: number;
}>;

export type UsageMeter = Readonly<{
  /** Never waits, never throws. */
  record: (entry: UsageEntry) => void;
  /** Writes what waits, as far as the database takes it. */
  flush: () => Promise<void>;
  /** Writes what waits, and tries again for a while where that fails; what is lost is counted in the log. */
  close: () => Promise<void>;
}>;

const everyMs = 1_000;
const batchSize = 100;
const retryMs = 250;

/**
 * Collects usage, and writes it in batches: every second, or as soon as there are 100 records. A batch
 * that fails is retried; records have ids, so that one that did arrive counts once.
 */
export function createUsageMeter(options: UsageMeterOptions): UsageMeter {
  const { usage, now, log, waitingMax = 50_000, closeWithinMs = 5_000 } = options;
  const nextId = createUsageIds(now);
  let waiting: UsageRecord[] = [];
  /** Records on their way to the database. */
  let under: readonly UsageRecord[] = [];
  let writing: Promise<void> | null = null;
  let timer: NodeJS.Timeout | null = null;
  let isFailing = false;
  let lost = 0;

  function record(entry: UsageEntry): void {
    waiting.push(toUsageRecord(entry, nextId(), now()));
    if (waiting.length > waitingMax) drop(batchSize);
    if (waiting.length >= batchSize && !isFailing) void flush();
    else schedule();
  }

  function schedule(): void {
    // It does not hold up the end of the process: `close` writes what is left.
    timer ??= setTimeout(() => void flush(), everyMs).unref();
  }

  /** The oldest go: their requests have been answered longest. */
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
      // An embedded database writes within this turn of the event loop: requests go first.
      await nextTurn();
      if (waiting.length === 0) return;
      under = waiting.slice(0, batchSize);
      waiting = waiting.slice(under.length);
      try {
        await usage.insert(under);
      } catch (error) {
        waiting = [...under, ...waiting];
        recordFailure(error);
        return;
      } finally {
        under = [];
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
    const countLeft = (): number => waiting.length + under.length;
    // The first try is owed in any case; a database that hangs is not waited for longer.
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
