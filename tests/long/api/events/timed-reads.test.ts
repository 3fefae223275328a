import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Environment } from '#lib/config/config.ts';
import { openChangeStream } from '../../../support/clients/open-change-stream.ts';
import { readName, startEditedTable } from '../../../support/servers/edited-table.ts';
import { startMarquee, startMarqueeInProcess } from '../../../support/servers/marquee-server.ts';
import { setUpPostgres } from '../../../support/servers/postgres-server.ts';
import { createWebhook, startWebhookReceiver } from '../../../support/webhook-receiver.ts';

/** Edits that no hook and no visitor tells of. */

const secondMs = 1_000;
/** In real time: subscribers are noticed within ten seconds. */
const noticedMs = 11 * secondMs;

/** A server whose clock stands still, and that has been visited once. */
async function startVisited(settings: Environment) {
  let timeMs = Date.now();
  const server = await startMarqueeInProcess(settings, { now: () => timeMs });
  onTestFinished(server.stop);
  expect(await readName(server)).toBe('Lantern Jam');
  const looks = vi.spyOn(server.services.events, 'followClock').mock.calls;
  return {
    server,
    advanceSeconds(seconds: number) {
      timeMs += seconds * secondMs;
    },
    /** Two looks at whether a read is due begin, and end. */
    async looksTwice() {
      const before = looks.length;
      await expect.poll(() => looks.length).toBeGreaterThan(before + 2);
    },
  };
}

test('while nobody is told of changes nothing is read, however old the last read is', async () => {
  await using table = await startEditedTable({ TABLE_HOOK_SECRET: '' });
  const { advanceSeconds, looksTwice } = await startVisited(table.settings);
  for (const seconds of [229, 241, 3_600]) {
    advanceSeconds(seconds);
    await looksTwice();
    expect(table.reads()).toBe(1);
  }
});

test('with an open stream the table is read before it is too old, and the edit is in the stream', async () => {
  await using table = await startEditedTable({ TABLE_HOOK_SECRET: '' });
  const { server, advanceSeconds, looksTwice } = await startVisited(table.settings);
  await using stream = await openChangeStream(server.url);
  table.rename('Candle Jam');
  await sleep(noticedMs);
  advanceSeconds(227);
  await looksTwice();
  expect(table.reads()).toBe(1);
  advanceSeconds(2);
  await expect.poll(stream.text).toContain('"new":{"slug":"candle-jam","name":"Candle Jam"}');
  expect(table.reads()).toBe(2);
});

test('a paused webhook causes no reads, an active one does, and gets the edit', async () => {
  await using receiver = await startWebhookReceiver();
  await using table = await startEditedTable({ TABLE_HOOK_SECRET: '' });
  const settings = { ...table.settings, WEBHOOK_HOSTS: receiver.host };
  const { server, advanceSeconds } = await startVisited(settings);
  const { webhooks } = server.services;
  const input = { url: receiver.url, name: null, types: null, filter: null };
  const id = (await webhooks.create(input))?.webhook.id ?? '';
  await webhooks.pause(id);
  table.rename('Candle Jam');
  advanceSeconds(229);
  await sleep(noticedMs);
  expect(table.reads()).toBe(1);
  await webhooks.resume(id);
  await expect.poll(() => receiver.received.length).toBe(1);
  expect(receiver.received[0]?.body).toContain('"name":"Candle Jam"');
  expect(table.reads()).toBe(2);
});

describe('two instances with PostgreSQL', () => {
  const postgres = setUpPostgres();

  test('one of them reads: the edit is in a webhook, a stream and on both before the events are too old', async () => {
    await using receiver = await startWebhookReceiver();
    await using table = await startEditedTable({ TABLE_HOOK_SECRET: '' });
    const cacheSeconds = 16;
    const settings = {
      ...table.settings,
      EVENTS_CACHE_SECONDS: String(cacheSeconds),
      DATABASE_URL: await postgres.createDatabase(),
      KEY_PEPPER: 'a-pepper-of-thirty-two-characters',
      WEBHOOK_HOSTS: receiver.host,
    };
    await using instance = await startMarquee(settings);
    await using other = await startMarqueeInProcess(settings);
    await createWebhook(settings, receiver.url);
    await using stream = await openChangeStream(instance.url);
    for (const server of [instance, other]) expect(await readName(server)).toBe('Lantern Jam');
    // The first timed read: from now on both know that somebody waits.
    await expect.poll(table.reads).toBeGreaterThan(1);

    table.rename('Candle Jam');
    await expect.poll(() => receiver.received.length).toBe(1);
    expect(receiver.received[0]?.body).toContain('"name":"Candle Jam"');
    await expect.poll(stream.text).toContain('"name":"Candle Jam"');
    for (const server of [instance, other]) {
      await expect.poll(() => readName(server)).toBe('Candle Jam');
    }
    // Had each read for itself, they would have done so at almost the same time.
    expect(table.shortestPauseMs()).toBeGreaterThan((cacheSeconds * secondMs) / 4);
  });
});
