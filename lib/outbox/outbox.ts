import { randomUUID } from 'node:crypto';
import type { Log } from '#lib/http/log.ts';
import { createRepeatedTask } from '#lib/http/single-flight.ts';
import { withTimeout } from '#lib/http/with-timeout.ts';
import { toLogFields } from '#lib/storage/storage-error.ts';
import { channels } from '#lib/telemetry/channels.ts';
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
  /** Whether it looks by itself; if not, only when this process has enqueued, and another one repeats what fails. */
  isPolling: boolean;
  log: Log;
  times?: Partial<OutboxTimes>;
}>;

type OutboxTimes = Readonly<{ pollMs: number; attemptMs: number; leaseMs: number }>;

/** A lease outlives its attempt, so that only the delivery of a dead process starts over. */
const defaultTimes: OutboxTimes = { pollMs: 1_000, attemptMs: 30_000, leaseMs: 45_000 };

/** Long enough for the transaction that enqueues to be committed. */
const commitMs = 50;
const pruneEveryMs = 3_600_000;
/** How long attempts under way may take once the process has been told to stop. */
const closeMs = 3_000;
/** How long deliveries of a kind wait once what they go through is away. */
const awayMs = 30_000;
/** A target can ask for no longer. */
const retryAfterMsMax = 86_400_000;
/** Longer than any schedule: what still waits then has no sender, since its setting was removed. */
const waitDaysMax = 14;

/**
 * Sends what is enqueued: each at least once, at most one at a time to each target in all instances together. It looks
 * as soon as this process has enqueued something, and by itself once it is started.
 */
export class Outbox {
  readonly #options: OutboxOptions;
  readonly #times: OutboxTimes;
  /** Of its leases. */
  readonly #owner = randomUUID();
  readonly #running = new Map<Promise<void>, DeliveryKind>();
  /** Of each kind, which target had its turn last. */
  readonly #lastTargets = new Map<DeliveryKind, string>();
  /** Until when no more of a kind are claimed, by the clock of the database. */
  readonly #awayUntil = new Map<DeliveryKind, number>();
  readonly #closing = new AbortController();
  readonly #tryToClaim: () => Promise<void>;
  #isClosed = false;
  #timer: NodeJS.Timeout | undefined;
  #polling: Promise<void> | null = null;
  #looksAgain = false;
  #prunedAt = Number.NEGATIVE_INFINITY;

  constructor(options: OutboxOptions) {
    this.#options = options;
    this.#times = { ...defaultTimes, ...options.times };
    this.#tryToClaim = createRepeatedTask(
      () => this.#claim(),
      (error) => options.log.warn(toLogFields(error), 'nothing is delivered'),
      (failedMs) => options.log.info({ seconds: Math.round(failedMs / 1000) }, 'deliveries go on'),
    );
    channels.deliveriesEnqueued.subscribe(this.#onEnqueued);
  }

  /** Begins to look by itself, where this process does. */
  start(): void {
    if (this.#isClosed || !this.#options.isPolling) return;
    this.#timer ??= setInterval(() => this.#poll(), this.#times.pollMs).unref();
  }

  /** Claims nothing more, and after a few seconds leaves what is still under way to other instances. */
  async close(): Promise<void> {
    channels.deliveriesEnqueued.unsubscribe(this.#onEnqueued);
    this.#isClosed = true;
    clearInterval(this.#timer);
    await this.#polling;
    await this.#endWithin(closeMs);
    this.#closing.abort();
    await this.#endWithin(this.#times.leaseMs - this.#times.attemptMs);
    await this.#options.stores.deliveries.release(this.#owner).catch(() => {});
  }

  readonly #onEnqueued = (): void => {
    // Where Next serves alone, this is what starts it.
    this.start();
    setTimeout(() => this.#poll(), commitMs).unref();
  };

  #poll(): void {
    this.#looksAgain = true;
    this.#polling ??= this.#pollUntilIdle().finally(() => {
      this.#polling = null;
    });
  }

