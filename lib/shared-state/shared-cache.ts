import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { isSharedStateError, type SharedRedis, toRedisScript } from './redis.ts';

export type SharedValue = Readonly<{
  text: string;
  /** When its loading began, Unix ms: no older than that is what it tells. The same for all, where clocks agree. */
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
  redis: SharedRedis;
  now: () => number;
  /** ms after which an instance that loads is taken for dead. */
  lockMs?: number;
}>;

const askAgainMs = 50;
/** Clocks of instances that differ by less agree: a value then has one time for all of them. */
const clocksAgreeMs = 2_000;

/**
 * Gives the value with its age if there is one that is young enough, else the lock if it is free, with the
 * time. All ages are by the clock of Redis: those of instances may differ.
 */
const takeScript = toRedisScript(`
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
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

  async function loadNow({ load }: RememberOptions): Promise<SharedValue> {
    const loadedAt = now();
    return { text: await load(), loadedAt };
  }

  async function rememberTogether(name: string, wish: RememberOptions): Promise<SharedValue> {
    const token = randomUUID();
    const keys = [`marquee:value:{${name}}`, `marquee:lock:{${name}}`];
    const given = [token, lockMs, wish.ttlMs];
    const deadline = performance.now() + lockMs;
    while (performance.now() < deadline) {
      const reply = await runOrNull(redis, { script: takeScript, keys, given });
      const [word, time = '', written = ''] = Array.isArray(reply) ? reply.map(String) : [];
      if (word === 'load') return loadForAll(keys, { token, time }, wish);
      if (word === 'value') return readValue(written, now() - Number(time));
      // Redis fails: nobody is asked to wait.
      if (word !== 'wait') break;
      await delay(askAgainMs);
    }
    return loadNow(wish);
  }

  async function loadForAll(
    keys: readonly string[],
    { token, time }: Readonly<{ token: string; time: string }>,
    wish: RememberOptions,
  ): Promise<SharedValue> {
    let written = '';
    try {
      const value = await loadNow(wish);
      written = `${time}:${value.loadedAt}:${value.text}`;
      return value;
    } finally {
      await runOrNull(redis, { script: leaveScript, keys, given: [token, wish.ttlMs, written] });
    }
  }

  /** @param loadedAt by this instance's clock and the age that Redis says. */
  function readValue(written: string, loadedAt: number): SharedValue {
    const [start, , said] = /^(\d+):(\d+):/.exec(written) ?? ['', '', ''];
    const isAgreed = Math.abs(Number(said) - loadedAt) <= clocksAgreeMs;
    return {
      text: written.slice(start.length),
      loadedAt: Math.min(isAgreed ? Number(said) : loadedAt, now()),
    };
  }

  return {
    remember(name, wish) {
      const under = loading.get(name);
      if (under !== undefined) return under;
      const shared = rememberTogether(name, wish).finally(() => loading.delete(name));
      loading.set(name, shared);
      return shared;
    },
  };
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
