import { randomUUID } from 'node:crypto';
import type { Log } from '#lib/http/log.ts';
import { createRepeatedTask } from '#lib/http/single-flight.ts';
import { withTimeout } from '#lib/http/with-timeout.ts';
import { toLogFields } from '#lib/storage/storage-error.ts';
import {
  type Attempt,
  type Delivery,
  type DeliveryKind,
  deliveryKinds,
  type Sender,
  type Senders,
} from './delivery.ts';
import type { DeliveryStore } from './delivery-store.ts';

type OutboxOptions = Readonly<{
  stores: Readonly<{
    deliveries: Pick<DeliveryStore, 'claim' | 'end' | 'release' | 'prune'>;
    /** The clock that judges leases. */
    readClock: () => Promise<number>;
  }>;
  senders: Senders;
  /** Whether it looks by itself; if not, only when it is nudged, and another process repeats what fails. */
  isPolling: boolean;
  log: Log;
  times?: Partial<OutboxTimes>;
}>;

type OutboxTimes = Readonly<{ pollMs: number; attemptMs: number; leaseMs: number }>;

/** A lease outlives its attempt, so that only the delivery of a dead process starts over. */
const defaultTimes: OutboxTimes = { pollMs: 1_000, attemptMs: 30_000, leaseMs: 45_000 };

/** Long enough for the transaction that enqueues to be committed. */
const nudgeMs = 50;
const pruneEveryMs = 3_600_000;
/** How long attempts under way may take once the process has been told to stop. */
const closeMs = 3_000;
/** A target can ask for no longer. */
const retryAfterMsMax = 86_400_000;
/** Longer than any schedule: what still waits then has no sender, since its setting was removed. */
const waitDaysMax = 14;

export type Outbox = Readonly<{
  /** Begins to poll. */
  start: () => void;
  /** Looks for new deliveries at once: something was enqueued, or is about to be committed. */
  nudge: () => void;
  /** Claims nothing more, and after a few seconds leaves what is still under way to other instances. */
  close: () => Promise<void>;
}>;

/** Sends what is enqueued: each at least once, at most one at a time to each target in all instances together. */
export function createOutbox({ stores, senders, isPolling, log, times }: OutboxOptions): Outbox {
  const { pollMs, attemptMs, leaseMs } = { ...defaultTimes, ...times };
  const owner = randomUUID();
  const running = new Map<Promise<void>, DeliveryKind>();
  const closing = new AbortController();
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  let polling: Promise<void> | null = null;
  let isNudged = false;
  let prunedAt = Number.NEGATIVE_INFINITY;

  const tryToClaim = createRepeatedTask(claim, (error) =>
    log.warn(toLogFields(error), 'nothing is delivered'),
  );

  function poll(): void {
    isNudged = true;
    polling ??= pollUntilIdle().finally(() => {
      polling = null;
    });
  }

  async function pollUntilIdle(): Promise<void> {
    while (isNudged && !isClosed) {
      isNudged = false;
      await tryToClaim();
    }
  }

  /** How many more of each kind may be under way. */
  function toLimits() {
    const kindsUnderWay = [...running.values()];
    return deliveryKinds.map((kind) => {
      const count = kindsUnderWay.filter((running) => running === kind).length;
      return [kind, (senders[kind]?.parallelMax ?? 0) - count] as const;
    });
  }

  async function claim(): Promise<void> {
    const now = await stores.readClock();
    await prune(now);
    const deliveries = await stores.deliveries.claim({ owner, limits: toLimits(), now, leaseMs });
    for (const delivery of deliveries) {
      const attempt = run(delivery, now).finally(() => {
        running.delete(attempt);
        // Its target may have the next one waiting.
        poll();
      });
      running.set(attempt, delivery.kind);
    }
  }

  async function prune(now: number): Promise<void> {
    if (performance.now() - prunedAt < pruneEveryMs) return;
    prunedAt = performance.now();
    const deleted = await stores.deliveries.prune(now - waitDaysMax * 86_400_000);
    if (deleted > 0) log.warn({ deleted }, 'deliveries that nothing could send are deleted');
  }

  async function run(delivery: Delivery, attemptedAt: number): Promise<void> {
    const sender = senders[delivery.kind];
    if (sender === undefined) return;
    const startedAt = performance.now();
    const ended = await attempt(sender, delivery);
    const { outcome, result } = ended;
    if (closing.signal.aborted && outcome === 'failed') return;
    const durationMs = Math.round(performance.now() - startedAt);
    const delayMs = toDelayMs(sender.retryDelaysMs[delivery.attempt - 1], ended);
    const { finishedMax } = sender;
    try {
      await stores.deliveries.end(delivery, owner, {
        attemptedAt,
        durationMs,
        result,
        retryAt: delayMs === null ? null : attemptedAt + durationMs + delayMs,
        outcome: outcome !== 'failed' ? outcome : delayMs === null ? 'given-up' : null,
        finishedMax,
      });
    } catch (error) {
      // It is sent again once its lease has expired.
      log.warn({ ...toLogFields(error), id: delivery.id }, 'the end of a delivery is not stored');
    }
  }

  async function attempt({ send }: Sender, delivery: Delivery): Promise<Attempt> {
    const timeOver = AbortSignal.timeout(attemptMs);
    const signal = AbortSignal.any([timeOver, closing.signal]);
    try {
      // Nothing may outlast its lease, not even a sender that ignores the signal.
      return await withTimeout(send(delivery, signal), (attemptMs + leaseMs) / 2);
    } catch (error) {
      if (signal.aborted) return { outcome: 'failed', result: 'timed out' };
      log.warn({ ...toLogFields(error), kind: delivery.kind, id: delivery.id }, 'delivery failed');
      return { outcome: 'failed', result: 'failed' };
    }
  }

  function start(): void {
    if (isClosed || !isPolling) return;
    timer ??= setInterval(poll, pollMs).unref();
  }

  return {
    start,
    nudge() {
      // Where Next serves alone, this is what starts it.
      start();
      setTimeout(poll, nudgeMs).unref();
    },
    async close() {
      isClosed = true;
      clearInterval(timer);
      await polling;
      await endWithin(closeMs);
      closing.abort();
      await endWithin(leaseMs - attemptMs);
      await stores.deliveries.release(owner).catch(() => {});
    },
  };

  async function endWithin(timeoutMs: number): Promise<void> {
    await withTimeout(Promise.all(running.keys()), timeoutMs).catch(() => {});
  }
}

/** Until the next attempt, as scheduled or as long as the target asks for; null: there is none. */
function toDelayMs(scheduledMs: number | undefined, { outcome, retryAfterMs = 0 }: Attempt) {
  if (outcome !== 'failed' || scheduledMs === undefined) return null;
  return Math.max(scheduledMs, Math.min(retryAfterMs, retryAfterMsMax));
}
