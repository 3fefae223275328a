import { test } from 'vitest';
import { send } from '../../support/clients/http-client.ts';
import { readEventList } from '../../support/responses/api-responses.ts';
import { startMarquee, startTable, toTableSettings } from '../../support/servers/marquee-server.ts';
import { setUpRedis } from '../../support/servers/redis-server.ts';

// The tests mostly wait, so they run at once: each has its own Redis and table.
const [redis, otherRedis] = [setUpRedis(), setUpRedis()];

/** The lease of ten seconds, and as much again for a busy machine; a lock that waits for its reader takes 30. */
const withinMs = 20_000;

test.concurrent('a reader that is killed in mid-read delays the others by no more than its lease', async ({
  expect,
}) => {
  const table = await startTable();
  const settings = { ...toTableSettings(table), REDIS_URL: redis.url };
  table.setFault({ kind: 'hang', times: 1 });
  const reader = await startMarquee(settings);
  await expect.poll(() => table.stats().listRequests).toBe(1);
  const other = await startMarquee(settings);
  try {
    const list = send(other, '/api/v1/events');
    await reader.kill();
    const killedAt = performance.now();
    expect(readEventList(await list).data.length).toBeGreaterThan(0);
    const delayMs = performance.now() - killedAt;
    console.log(`another instance read after ${Math.round(delayMs)} ms`);
    expect(delayMs).toBeLessThan(withinMs);
  } finally {
    await other.stop();
    await table.close();
  }
}, 120_000);

test.concurrent('a reader that is stopped in mid-read delays nobody', async ({ expect }) => {
  const table = await startTable();
  const settings = { ...toTableSettings(table), REDIS_URL: otherRedis.url, SHUTDOWN_SECONDS: '30' };
  table.setFault({ kind: 'hang', times: 1 });
  const reader = await startMarquee(settings);
  await expect.poll(() => table.stats().listRequests).toBe(1);
  const other = await startMarquee(settings);
  try {
    const list = send(other, '/api/v1/events');
    expect(await reader.terminate()).toBe(0);
    // It had renewed its lease of ten seconds less than four seconds ago.
    await expect.poll(() => table.stats().listRequests).toBe(2);
    expect(readEventList(await list).data.length).toBeGreaterThan(0);
  } finally {
    await other.stop();
    await table.close();
  }
}, 120_000);
