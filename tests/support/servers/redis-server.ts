import { forTests } from '../for-tests.ts';
import { type RedisServer, startRedis } from '../programs/redis.ts';
import { skipWithout } from './skip-without.ts';

/** Starts Redis for the tests of a file or `describe`; skips them if it is not installed. */
export function setUpRedis(): RedisServer {
  return skipWithout('redis-server') ? forTests(startRedis) : ({} as RedisServer);
}
