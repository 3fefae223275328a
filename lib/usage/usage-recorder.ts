import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '#lib/http/log.ts';
import { toFileError, toLogFields } from '#lib/storage/storage-error.ts';
import type { UsageRecord } from '#lib/storage/stores/usage-store.ts';
import { channels } from '#lib/telemetry/channels.ts';
import { adoptQueues } from './adopt-queues.ts';
import { drainQueue, type UsageStores } from './drain-queue.ts';
import { createHousekeeping } from './housekeeping.ts';
import { createUsageQueue, type Place, type UsageQueue } from './usage-queue.ts';
import { toUsageRecord, type UsageEntry } from './usage-record.ts';

export type UsageRecorderOptions = Readonly<{
  dataDir: string;
  stores: UsageStores;
  /** How many days records are stored. */
  usageDays: number;
  /** Unix time in ms. */
  now: () => number;
  log: Log;
  /** How long `close` retries, ms. */
  closeWithinMs?: number;
}>;

/** Of a request that cost nothing, since it was never sent on. */
export type Rejection = Readonly<{ keyId: string; at: number; status: number; code: string }>;

export type UsageRecorder = Readonly<{
  /** Takes over what earlier processes have left behind. Resolves also if the database is away. */
  start: () => Promise<void>;
  /**
   * Stores that a request is under way; returns the function that ends it, which never throws.
   * @param toEntry what it costs if it ends now, of which nobody else knows.
   * @throws StorageError if the disk does not take it: a request that is not recorded is not made.
   */
  open: (toEntry: () => UsageEntry) => (entry: UsageEntry) => void;
  /** Counts a rejected request. */
  reject: (rejection: Rejection) => void;
  /** Writes what has ended to the database, if it accepts it. */
  flush: () => Promise<void>;
  /** The same with retries. What is left waits in the queue for the next start. */
  close: () => Promise<void>;
}>;

const everyMs = 1_000;
/** How long other instances leave a request under way alone after its lease was renewed. */
const leaseMs = 45_000;
const retryMs = 250;

/** The usage of every request, by way of a queue on disk: see the README.md here. */
export function createUsageRecorder(options: UsageRecorderOptions): UsageRecorder {
  const { dataDir, stores, usageDays, now, log, closeWithinMs = 5_000 } = options;
  const folder = join(dataDir, 'usage');
  const instance = randomBytes(9).toString('base64url');
  const nextId = createUsageIds(now, instance);
  const underWay = new Map<Place, () => UsageRecord>();
  /** What has ended while the disk was full. */
  const unstored = new Map<Place, UsageRecord>();
  const housekeeping = createHousekeeping({ stores, usageDays, log });
  let queue: UsageQueue | null = null;
  let writing: Promise<void> | null = null;
  let timer: NodeJS.Timeout | null = null;
  /** Requests that have ended, but are not in the database yet. */
  let waiting = 0;
  let isDiskFailing = false;
  let isDatabaseFailing = false;

  /** Unreferenced, so that it does not keep the process alive: `close` writes the rest. */
  function startTimer(): void {
    timer ??= setInterval(() => void tick(), everyMs).unref();
  }

  /** @throws StorageError that says what is wrong with the disk. */
  function store<T>(write: (queue: UsageQueue) => T): T {
    try {
      queue ??= createUsageQueue(join(folder, `${instance}.db`));
      const result = write(queue);
      if (isDiskFailing) log.info({}, 'usage can be stored again');
      isDiskFailing = false;
      return result;
    } catch (cause) {
      const error = toFileError(cause, dataDir);
      const fields = { reason: 'usage_not_stored', code: error.code };
      if (!isDiskFailing) log.error(fields, error.message);
      isDiskFailing = true;
      throw error;
    }
  }

  function open(toEntry: () => UsageEntry): (entry: UsageEntry) => void {
    startTimer();
    const id = nextId();
    const toRecord = () => toUsageRecord(toEntry(), id, now());
    const place = store((queue) => queue.open(toRecord()));
    underWay.set(place, toRecord);
    return (entry) => {
      underWay.delete(place);
      countWaiting(1);
      end(place, toUsageRecord(entry, id, now()));
    };
  }

  function countWaiting(change: number): void {
    waiting += change;
    channels.usageQueue.publish(waiting);
  }

  function end(place: Place, record: UsageRecord): void {
    try {
      store((queue) => queue.replace(place, record, false));
      unstored.delete(place);
    } catch {
      unstored.set(place, record);
    }
  }

  function reject({ keyId, at, status, code }: Rejection): void {
    startTimer();
    const minute = at - (at % 60_000);
    const id = [instance, minute, keyId, status, code].join(' ');
    try {
      store((queue) => queue.reject({ id, keyId, at: minute, status, code }));
    } catch {
      // It cost nothing, and the log says that the disk fails.
    }
  }

  async function tick(): Promise<void> {
    for (const [place, record] of unstored) end(place, record);
    await flush();
    await housekeeping.run({ renew: renewLeases, adopt });
  }

  /** Writes down what requests under way have cost so far. */
  async function renewLeases(): Promise<void> {
    const records = [...underWay].map(([place, toRecord]) => ({ place, record: toRecord() }));
    for (const { place, record } of records) store((queue) => queue.replace(place, record, true));
    const until = (await stores.readClock()) + leaseMs;
    await stores.usage.lease(
      records.map(({ record }) => record),
      until,
    );
  }

  const adopt = () => adoptQueues({ folder, stores, now, log });

  function flush(): Promise<void> {
    writing ??= write().finally(() => {
      writing = null;
    });
    return writing;
  }

  async function write(): Promise<void> {
    if (queue === null) return;
    try {
      await drainQueue(queue, stores, now(), (count) => countWaiting(-count));
      if (isDatabaseFailing) log.info({}, 'usage is written again');
      isDatabaseFailing = false;
    } catch (error) {
      const fields = { reason: 'usage_unwritable', ...toLogFields(error) };
      if (!isDatabaseFailing) log.warn(fields, 'usage waits in the queue');
      isDatabaseFailing = true;
    }
  }

  async function flushWithin(ms: number): Promise<void> {
    const over = new AbortController();
    // A flush in progress may have missed the last record.
    const flushed = flush().then(flush);
    await Promise.race([flushed, delay(Math.max(0, ms), undefined, { signal: over.signal })]);
    over.abort();
  }

  async function close(): Promise<void> {
    if (timer !== null) clearInterval(timer);
    for (const [place, record] of unstored) end(place, record);
    const deadline = performance.now() + closeWithinMs;
    do {
      if (isDatabaseFailing) await delay(retryMs);
      await flushWithin(deadline - performance.now());
    } while (isDatabaseFailing && performance.now() < deadline);
    if (queue?.isEmpty() === false) log.warn({}, 'usage waits in DATA_DIR for the next start');
    queue?.release();
    queue = null;
  }

  return {
    async start() {
      startTimer();
      // It is tried again every ten seconds.
      await adopt().catch(() => {});
    },
    ...{ open, reject, flush, close },
  };
}

/**
 * Creates ids that are unique across instances and ascend with time: sequential inserts cost the
 * database a third of random ones.
 */
function createUsageIds(now: () => number, instance: string): () => string {
  let count = 0;
  return () => {
    count += 1;
    const time = Math.max(0, now()).toString(36).padStart(9, '0');
    return `${time}-${count.toString(36).padStart(7, '0')}-${instance}`;
  };
}
