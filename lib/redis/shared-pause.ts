import { runOrNull, type SharedRedis, toRedisScript } from './redis.ts';

/** A time in which no instance may do something. While Redis fails, each instance knows only its own pauses. */
export type SharedPause = Readonly<{
  /** How long the pause lasts yet, ms; 0 if there is none. */
  leftMs: () => Promise<number>;
  /** Starts a pause, or makes the present one longer. */
  start: (durationMs: number) => Promise<void>;
}>;

const leftScript = toRedisScript(`return math.max(redis.call('PTTL', KEYS[1]), 0)`);

const startScript = toRedisScript(`
if redis.call('PTTL', KEYS[1]) >= tonumber(ARGV[1]) then return 0 end
redis.call('SET', KEYS[1], '', 'PX', ARGV[1])
return 1
`);

/** @param name equal in all instances that pause together. */
export function createSharedPause(redis: SharedRedis, name: string): SharedPause {
  const keys = [`marquee:pause:{${name}}`];
  return {
    async leftMs() {
      return Number(await runOrNull(redis, { script: leftScript, keys, args: [] }));
    },
    async start(durationMs) {
      const args = [Math.ceil(durationMs)];
      await runOrNull(redis, { script: startScript, keys, args });
    },
  };
}
