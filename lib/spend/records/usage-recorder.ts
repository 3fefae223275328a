import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '#lib/http/log.ts';
import { toLogFields } from '#lib/storage/storage-error.ts';
import { channels } from '#lib/telemetry/channels.ts';
import type { UsageRecord } from '../store/usage-store.ts';
import { adoptQueues } from './adopt-queues.ts';
import { drainQueue, type UsageStores } from './drain-queue.ts';
import { createHousekeeping } from './housekeeping.ts';
import { createOwnQueue } from './own-queue.ts';
import type { Place } from './usage-queue.ts';
import { createUsageIds, toUsageRecord, type UsageEntry } from './usage-record.ts';

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
  const queue = createOwnQueue(folder, { dataDir, log });
  const nextId = createUsageIds(now, queue.instance);
  const underWay = new Map<Place, () => UsageRecord>();
  /** What has ended while the disk was full. */
  const unstored = new Map<Place, UsageRecord>();
  const housekeeping = createHousekeeping({ stores, usageDays, log });
  let written = Promise.resolve();
  let nextFlush: Promise<void> | null = null;
  let timer: NodeJS.Timeout | null = null;
  /** Requests that have ended, but are not in the database yet. */
  let waiting = 0;
  let isDatabaseFailing = false;

  /** Unreferenced, so that it does not keep the process alive: `close` writes the rest. */
  function startTimer(): void {
    timer ??= setInterval(() => void tick(), everyMs).unref();
  }

  function open(toEntry: () => UsageEntry): (entry: UsageEntry) => void {
    startTimer();
    const id = nextId();
    const toRecord = () => toUsageRecord(toEntry(), id, now());
    const place = queue.use((file) => file.open(toRecord()));
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

  /** False if the disk does not take it, as the log says. */
  function replace(place: Place, record: UsageRecord, isOpen: boolean): boolean {
    try {
      queue.use((file) => file.replace(place, record, isOpen));
      return true;
    } catch {
      return false;
    }
  }

  function end(place: Place, record: UsageRecord): void {
    if (replace(place, record, false)) unstored.delete(place);
    else unstored.set(place, record);
  }

  function reject({ keyId, at, status, code }: Rejection): void {
    startTimer();
    const minute = at - (at % 60_000);
    const id = [queue.instance, minute, keyId, status, code].join(' ');
    try {
      queue.use((file) => file.reject({ id, keyId, at: minute, status, code }));
    } catch {
      // It cost nothing, and the log says that the disk fails.
    }
  }

  async function tick(): Promise<void> {
    for (const [place, record] of unstored) end(place, record);
    await flush();
    await housekeeping.run({ renew: renewLeases, adopt });
  }

  /** Writes down what requests under way have cost so far, in the database also while the disk is full. */
  async function renewLeases(): Promise<void> {
    const records = [...unstored.values()];
    for (const [place, toRecord] of underWay) {
      const record = toRecord();
      records.push(record);
      replace(place, record, true);
    }
    await stores.usage.lease(records, (await stores.readClock()) + leaseMs);
  }

  const adopt = () => adoptQueues({ folder, stores, now, log });

  /** After a write that is under way, which may have missed the last record. */
  function flush(): Promise<void> {
    nextFlush ??= written.then(() => {
      nextFlush = null;
      written = write();
      return written;
    });
    return nextFlush;
  }

  async function write(): Promise<void> {
    const file = queue.current();
    if (file === null) return;
    try {
      await drainQueue(file, stores, now(), (count) => countWaiting(-count));
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
    await Promise.race([flush(), delay(Math.max(0, ms), undefined, { signal: over.signal })]);
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
    queue.release();
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
