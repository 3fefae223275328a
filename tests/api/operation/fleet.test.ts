import { test } from 'vitest';
import { send } from '../../support/clients/http-client.ts';
import { readEventList } from '../../support/responses/api-responses.ts';
import { startMarquee, startTable, toTableSettings } from '../../support/servers/marquee-server.ts';
import { setUpRedis } from '../../support/servers/redis-server.ts';

/** The lease of ten seconds, and as much again for a busy machine; a lock that waits for its reader takes 30. */
const withinMs = 20_000;

// They mostly wait, so they run at once: each has its own Redis and table.
test.concurrent.for([
  { how: 'killed', redis: setUpRedis() },
  { how: 'stopped', redis: setUpRedis() },
])(
  'a reader that is $how in mid-read delays the others by no more than its lease',
  {
    timeout: 120_000,
  },
  async ({ how, redis }, { expect }) => {
    await using table = await startTable();
    const settings = { ...toTableSettings(table), REDIS_URL: redis.url, SHUTDOWN_SECONDS: '30' };
    table.setFault({ kind: 'hang', times: 1 });
    const reader = await startMarquee(settings);
    await expect.poll(() => table.stats().listRequests).toBe(1);
    await using other = await startMarquee(settings);
    const list = send(other, '/api/v1/events');
    if (how === 'killed') await reader.kill();
    else expect(await reader.terminate()).toBe(0);
    const endedAt = performance.now();
    // A reader that is stopped gives its lease back: had it kept it, this would take as long as renewed leases.
    if (how === 'stopped') await expect.poll(() => table.stats().listRequests).toBe(2);
    expect(readEventList(await list).data.length).toBeGreaterThan(0);
    expect(performance.now() - endedAt).toBeLessThan(withinMs);
  },
);
