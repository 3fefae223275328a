import { afterAll, beforeAll } from 'vitest';
import { type RedisServer, startRedis } from '../programs/redis.ts';
import { skipWithout } from './skip-without.ts';

/** Starts Redis for the tests of a file or `describe`; skips them if it is not installed. */
export function setUpRedis(): RedisServer {
  let server: RedisServer;
  if (skipWithout('redis-server')) {
    beforeAll(async () => {
      server = await startRedis();
    }, 60_000);
    afterAll(() => server.close());
  }
  return {
    get url() {
      return server.url;
    },
    empty: () => server.empty(),
    endConnections: () => server.endConnections(),
    kill: () => server.kill(),
    freeze: () => server.freeze(),
    thaw: () => server.thaw(),
    start: () => server.start(),
    close: () => server.close(),
  };
}
