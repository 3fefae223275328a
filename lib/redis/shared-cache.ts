import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { createSingleFlight } from '#lib/http/single-flight.ts';
import { redisNow, runOrNull, type SharedRedis, toRedisScript } from './redis.ts';

type CachedValue = Readonly<{
  text: string;
  /** When loading began, Unix ms: the data is at least that new. Equal on all instances whose clocks agree. */
  loadedAt: number;
}>;

type GetOrLoadOptions = Readonly<{
  ttlMs: number;
  /** How old a cached value may be; by default its TTL. */
  ageMaxMs?: number;
  load: () => Promise<string>;
}>;

type SharedCache = Readonly<{
  /**
   * Returns the cached value of a name, or loads and caches it. One instance loads at a time; the others
   * wait for its value. Where Redis fails, each instance loads for itself.
   * @throws what `load` throws; errors are not cached.
   */
  getOrLoad: (name: string, options: GetOrLoadOptions) => Promise<CachedValue>;
}>;

type SharedCacheOptions = Readonly<{
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
  const flights = createSingleFlight<CachedValue>();

  async function loadLocally({ load }: GetOrLoadOptions): Promise<CachedValue> {
    const loadedAt = now();
    return { text: await load(), loadedAt };
  }

  async function getOrLoadShared(name: string, options: GetOrLoadOptions): Promise<CachedValue> {
    const token = randomUUID();
    const keys = [`marquee:value:{${name}}`, `marquee:lock:{${name}}`];
    const args = [token, leaseMs, options.ageMaxMs ?? options.ttlMs];
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
    getOrLoad: (name, options) => {
      const { ttlMs, ageMaxMs = ttlMs } = options;
      return flights.run(`${name} ${ageMaxMs}`, () => getOrLoadShared(name, options));
    },
  };
}

// Keys: the value, its lock. The lock is a lease: it expires unless its owner renews it.

/** Returns a value younger than the age limit with its age, else takes the lock if it is free and returns the time. */
const getOrLockScript = toRedisScript(`${redisNow}
local value = redis.call('GET', KEYS[1])
if value then
  local age = now - tonumber(string.match(value, '^%d+'))
  if age < tonumber(ARGV[3]) then return { 'value', tostring(age), value } end
end
if redis.call('SET', KEYS[2], ARGV[1], 'NX', 'PX', ARGV[2]) then
  return { 'load', string.format('%.0f', now) }
end
return { 'wait' }
`);

const renewScript = toRedisScript(`
if redis.call('GET', KEYS[2]) ~= ARGV[1] then return 0 end
return redis.call('PEXPIRE', KEYS[2], ARGV[2])
`);

/**
 * Stores the value if there is one, and releases the lock; nothing of that if another instance has taken the lock since.
 * So a reader that was frozen past its lease never replaces a newer value.
 */
const storeAndUnlockScript = toRedisScript(`
if redis.call('GET', KEYS[2]) ~= ARGV[1] then return 0 end
redis.call('DEL', KEYS[2])
if ARGV[3] ~= '' then redis.call('SET', KEYS[1], ARGV[3], 'PX', ARGV[2]) end
return 1
`);
