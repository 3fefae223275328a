import { createHash } from 'node:crypto';
import type { Log } from '#lib/http/log.ts';

/** Redis cannot be used now. Whoever shares something through it has another way, and takes it. */
export class SharedStateError extends Error {
  override readonly name = 'SharedStateError';
}

/** By its name, not by `instanceof`: this module may be loaded twice in one process. */
export function isSharedStateError(error: unknown): boolean {
  return error instanceof Error && error.name === 'SharedStateError';
}

/** Lua that Redis runs in one step: nothing of other instances comes in between. */
export type RedisScript = Readonly<{ text: string; sha: string }>;

export type RedisCall = Readonly<{
  script: RedisScript;
  keys: readonly string[];
  given: readonly (string | number)[];
}>;

export type SharedRedis = Readonly<{
  /** @throws SharedStateError where Redis does not answer in time, or not with success. */
  run: (call: RedisCall) => Promise<unknown>;
  close: () => Promise<void>;
}>;

export type SharedRedisOptions = Readonly<{ url: string; log: Log }>;

const connectWithinMs = 1_000;
const answerWithinMs = 500;
/** After a failure nobody waits for Redis, until it is tried again. */
const pauseMs = 1_000;

export function toRedisScript(text: string): RedisScript {
  return { text, sha: createHash('sha1').update(text).digest('hex') };
}

type Connection = Readonly<{
  send: (words: string[]) => Promise<unknown>;
  end: () => void;
}>;

/**
 * Redis for what instances share. It is connected by its first use. A connection that fails is thrown
 * away and made anew after a pause: one that hangs in the network would hang for a quarter of an hour.
 */
export function createSharedRedis({ url, log }: SharedRedisOptions): SharedRedis {
  let connection: Promise<Connection> | null = null;
  let pausedUntil = Number.NEGATIVE_INFINITY;
  let isFailing = false;

  // One that was closed while nobody used it, by a server that tidies up: the next call makes another.
  function forget(): void {
    connection = null;
  }

  async function drop(failed: Promise<Connection>, error: unknown): Promise<void> {
    if (connection !== failed) return;
    connection = null;
    pausedUntil = performance.now() + pauseMs;
    if (!isFailing) log.warn({ reason: 'redis_fails', code: toCode(error) }, 'Redis fails');
    isFailing = true;
    await failed.then(
      ({ end }) => end(),
      () => {},
    );
  }

  return {
    async run(call) {
      if (performance.now() < pausedUntil) throw new SharedStateError('Redis is paused.');
      connection ??= connect(url, forget);
      const used = connection;
      try {
        const reply = await within(answerWithinMs, runScript((await used).send, call));
        if (isFailing) log.info({}, 'Redis works again');
        isFailing = false;
        return reply;
      } catch (cause) {
        await drop(used, cause);
        throw new SharedStateError('Redis fails.', { cause });
      }
    },
    async close() {
      const used = connection;
      connection = null;
      pausedUntil = Number.POSITIVE_INFINITY;
      await used?.then(
        ({ end }) => end(),
        () => {},
      );
    },
  };
}

async function connect(url: string, onGone: () => void): Promise<Connection> {
  const { createClient } = await import('redis');
  const client = createClient({
    url,
    disableOfflineQueue: true,
    socket: { connectTimeout: connectWithinMs, reconnectStrategy: false },
  });
  // A failure is known by the calls that it fails.
  client.on('error', () => {});
  const end = (): void => {
    client.off('terminated', onGone);
    client.destroy();
  };
  try {
    await within(connectWithinMs, client.connect());
  } catch (error) {
    end();
    throw error;
  }
  client.on('terminated', onGone);
  return { send: (words) => client.sendCommand(words), end };
}

async function runScript(
  send: Connection['send'],
  { script, keys, given }: RedisCall,
): Promise<unknown> {
  const words = [String(keys.length), ...keys, ...given.map(String)];
  try {
    return await send(['EVALSHA', script.sha, ...words]);
  } catch (error) {
    if (toCode(error) !== 'NOSCRIPT') throw error;
    return send(['EVAL', script.text, ...words]);
  }
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new SharedStateError('ETIMEDOUT')), ms);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Redis begins its errors with a word; systems and clients put one into `code`. Nothing else is logged. */
function toCode(error: unknown): string {
  if (!(error instanceof Error)) return 'UNKNOWN';
  if ('code' in error && typeof error.code === 'string') return error.code;
  return /^[A-Z]+(?=\b)/.exec(error.message)?.[0] ?? error.constructor.name;
}
