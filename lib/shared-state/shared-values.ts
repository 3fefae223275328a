import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { isSharedStateError, type SharedRedis, toRedisScript } from './redis.ts';

export type SharedValue = Readonly<{
  text: string;
  /** When its loading began, Unix ms: no older than that is what it tells. */
  loadedAt: number;
}>;

export type RememberOptions = Readonly<{
  /** How old a value may be. */
  ttlMs: number;
  load: () => Promise<string>;
}>;

export type SharedValues = Readonly<{
  /**
   * The value of a name: as instances share it, or as `load` gives it, which one of them asks at a time.
   * Where Redis fails, each instance loads for itself.
   * @throws whatever `load` throws; nobody keeps that.
   */
  remember: (name: string, options: RememberOptions) => Promise<SharedValue>;
}>;

export type SharedValuesOptions = Readonly<{
  /** null: values are shared within this process. */
  redis: SharedRedis | null;
  now: () => number;
  /** ms after which an instance that loads is taken for dead. */
  lockMs?: number;
}>;

const askAgainMs = 50;

/** Gives the value if there is one, else the lock if it is free. */
const takeScript = toRedisScript(`
local value = redis.call('GET', KEYS[1])
if value then return { 'value', value } end
if redis.call('SET', KEYS[2], ARGV[1], 'NX', 'PX', ARGV[2]) then return { 'load', '' } end
return { 'wait', '' }
`);

/** Gives up the lock, if it is still ours, and leaves a value where there is one. */
const leaveScript = toRedisScript(`
if redis.call('GET', KEYS[2]) == ARGV[1] then redis.call('DEL', KEYS[2]) end
if ARGV[3] ~= '' then redis.call('SET', KEYS[1], ARGV[3], 'PX', ARGV[2]) end
return 1
`);

/** Values that are dear to load, shared by name. */
export function createSharedValues(options: SharedValuesOptions): SharedValues {
  const { redis, now, lockMs = 30_000 } = options;
  const loading = new Map<string, Promise<SharedValue>>();
  const kept = new Map<string, SharedValue>();

  async function loadNow({ load }: RememberOptions): Promise<SharedValue> {
    const loadedAt = now();
    return { text: await load(), loadedAt };
  }

  async function rememberHere(name: string, wish: RememberOptions): Promise<SharedValue> {
    const known = kept.get(name);
    if (known !== undefined && isFresh(known, wish, now())) return known;
    const value = await loadNow(wish);
    kept.set(name, value);
    return value;
  }

  async function rememberTogether(
    shared: SharedRedis,
    name: string,
    wish: RememberOptions,
  ): Promise<SharedValue> {
    const token = randomUUID();
    const keys = [`marquee:value:{${name}}`, `marquee:lock:{${name}}`];
    const deadline = performance.now() + lockMs;
    while (performance.now() < deadline) {
      const reply = await runOrNull(shared, { script: takeScript, keys, given: [token, lockMs] });
      const [word, text] = Array.isArray(reply) ? reply.map(String) : [];
      if (word === 'load') return loadForAll(shared, keys, token, wish);
      if (word !== 'wait') {
        const value = parseValue(text ?? '');
        // One that is too old for this caller, or Redis fails: nobody is asked to wait.
        return value !== null && isFresh(value, wish, now()) ? value : loadNow(wish);
      }
      await delay(askAgainMs);
    }
    return loadNow(wish);
  }

  async function loadForAll(
    shared: SharedRedis,
    keys: readonly string[],
    token: string,
    wish: RememberOptions,
  ): Promise<SharedValue> {
    let written = '';
    try {
      const value = await loadNow(wish);
      written = `${value.loadedAt}:${value.text}`;
      return value;
    } finally {
      await runOrNull(shared, { script: leaveScript, keys, given: [token, wish.ttlMs, written] });
    }
  }

  return {
    remember(name, wish) {
      const under = loading.get(name);
      if (under !== undefined) return under;
      const value = redis === null ? rememberHere(name, wish) : rememberTogether(redis, name, wish);
      const shared = value.finally(() => loading.delete(name));
      loading.set(name, shared);
      return shared;
    },
  };
}

function isFresh(value: SharedValue, { ttlMs }: RememberOptions, now: number): boolean {
  const age = now - value.loadedAt;
  return age >= 0 && age < ttlMs;
}

function parseValue(written: string): SharedValue | null {
  const colon = written.indexOf(':');
  const loadedAt = Number(written.slice(0, Math.max(0, colon)) || Number.NaN);
  return Number.isFinite(loadedAt) ? { loadedAt, text: written.slice(colon + 1) } : null;
}

async function runOrNull(
  redis: SharedRedis,
  call: Parameters<SharedRedis['run']>[0],
): Promise<unknown> {
  try {
    return await redis.run(call);
  } catch (error) {
    if (isSharedStateError(error)) return null;
    throw error;
  }
}
