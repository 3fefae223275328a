import type { Log } from '#lib/http/log.ts';
import { createRepeatedTask } from '#lib/http/single-flight.ts';
import type { EventsLoader } from '../loader.ts';
import { ageMaxMs, toReason } from '../source.ts';
import { hasRead, isClaimed, isPaused, type ReadState } from './read-state.ts';
import type { ReadStore } from './read-store.ts';
import type { StoredSource } from './stored-source.ts';

/**
 * Reads the table when its hook was called, and on time while somebody waits for changes without visiting; and follows
 * the clock, and what another process has read.
 */
type TableWatcher = Readonly<{
  /** Notes a call of the hook: the table is read as soon as it may be. */
  markCalled: () => Promise<void>;
  close: () => void;
}>;

type WatcherOptions = Readonly<{
  store: ReadStore;
  source: Pick<StoredSource, 'newestNumber'>;
  events: Pick<EventsLoader, 'refresh' | 'followClock' | 'refreshAgeMs'>;
  /** Whether somebody is told of changes: streams, webhooks, WebSub, mail. */
  hasSubscribers: () => Promise<boolean>;
  log: Log;
}>;

/** How often it looks. */
const everyMs = 500;
/** How long it takes to notice new subscribers. */
const subscribersKnownMs = 10_000;

export function createTableWatcher(options: WatcherOptions): TableWatcher {
  const { store, source, events, log } = options;
  let subscribers = { has: false, knownUntil: Number.NEGATIVE_INFINITY };
  const run = createRepeatedTask(look, (error) =>
    // A failed read has been logged by the loader.
    log.warn({ reason: toReason(error) }, 'the table could not be refreshed'),
  );
  const timer = setInterval(() => void run(), everyMs).unref();

  async function look(): Promise<void> {
    events.followClock();
    const state = await store.find();
    if ((await isDue(state)) && !isClaimed(state) && !isPaused(state)) {
      await events.refresh({ ageMaxMs: 0, dueAfterClaim: state.claims });
    } else if (state.number > source.newestNumber() && hasRead(state, ageMaxMs)) {
      await events.refresh({ ageMaxMs });
    }
  }

  async function isDue(state: ReadState): Promise<boolean> {
    if (state.calledAtMs > state.servedCallAtMs) return true;
    return (await hasSubscribers()) && !hasRead(state, events.refreshAgeMs());
  }

  async function hasSubscribers(): Promise<boolean> {
    if (performance.now() >= subscribers.knownUntil) {
      const has = await options.hasSubscribers();
      subscribers = { has, knownUntil: performance.now() + subscribersKnownMs };
    }
    return subscribers.has;
  }

  return {
    async markCalled() {
      await store.markCalled();
      void run();
    },
    close: () => clearInterval(timer),
  };
}
