import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { runOrNull, type SharedRedis } from './redis.ts';
import { getOrLockScript, renewScript, storeAndUnlockScript } from './shared-cache-scripts.ts';

export type CachedValue = Readonly<{
  text: string;
  /** When loading began, Unix ms: the data is at least that new. Equal on all instances whose clocks agree. */
  loadedAt: number;
}>;

export type GetOrLoadOptions = Readonly<{
  ttlMs: number;
  load: () => Promise<string>;
}>;

export type SharedCache = Readonly<{
  /**
   * Returns the cached value of a name, or loads and caches it. One instance loads at a time; the others
   * wait for its value. Where Redis fails, each instance loads for itself.
   * @throws what `load` throws; errors are not cached.
   */
  getOrLoad: (name: string, options: GetOrLoadOptions) => Promise<CachedValue>;
}>;

export type SharedCacheOptions = Readonly<{
  redis: SharedRedis;
  /** Unix time in ms. */
  now: () => number;
  /** Aborted when the process has been told to stop: its locks are released. */
  signal?: AbortSignal;
  /** ms after which the lock of an instance that crashed while loading expires. */
  leaseMs?: number;
  /** The longest wait for another instance, ms; after that this one loads for itself. */
  waitMaxMs?: number;
}>;

const pollMs = 50;
/** Clocks that differ by less than this count as equal, so that all instances report the same `loadedAt`. */
const clockSkewMaxMs = 2_000;

/** A cache in Redis for values that are expensive to load, shared by all instances. */
export function createSharedCache(options: SharedCacheOptions): SharedCache {
  const { redis, now, signal, leaseMs = 10_000, waitMaxMs = 30_000 } = options;
  const pending = new Map<string, Promise<CachedValue>>();

  async function loadLocally({ load }: GetOrLoadOptions): Promise<CachedValue> {
    const loadedAt = now();
    return { text: await load(), loadedAt };
  }

  async function getOrLoadShared(name: string, options: GetOrLoadOptions): Promise<CachedValue> {
    const token = randomUUID();
    const keys = [`marquee:value:{${name}}`, `marquee:lock:{${name}}`];
    const args = [token, leaseMs, options.ttlMs];
    const deadline = performance.now() + waitMaxMs;
    while (performance.now() < deadline && !signal?.aborted) {
      const reply = await runOrNull(redis, { script: getOrLockScript, keys, args });
      const [outcome, time = '', entry = ''] = Array.isArray(reply) ? reply.map(String) : [];
      if (outcome === 'load') return loadAndStore(keys, { token, time }, options);
      if (outcome === 'value') return parseEntry(entry, now() - Number(time));
      // Redis fails: do not wait for it.
      if (outcome !== 'wait') break;
      await delay(pollMs);
    }
    return loadLocally(options);
  }

  async function loadAndStore(
    keys: readonly string[],
    { token, time }: Readonly<{ token: string; time: string }>,
    options: GetOrLoadOptions,
  ): Promise<CachedValue> {
    const end = (entry: string) =>
      runOrNull(redis, { script: storeAndUnlockScript, keys, args: [token, options.ttlMs, entry] });
    const renew = () => runOrNull(redis, { script: renewScript, keys, args: [token, leaseMs] });
    const renewal = setInterval(renew, leaseMs / 3).unref();
    const release = () => void end('');
    signal?.addEventListener('abort', release);
    let entry = '';
    try {
      const value = await loadLocally(options);
      entry = `${time}:${value.loadedAt}:${value.text}`;
      return value;
    } finally {
      clearInterval(renewal);
      signal?.removeEventListener('abort', release);
      await end(entry);
    }
  }

  /** @param localLoadedAt this instance's clock minus the age that Redis reports. */
  function parseEntry(entry: string, localLoadedAt: number): CachedValue {
    const [prefix, , loadedAt] = /^(\d+):(\d+):/.exec(entry) ?? ['', '', ''];
    const doClocksAgree = Math.abs(Number(loadedAt) - localLoadedAt) <= clockSkewMaxMs;
    return {
      text: entry.slice(prefix.length),
      loadedAt: Math.min(doClocksAgree ? Number(loadedAt) : localLoadedAt, now()),
    };
  }

  return {
    getOrLoad(name, options) {
      const known = pending.get(name);
      if (known !== undefined) return known;
      const started = getOrLoadShared(name, options).finally(() => pending.delete(name));
      pending.set(name, started);
      return started;
    },
  };
}
