import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { WorkerPlace } from '#lib/config/config.ts';
import type { UpstreamSettings } from '#lib/config/upstreams-schema.ts';
import { minuteMs } from '#lib/storage/days.ts';
import { isStorageError } from '#lib/storage/storage-error.ts';
import { toOverloadedError } from '../errors/upstream-failure.ts';
import type { Slot, SlotKind, SlotStore } from './slot-store.ts';

export type UpstreamLimits = Pick<UpstreamSettings, 'concurrentRequests' | 'requestsPerMinute'>;

/** Admits a call; resolves with what ends it. @throws HttpError 503 */
export type AdmitCall = () => Promise<() => void>;

/** Where limits are counted that are too small to be divided. */
export type SharedSlots = Readonly<{ slots: SlotStore; readClock: () => Promise<number> }>;

/** A worker that is killed frees what it had taken after so long. */
const leaseMs = 30_000;
const renewEveryMs = 10_000;
/** A call that has just ended is in the database a moment later. */
const waitsMs = [20, 60, 200];

/** The part of each limit that is this worker's: the sum of all parts is the limit. */
export function divideLimits(limits: UpstreamLimits, worker: WorkerPlace): UpstreamLimits {
  return {
    concurrentRequests: divide(limits.concurrentRequests, worker),
    requestsPerMinute: divide(limits.requestsPerMinute, worker),
  };
}

/** Undefined: there is no limit, or it is too small to be divided. */
function divide(limit: number | undefined, { index, count }: WorkerPlace): number | undefined {
  if (limit === undefined || limit < count) return undefined;
  return Math.floor(limit / count) + (index < limit % count ? 1 : 0);
}

/**
 * Counts limits that are smaller than the number of workers in the database, for all workers and instances that share
 * it; undefined if there are none.
 */
export function createSharedLimits(
  upstream: string,
  limits: UpstreamLimits,
  { count }: WorkerPlace,
  { slots, readClock }: SharedSlots,
): AdmitCall | undefined {
  const { concurrentRequests = count, requestsPerMinute = count } = limits;
  if (concurrentRequests >= count && requestsPerMinute >= count) return undefined;

  /** A slot, or for how long all are taken, ms. */
  async function take(kind: SlotKind, limit: number, forMs: number): Promise<Slot | number> {
    const now = await readClock();
    const owner = randomUUID();
    const taken = await slots.take({ upstream, kind, limit, owner, now, until: now + forMs });
    return typeof taken === 'number' ? taken - now : taken;
  }

  async function takeRunning(): Promise<() => void> {
    if (concurrentRequests >= count) return () => {};
    let slot = await take('running', concurrentRequests, leaseMs);
    for (const waitMs of waitsMs) {
      if (typeof slot !== 'number') break;
      await delay(waitMs);
      slot = await take('running', concurrentRequests, leaseMs);
    }
    if (typeof slot === 'number') {
      throw toOverloadedError({ reason: 'too many calls', retryAfterMs: 1000 });
    }
    return holdSlot(slot, { slots, readClock });
  }

  async function takeMinute(): Promise<void> {
    if (requestsPerMinute >= count) return;
    const slot = await take('minute', requestsPerMinute, minuteMs);
    if (typeof slot !== 'number') return;
    throw toOverloadedError({ reason: 'too many calls in a minute', retryAfterMs: slot });
  }

  async function admit(): Promise<() => void> {
    const end = await takeRunning();
    try {
      await takeMinute();
      return end;
    } catch (error) {
      end();
      throw error;
    }
  }

  return () =>
    admit().catch((error: unknown) => {
      throw isStorageError(error) ? toOverloadedError({ reason: error.message }) : error;
    });
}

/** Renews a slot until it is freed. While the database is away, its lease runs on. */
function holdSlot(slot: Slot, { slots, readClock }: SharedSlots): () => void {
  const renew = async () => slots.renew(slot, (await readClock()) + leaseMs);
  const timer = setInterval(() => void renew().catch(() => {}), renewEveryMs).unref();
  return () => {
    clearInterval(timer);
    slots.free(slot).catch(() => {});
  };
}
