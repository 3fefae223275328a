import { createHash } from 'node:crypto';
import type { Log } from '#lib/http/log.ts';
import { withTimeout } from '#lib/http/with-timeout.ts';

// Next loads this module a second time, so that `instanceof` would fail.
const brand = Symbol.for('marquee.shared-state-error');

/** Redis is unavailable; the code that shares something through it falls back to this process. */
export class SharedStateError extends Error {
  override readonly name = 'SharedStateError';
  readonly [brand] = true;
}

export function isSharedStateError(error: unknown): error is SharedStateError {
  return error instanceof Error && brand in error;
}

/** A Lua script, which Redis runs atomically. */
type RedisScript = Readonly<{ text: string; sha: string }>;

export type RedisCall = Readonly<{
  script: RedisScript;
  keys: readonly string[];
  args: readonly (string | number)[];
}>;

export type SharedRedis = Readonly<{
  /** @throws SharedStateError where Redis is unreachable, fails or takes longer than half a second. */
  run: (call: RedisCall) => Promise<unknown>;
  /** @throws SharedStateError where `run` would. */
  ping: () => Promise<unknown>;
  close: () => Promise<void>;
}>;

type SharedRedisOptions = Readonly<{ url: string; log: Log }>;

const connectTimeoutMs = 1_000;
const commandTimeoutMs = 500;
/** How long calls fail at once after a failure, before Redis is tried again. */
const pauseMs = 1_000;

/** Prepares a Lua script: it is sent once to each server, then called by its hash. */
export function toRedisScript(text: string): RedisScript {
  return { text, sha: createHash('sha1').update(text).digest('hex') };
}

/** For scripts: `now`, Unix ms by the clock of Redis, since those of instances may differ. */
export const redisNow = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;

const pingScript = toRedisScript('return 1');

type Connection = Readonly<{
  send: (command: string[]) => Promise<unknown>;
  close: () => void;
}>;

/**
 * A Redis client that connects on first use. After a failed or timed-out command it drops the connection
 * and opens another after a pause: TCP alone would take a quarter of an hour to notice a dead peer.
 */
export function createSharedRedis({ url, log }: SharedRedisOptions): SharedRedis {
  let connection: Promise<Connection> | null = null;
  let pausedUntil = Number.NEGATIVE_INFINITY;
  let isFailing = false;
  const running = new Set<Promise<unknown>>();

  // The server closed an idle connection: the next call opens another.
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
      ({ close }) => close(),
      () => {},
    );
  }

  async function run(call: RedisCall): Promise<unknown> {
    if (performance.now() < pausedUntil) throw new SharedStateError('Redis is paused.');
    connection ??= connect(url, forget);
    const used = connection;
    try {
      const reply = await withTimeout(runScript((await used).send, call), commandTimeoutMs);
      if (isFailing) log.info({}, 'Redis works again');
      isFailing = false;
      return reply;
    } catch (cause) {
      await drop(used, cause);
      throw new SharedStateError('Redis fails.', { cause });
    }
  }

  function runTracked(call: RedisCall): Promise<unknown> {
    const reply = run(call).finally(() => running.delete(reply));
    running.add(reply);
    return reply;
  }

  return {
    run: runTracked,
    ping: () => runTracked({ script: pingScript, keys: [], args: [] }),
    async close() {
      // A process that stops has just released its locks.
      await Promise.allSettled(running);
      const used = connection;
      connection = null;
      pausedUntil = Number.POSITIVE_INFINITY;
      await used?.then(
        ({ close }) => close(),
        () => {},
      );
    },
  };
}

async function connect(url: string, onClosed: () => void): Promise<Connection> {
  const { createClient } = await import('@redis/client');
  const client = createClient({
    url,
    disableOfflineQueue: true,
    socket: { connectTimeout: connectTimeoutMs, reconnectStrategy: false },
  });
  // Commands report their own failures; without a listener the event would end the process.
  client.on('error', () => {});
  const close = (): void => {
    client.off('terminated', onClosed);
    client.destroy();
  };
  try {
    await withTimeout(client.connect(), connectTimeoutMs);
  } catch (error) {
    close();
    throw error;
  }
  client.on('terminated', onClosed);
  return { send: (command) => client.sendCommand(command), close };
}

async function runScript(
  send: Connection['send'],
  { script, keys, args }: RedisCall,
): Promise<unknown> {
  const rest = [String(keys.length), ...keys, ...args.map(String)];
  try {
    return await send(['EVALSHA', script.sha, ...rest]);
  } catch (error) {
    if (toCode(error) !== 'NOSCRIPT') throw error;
    return send(['EVAL', script.text, ...rest]);
  }
}

/** The system's or client's error code, else the first word of Redis's message. Nothing else is logged. */
function toCode(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  if ('code' in error && typeof error.code === 'string') return error.code;
  return /^[A-Z]+(?=\b)/.exec(error.message)?.[0] ?? error.constructor.name;
}
