import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { toLogFields } from '#lib/storage/storage-error.ts';
import { channels } from '#lib/telemetry/channels.ts';
import type { UsageStore } from '../store/usage-store.ts';
import type { UsageRecord } from '../store/usage-upsert.ts';
import { adoptQueues, type DrainOptions, drainQueue } from './drain-queue.ts';
import { createLeaseRound, type LeaseRoundOptions } from './lease-round.ts';
import { createQueueBuffer } from './queue-buffer.ts';
import { createUsageIds, type Place, toUsageRecord, type UsageEntry } from './usage-queue.ts';

type UsageRecorderOptions = DrainOptions &
  LeaseRoundOptions &
  Readonly<{
    dataDir: string;
    stores: Readonly<{ usage: Pick<UsageStore, 'lease'> }>;
    /** How long `close` retries, ms. */
    closeWithinMs?: number;
  }>;

/** Of a request that cost nothing, since it was never sent on. */
export type Rejection = Readonly<{ keyId: string; at: number; status: number; code: string }>;

export type UsageRecorder = Readonly<{
  /** Takes over what earlier processes have left behind. Resolves also if the database is away. */
  start: () => Promise<void>;
  /**
   * Stores that a request is under way; resolves to the function that ends it, which never throws.
   * @param toEntry what it costs if it ends now.
   * @throws StorageError if the disk does not take it: a request that is not recorded is not made.
   */
  open: (toEntry: () => UsageEntry) => Promise<(entry: UsageEntry) => void>;
  /** Counts a rejected request. */
  reject: (rejection: Rejection) => void;
  /** Writes what has ended to the database, if it accepts it. */
  flush: () => Promise<void>;
  /** The same with retries. What is left waits in the queue for the next start. */
  close: () => Promise<void>;
}>;

type UnderWay = { toRecord: () => UsageRecord; stored: UsageRecord };

const everyMs = 1_000;
/** Leases are renewed, and expired ones closed, once in so many seconds. */
const leasesEvery = 10;
/** How long other instances leave a request under way alone after its lease was renewed. */
const leaseMs = 45_000;
const retryMs = 250;
const lastEndsMs = 20;

/** The usage of every request, by way of a queue on disk: see the README.md of `spend`. */
export function createUsageRecorder(options: UsageRecorderOptions): UsageRecorder {
  const { dataDir, stores, now, log, closeWithinMs = 5_000 } = options;
  const folder = join(dataDir, 'usage');
  const instance = randomBytes(9).toString('base64url');
  const nextId = createUsageIds(now, instance);
  const underWay = new Map<Place, UnderWay>();
  const buffer = createQueueBuffer(join(folder, `${instance}.db`), options);
  let places = 0;
  let written = Promise.resolve();
  let adopting = Promise.resolve();
  let nextFlush: Promise<void> | null = null;
  let timer: NodeJS.Timeout | null = null;
  let ticks = 0;
  /** Requests that have ended, but are not in the database yet. */
  let waiting = 0;
  let isDatabaseFailing = false;
  const runLeaseRound = createLeaseRound(options, { renew: renewLeases, adopt });

  /** Unreferenced, so that it does not keep the process alive: `close` writes the rest. */
  function startTimer(): void {
    timer ??= setInterval(() => void tick(), everyMs).unref();
  }

  async function open(toEntry: () => UsageEntry): Promise<(entry: UsageEntry) => void> {
    startTimer();
    const id = nextId();
    const toRecord = () => toUsageRecord(toEntry(), id, now());
    const record = toRecord();
    places += 1;
    const place = places;
    buffer.add({ place, record, isOpen: true });
    try {
      await buffer.storeSoon();
    } catch (error) {
      buffer.remove(place);
      throw error;
    }
    underWay.set(place, { toRecord, stored: record });
    return (entry) => {
      underWay.delete(place);
      waiting += 1;
      channels.usageQueue.publish(waiting);
      const ended = toUsageRecord(entry, id, now());
      buffer.add({ place, record: ended, isOpen: false });
      storeSoon();
    };
  }

  function reject({ keyId, at, status, code }: Rejection): void {
    startTimer();
    const minute = at - (at % 60_000);
    const id = [instance, minute, keyId, status, code].join(' ');
    buffer.addRejection({ id, keyId, at: minute, status, code, count: 1 });
    storeSoon();
  }

  /** What the disk does not take stays in memory, as the log says. */
  function storeSoon(): void {
    buffer.storeSoon().catch(() => {});
  }

  async function tick(): Promise<void> {
    ticks += 1;
    storeProgress();
    await flush();
    if (ticks % leasesEvery === 0) await runLeaseRound();
  }

  /** What running requests have cost so far, of those that have used more. */
  function storeProgress(): void {
    for (const [place, request] of underWay) {
      const record = request.toRecord();
      if (!hasChanged(request.stored, record)) continue;
      request.stored = record;
      buffer.add({ place, record, isOpen: true });
    }
    buffer.tryToStore();
  }

  /** In the database, too, where another instance finds it when this one and its disk are lost. */
  async function renewLeases(): Promise<void> {
    const running = [...underWay.values()].map(({ stored }) => stored);
    const records = [...buffer.ended(), ...running];
    await stores.usage.lease(records, (await stores.readClock()) + leaseMs);
  }

  function adopt(): Promise<void> {
    adopting = adoptQueues(folder, options);
    return adopting;
  }

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
    buffer.tryToStore();
    const queue = buffer.queue();
    if (queue === null) return;
    try {
      await drainQueue(queue, options, (count) => {
        waiting -= count;
        channels.usageQueue.publish(waiting);
      });
      if (isDatabaseFailing) log.info({}, 'usage is written again');
      isDatabaseFailing = false;
    } catch (error) {
      const fields = { reason: 'usage_unwritable', ...toLogFields(error) };
      if (!isDatabaseFailing) log.warn(fields, 'usage waits in the queue');
      isDatabaseFailing = true;
    }
  }

  async function close(): Promise<void> {
    if (timer !== null) clearInterval(timer);
    storeProgress();
    const deadline = performance.now() + closeWithinMs;
    await waitUntil(deadline, flush());
    // Requests may have ended meanwhile.
    while ((isDatabaseFailing || waiting > 0) && performance.now() < deadline) {
      await delay(isDatabaseFailing ? retryMs : lastEndsMs);
      await waitUntil(deadline, flush());
    }
    // What an adoption has not written yet, its next one writes.
    await waitUntil(deadline, adopting);
    buffer.release();
  }

  return {
    async start() {
      startTimer();
      // It is tried again every ten seconds.
      await adopt().catch(() => {});
    },
    open,
    reject,
    flush,
    close,
  };
}

async function waitUntil(deadline: number, work: Promise<void>): Promise<void> {
  const over = new AbortController();
  const leftMs = Math.max(0, deadline - performance.now());
  await Promise.race([work.catch(() => {}), delay(leftMs, undefined, { signal: over.signal })]);
  over.abort();
}

function hasChanged(before: UsageRecord, after: UsageRecord): boolean {
  const fields = ['tokensIn', 'tokensOut', 'costNanoUsd', 'upstream'] as const;
  return fields.some((field) => before[field] !== after[field]);
}
