import type { Log } from '#lib/http/log.ts';
import type { ChangeStore } from '../../changes/change-store.ts';
import { ageMaxMs, type EventsLoader, refreshAheadAt } from '../loader.ts';
import type { RefreshStore } from './refresh-store.ts';

/** Reads the table when its hook was called, and on time while somebody waits for changes without visiting. */
export type TableRefresher = Readonly<{
  /** Notes a call of the hook: the table is read as soon as it may be. */
  markCalled: () => Promise<void>;
  /** Looks once whether something has to be read. It runs by itself, too. */
  run: () => Promise<void>;
  close: () => void;
}>;

type RefresherOptions = Readonly<{
  store: RefreshStore;
  events: Pick<EventsLoader, 'refresh' | 'peek'>;
  changes: Pick<ChangeStore, 'findHead'>;
  readClock: () => Promise<number>;
  cacheSeconds: number;
  /** Whether the hook may be called. */
  hasHook: boolean;
  /** Whether somebody is told of changes: streams, webhooks, WebSub, mail. */
  hasSubscribers: () => Promise<boolean>;
  log: Log;
  everyMs?: number;
}>;

/** At least so long between two reads that the hook causes. */
export const hookPauseMs = 5_000;
const renewEveryMs = 2_000;
/** How long it takes to notice new subscribers. */
const subscribersKnownMs = 10_000;
/** Between the clocks of instances. */
const clockSkewMs = 2_000;

export function createTableRefresher(options: RefresherOptions): TableRefresher {
  const { store, events, changes, readClock, hasHook, log, everyMs = 500 } = options;
  const readEveryMs = options.cacheSeconds * 1000 * refreshAheadAt;
  let isRunning = false;
  let isFailing = false;
  let subscribers = { has: false, knownUntil: Number.NEGATIVE_INFINITY };
  const timer = setInterval(() => void run(), everyMs).unref();

  async function hasSubscribers(): Promise<boolean> {
    if (performance.now() >= subscribers.knownUntil) {
      const has = await options.hasSubscribers();
      subscribers = { has, knownUntil: performance.now() + subscribersKnownMs };
    }
    return subscribers.has;
  }

  async function look(): Promise<void> {
    const isWatched = await hasSubscribers();
    if (!isWatched && !hasHook) return;
    const [state, head] = [await store.find(), await changes.findHead()];
    const now = await readClock();
    const isCalled = state.calledAtMs > state.servedAtMs;
    const isDue = isWatched && now - head.readAtMs >= readEveryMs;
    if ((isCalled || isDue) && now - state.claimedAtMs >= hookPauseMs) {
      if (await store.claim(state, now)) await readInTurn(state.calledAtMs, now);
    } else {
      await follow(head, now);
    }
  }

  async function readInTurn(calledAtMs: number, claimedAtMs: number): Promise<void> {
    let claimed = claimedAtMs;
    // Another instance must not take a long read for a lost one.
    const renewal = setInterval(async () => {
      const at = await readClock().catch(() => claimed);
      if (await store.claim({ claimedAtMs: claimed }, at).catch(() => false)) claimed = at;
    }, renewEveryMs).unref();
    try {
      await events.refresh(0);
      await store.markServed(calledAtMs);
    } finally {
      clearInterval(renewal);
    }
  }

  /** Another instance has found changes: this one shows them, too. */
  async function follow(head: Readonly<{ position: number; readAtMs: number }>, now: number) {
    const snapshot = events.peek();
    if (snapshot === null || snapshot.history.position >= head.position) return;
    const readAgeMs = Math.max(0, now - head.readAtMs);
    await events.refresh(Math.min(readAgeMs + clockSkewMs, ageMaxMs));
  }

  async function run(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    try {
      await look();
      isFailing = false;
    } catch (error) {
      // A failed read has been logged by the loader.
      if (!isFailing) log.warn({ reason: toReason(error) }, 'the table could not be refreshed');
      isFailing = true;
    } finally {
      isRunning = false;
    }
  }

  return {
    async markCalled() {
      await store.markCalled(await readClock());
      void run();
    },
    run,
    close: () => clearInterval(timer),
  };
}

function toReason(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  if ('reason' in error) return String(error.reason);
  return 'code' in error ? String(error.code) : 'unknown';
}
