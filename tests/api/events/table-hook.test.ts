import { describe, expect, test } from 'vitest';
import { send } from '../../support/clients/http-client.ts';
import { openChangeStream } from '../../support/clients/open-change-stream.ts';
import {
  callTableHook,
  readName,
  startEditedTable,
  tableHook,
} from '../../support/servers/edited-table.ts';
import { startMarquee, startMarqueeInProcess } from '../../support/servers/marquee-server.ts';
import { setUpPostgres } from '../../support/servers/postgres-server.ts';
import { createWebhook, isVerified, startWebhookReceiver } from '../../support/webhook-receiver.ts';

/** The table's own call, `POST /hooks/table-changed`. */

test('what was edited is out at once after the call, and is a change', async () => {
  await using table = await startEditedTable();
  await using server = await startMarqueeInProcess(table.settings);
  expect(await readName(server)).toBe('Lantern Jam');
  table.rename('Candle Jam');
  expect((await callTableHook(server)).status).toBe(202);
  await expect.poll(() => readName(server)).toBe('Candle Jam');
  const { text } = await send(server, '/api/v1/events/changes');
  expect(text).toContain('"new":{"slug":"candle-jam","name":"Candle Jam"}');
});

test.for([
  '',
  'Bearer',
  'Bearer wrong',
  `Basic ${tableHook.secret}`,
  `Bearer ${tableHook.secret}x`,
])('the secret “%s” is a 401, and nothing is read', async (authorization) => {
  await using table = await startEditedTable();
  await using server = await startMarqueeInProcess(table.settings);
  const response = await callTableHook(server, authorization);
  expect(response.status).toBe(401);
  expect(response.text).toContain('the value of TABLE_HOOK_SECRET');
  expect(response.text).not.toContain(tableHook.secret);
  expect(response.header('www-authenticate')).toBe('Bearer');
  table.rename('Candle Jam');
  await callTableHook(server);
  await expect.poll(table.reads).toBeGreaterThan(0);
  // Read once, for the second call: had the first one caused a read, there would be two by now.
  await expect.poll(() => readName(server)).toBe('Candle Jam');
  expect(table.reads()).toBe(1);
});

test('without the setting there is no such page, and GET is not allowed', async () => {
  await using table = await startEditedTable({ TABLE_HOOK_SECRET: '' });
  await using server = await startMarqueeInProcess(table.settings);
  expect((await callTableHook(server)).status).toBe(404);
  expect((await send(server, tableHook.path)).status).toBe(405);
});

describe('two instances with PostgreSQL', () => {
  const postgres = setUpPostgres();

  test('the edit is on both, in an open stream and in a verified webhook after the call to one', async () => {
    await using receiver = await startWebhookReceiver();
    await using table = await startEditedTable({
      DATABASE_URL: await postgres.createDatabase(),
      KEY_PEPPER: 'a-pepper-of-thirty-two-characters',
      WEBHOOK_HOSTS: receiver.host,
    });
    await using instance = await startMarquee(table.settings);
    await using two = await startMarqueeInProcess(table.settings);
    for (const server of [instance, two]) expect(await readName(server)).toBe('Lantern Jam');
    const webhookSecret = await createWebhook(table.settings, receiver.url);
    await using stream = await openChangeStream(two.url);
    const before = table.reads();
    table.rename('Candle Jam');
    await callTableHook(instance);
    for (const server of [instance, two]) {
      await expect.poll(() => readName(server)).toBe('Candle Jam');
    }
    await expect.poll(stream.text).toContain('"name":"Candle Jam"');
    await expect.poll(() => receiver.received.length).toBe(1);
    expect(receiver.received.every((request) => isVerified(request, webhookSecret))).toBe(true);
    expect(receiver.received[0]?.body).toContain('"type":"event.changed"');
    expect(table.reads() - before).toBe(1);
  });
});
