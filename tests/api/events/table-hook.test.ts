import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { Environment } from '#lib/config/config.ts';
import { isInstalled } from '../../programs.ts';
import { send } from '../../support/clients/http-client.ts';
import { openChangeStream } from '../../support/clients/open-change-stream.ts';
import {
  startMarquee,
  startMarqueeInProcess,
  startTable,
  toTableSettings,
} from '../../support/servers/marquee-server.ts';
import { setUpPostgres } from '../../support/servers/postgres-server.ts';
import { setUpRedis } from '../../support/servers/redis-server.ts';
import { makeRecord } from '../../support/upstreams/upstream.ts';
import { createWebhook, isVerified, startWebhookReceiver } from '../../support/webhook-receiver.ts';

/** The table's own call, `POST /hooks/table-changed`. */

const secret = 'table-hook-secret-0001';
const path = '/hooks/table-changed';

function call(server: Readonly<{ port: number }>, authorization = `Bearer ${secret}`) {
  return send(server, path, { method: 'POST', headers: { authorization } });
}

async function startEdited(settings: Environment = {}) {
  let name = 'Lantern Jam';
  let reads = 0;
  const table = await startTable({
    records: () => {
      reads++;
      return [makeRecord({ Name: name, 'Start Date': '2027-01-05' })];
    },
  });
  return {
    settings: { ...toTableSettings(table), TABLE_HOOK_SECRET: secret, ...settings },
    rename(value: string) {
      name = value;
    },
    reads: () => reads,
    [Symbol.asyncDispose]: () => table.close(),
  };
}

const nameOf = async (server: Readonly<{ port: number }>) =>
  /"name":"([^"]+)"/.exec((await send(server, '/api/v1/events')).text)?.[1];

test('what was edited is out at once after the call, and is a change', async () => {
  await using table = await startEdited();
  const server = await startMarqueeInProcess(table.settings);
  expect(await nameOf(server)).toBe('Lantern Jam');
  table.rename('Candle Jam');
  expect((await call(server)).status).toBe(202);
  await expect.poll(() => nameOf(server), { timeout: 2_000 }).toBe('Candle Jam');
  const { text } = await send(server, '/api/v1/events/changes');
  expect(text).toContain('"new":{"slug":"candle-jam","name":"Candle Jam"}');
  await server.stop();
});

test('a thousand calls cause two reads: one at once, one after the pause', async () => {
  await using table = await startEdited();
  const server = await startMarqueeInProcess(table.settings);
  await nameOf(server);
  const before = table.reads();
  for (let part = 0; part < 20; part++) {
    const responses = await Promise.all(Array.from({ length: 50 }, () => call(server)));
    expect(responses.every(({ status }) => status === 202)).toBe(true);
  }
  table.rename('Last Edit');
  await call(server);
  await expect.poll(() => nameOf(server), { timeout: 8_000 }).toBe('Last Edit');
  await sleep(1_000);
  expect(table.reads() - before).toBeLessThanOrEqual(3);
  await server.stop();
});

test.for(['', 'Bearer', 'Bearer wrong', `Basic ${secret}`, `Bearer ${secret}x`])(
  'the secret “%s” is a 401, and nothing is read',
  async (authorization) => {
    await using table = await startEdited();
    const server = await startMarqueeInProcess(table.settings);
    const response = await call(server, authorization);
    expect(response.status).toBe(401);
    expect(response.text).toContain('the value of TABLE_HOOK_SECRET');
    expect(response.text).not.toContain(secret);
    expect(response.header('www-authenticate')).toBe('Bearer');
    await sleep(700);
    expect(table.reads()).toBe(0);
    await server.stop();
  },
);

test('without the setting there is no such page, and GET is not allowed', async () => {
  await using table = await startEdited({ TABLE_HOOK_SECRET: '' });
  const server = await startMarqueeInProcess(table.settings);
  expect((await call(server)).status).toBe(404);
  expect((await send(server, path)).status).toBe(405);
  await server.stop();
});

describe('two instances with PostgreSQL and Redis', () => {
  const redis = setUpRedis();
  const postgres = setUpPostgres();

  test.skipIf(!isInstalled('redis-server') || !isInstalled('postgres'))(
    'the edit is on both, in an open stream and in a verified webhook two seconds after the call to one',
    async () => {
      await using receiver = await startWebhookReceiver();
      await using table = await startEdited({
        DATABASE_URL: await postgres.createDatabase(),
        REDIS_URL: redis.url,
        KEY_PEPPER: 'a-pepper-of-thirty-two-characters',
        WEBHOOK_HOSTS: receiver.host,
      });
      const [one, two] = [
        await startMarquee(table.settings),
        await startMarqueeInProcess(table.settings),
      ];
      for (const server of [one, two]) expect(await nameOf(server)).toBe('Lantern Jam');
      const webhookSecret = await createWebhook(table.settings, receiver.url);
      await using stream = await openChangeStream(two.url);
      const before = table.reads();
      table.rename('Candle Jam');
      const calledAt = performance.now();
      await call(one);
      for (const server of [one, two]) {
        await expect.poll(() => nameOf(server), { timeout: 4_000 }).toBe('Candle Jam');
      }
      await expect.poll(stream.text, { timeout: 4_000 }).toContain('"name":"Candle Jam"');
      await expect.poll(() => receiver.received.length, { timeout: 4_000 }).toBe(1);
      // Of two seconds, with room for a busy machine.
      expect(performance.now() - calledAt).toBeLessThan(4_000);
      expect(receiver.received.every((one) => isVerified(one, webhookSecret))).toBe(true);
      expect(receiver.received[0]?.body).toContain('"type":"event.changed"');
      expect(table.reads() - before).toBe(1);
      await Promise.all([one.stop(), two.stop()]);
    },
  );
});