  async #pollUntilIdle(): Promise<void> {
    while (this.#looksAgain && !this.#isClosed) {
      this.#looksAgain = false;
      await this.#tryToClaim();
    }
  }

  async #claim(): Promise<void> {
    const { readClock, deliveries: store } = this.#options.stores;
    const now = await readClock();
    await this.#prune(now);
    const deliveries = await store.claim({
      owner: this.#owner,
      limits: this.#toLimits(now),
      now,
      leaseMs: this.#times.leaseMs,
    });
    for (const delivery of deliveries) {
      this.#lastTargets.set(delivery.kind, delivery.target);
      const attempt = this.#run(delivery, now).finally(() => {
        this.#running.delete(attempt);
        // Its target may have the next one waiting.
        this.#poll();
      });
      this.#running.set(attempt, delivery.kind);
    }
  }

  /** How many more of each kind may be under way. */
  #toLimits(now: number) {
    const kindsUnderWay = [...this.#running.values()];
    return deliveryKinds.map((kind) => {
      const count = kindsUnderWay.filter((other) => other === kind).length;
      const isAway = (this.#awayUntil.get(kind) ?? 0) > now;
      const max = isAway ? 0 : (this.#options.senders[kind]?.parallelMax ?? 0);
      return [kind, max - count, this.#lastTargets.get(kind) ?? ''] as const;
    });
  }

  async #prune(now: number): Promise<void> {
    if (performance.now() - this.#prunedAt < pruneEveryMs) return;
    this.#prunedAt = performance.now();
    const { stores, log } = this.#options;
    const deleted = await stores.deliveries.prune(now - waitDaysMax * 86_400_000);
    if (deleted > 0) log.warn({ deleted }, 'deliveries that nothing could send are deleted');
  }

  async #run(delivery: Delivery, attemptedAt: number): Promise<void> {
    const { senders, stores, log } = this.#options;
    const sender = senders[delivery.kind];
    if (sender === undefined) return;
    const startedAt = performance.now();
    const ended = await this.#attempt(sender, delivery);
    const { outcome, result } = ended;
    if (this.#closing.signal.aborted && outcome === 'failed') return;
    const durationMs = Math.round(performance.now() - startedAt);
    if (outcome === 'away') this.#awayUntil.set(delivery.kind, attemptedAt + durationMs + awayMs);
    const counted = outcome === 'away' ? { ...delivery, attempt: delivery.attempt - 1 } : delivery;
    const delayMs = toDelayMs(sender.retryDelaysMs[delivery.attempt - 1], ended);
    const { finishedMax } = sender;
    try {
      await stores.deliveries.end(counted, this.#owner, {
        attemptedAt,
        durationMs,
        result,
        retryAt: delayMs === null ? null : attemptedAt + durationMs + delayMs,
        outcome: toStoredOutcome(outcome, delayMs),
        finishedMax,
      });
    } catch (error) {
      // It is sent again once its lease has expired.
      log.warn({ ...toLogFields(error), id: delivery.id }, 'the end of a delivery is not stored');
    }
  }

  async #attempt({ send }: Sender, delivery: Delivery): Promise<Attempt> {
    const { attemptMs, leaseMs } = this.#times;
    const signal = AbortSignal.any([AbortSignal.timeout(attemptMs), this.#closing.signal]);
    try {
      // Nothing may outlast its lease, not even a sender that ignores the signal.
      return await withTimeout(send(delivery, signal), (attemptMs + leaseMs) / 2);
    } catch (error) {
      if (signal.aborted) return { outcome: 'failed', result: 'timed out' };
      const { kind, id } = delivery;
      this.#options.log.warn({ ...toLogFields(error), kind, id }, 'delivery failed');
      return { outcome: 'failed', result: 'failed' };
    }
  }

  async #endWithin(timeoutMs: number): Promise<void> {
    await withTimeout(Promise.all(this.#running.keys()), timeoutMs).catch(() => {});
  }
}

function toStoredOutcome(outcome: Attempt['outcome'], delayMs: number | null) {
  if (outcome === 'delivered' || outcome === 'given-up') return outcome;
  return delayMs === null ? 'given-up' : null;
}

/** Until the next attempt, as scheduled or as long as the target asks for; null: there is none. */
function toDelayMs(scheduledMs: number | undefined, { outcome, retryAfterMs = 0 }: Attempt) {
  if (outcome === 'away') return awayMs;
  if (outcome !== 'failed' || scheduledMs === undefined) return null;
  return Math.max(scheduledMs, Math.min(retryAfterMs, retryAfterMsMax));
}
