import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '#lib/http/log.ts';
import { toLogFields } from '#lib/storage/storage-error.ts';
import { toUnavailableError, waitForDatabase } from '#lib/storage/wait-for-database.ts';
import type { KeyDefaults } from './api-key.ts';
import { createKeyTable, type KnownKey, type OwnerRule } from './key-table.ts';
import type { KeyStore } from './store/key-store.ts';

/** Older keys are refreshed in the background. */
const refreshAfterMs = 2_000;
/** Older keys are not used, so that a revoked key stops working within 5 s. */
const useWithinMs = 4_000;
/** While the database is away, keys that were valid this recently go on working. */
const outageUseWithinMs = 60_000;
const unavailable = { message: 'API keys cannot be checked', reason: 'keys_unreadable' };
/** Unknown keys and a failing database cause at most one query in this time. */
const readIntervalMs = 250;

export type KeyCacheOptions = Readonly<{
  keys: Pick<KeyStore, 'changedSince'>;
  defaults: KeyDefaults;
  keysWorkUntil: OwnerRule;
  now: () => number;
  log: Log;
  /** Calls back when another process has changed a key. */
  onKeysChanged?: (callback: () => void) => void;
}>;

export type KeyCache = Readonly<{
  /**
   * The key with the first of these hashes that is known.
   * @throws HttpError 503 if keys cannot be read, and those in memory are too old.
   */
  find: (hashes: readonly string[]) => Promise<KnownKey | null>;
}>;

/**
 * All keys in memory, with bounded staleness. Reads happen on demand, without a timer; concurrent
 * requests share one read, which loads only changes.
 */
export function createKeyCache(options: KeyCacheOptions): KeyCache {
  const { keys, defaults, keysWorkUntil, now, log, onKeysChanged } = options;
  const table = createKeyTable(defaults, keysWorkUntil);
  let readsStarted = 0;
  /** The number of the last successful read, and when it began. */
  let done = 0;
  let doneAt = Number.NEGATIVE_INFINITY;
  let triedAt = Number.NEGATIVE_INFINITY;
  let isFailing = false;
  let reading: Promise<void> | null = null;
  let next: Promise<void> | null = null;

  const isFresh = (withinMs: number): boolean => {
    const age = now() - doneAt;
    return age >= 0 && age < withinMs;
  };
  const mayTry = (): boolean => !isFailing || performance.now() - triedAt >= readIntervalMs;

  function read(): Promise<void> {
    reading ??= readNow().finally(() => {
      reading = null;
    });
    return reading;
  }

  async function readNow(): Promise<void> {
    readsStarted += 1;
    const [number, startedAt] = [readsStarted, now()];
    triedAt = performance.now();
    try {
      table.apply(await keys.changedSince(table.version()));
    } catch (error) {
      noteFailure(toLogFields(error));
      throw error;
    }
    if (isFailing) log.info({}, 'keys can be read again');
    isFailing = false;
    [done, doneAt] = [number, startedAt];
  }

  function noteFailure(fields: Readonly<{ code: string }>): void {
    if (!isFailing) log.warn({ reason: 'keys_unreadable', ...fields }, 'keys cannot be read');
    isFailing = true;
  }

  /** Waits for a read, but not for a database that hangs. */
  async function waitFor(pending: Promise<void>): Promise<void> {
    try {
      await waitForDatabase(pending, unavailable);
    } catch (error) {
      noteFailure({ code: 'ETIMEDOUT' });
      throw error;
    }
  }

  /** A read that begins after this call: one in progress may miss a key created a moment ago. */
  function readAgain(): Promise<void> {
    next ??= (async () => {
      await delay(Math.max(0, triedAt + readIntervalMs - performance.now()));
      while (reading !== null) await reading.catch(() => {});
      next = null;
      await read();
    })();
    return next;
  }

  async function refresh(): Promise<void> {
    if (isFresh(refreshAfterMs)) return;
    if (isFresh(useWithinMs) || (isFailing && isFresh(outageUseWithinMs))) {
      // The failure is logged, and reported once the cached keys are too old.
      if (mayTry()) read().catch(() => {});
      return;
    }
    if (!mayTry()) throw toUnavailableError(unavailable);
    try {
      await waitFor(read());
    } catch (error) {
      if (isFresh(outageUseWithinMs)) return;
      throw error;
    }
    // The read took longer than its result may be used.
    if (!isFresh(useWithinMs)) throw toUnavailableError(unavailable);
  }

  onKeysChanged?.(() => {
    readAgain().catch(() => {});
  });

  const findIn = (hashes: readonly string[]): KnownKey | null => {
    for (const hash of hashes) {
      const known = table.find(hash);
      if (known !== null) return known;
    }
    return null;
  };

  return {
    async find(hashes) {
      const before = readsStarted;
      await refresh();
      const known = findIn(hashes);
      if (known !== null || done > before) return known;
      if (isFailing) throw toUnavailableError(unavailable);
      await waitFor(readAgain());
      return findIn(hashes);
    },
  };
}
