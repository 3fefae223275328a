import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createDeliveryStore } from '#lib/outbox/delivery-store.ts';
import { createWebhookSecrets } from '#lib/site/notifications/webhooks/webhook-secrets.ts';
import { createWebhookStore } from '#lib/site/notifications/webhooks/webhook-store.ts';
import { createConnection } from '#lib/storage/connection.ts';
import { random } from '../../../support/seed.ts';
import { describeEachDatabase } from '../../../support/servers/each-database.ts';
import { startWebhookReceiver } from '../../../support/webhook-receiver.ts';

const program = `${import.meta.dirname}/../../../support/servers/outbox-program.ts`;
const pepper = 'a-pepper-of-32-characters-or-more';
const count = 1_000;

describeEachDatabase((createTestDatabase) => {
  test('instances that are killed at any time lose none of 1,000 deliveries, and what comes twice has the same id', async () => {
    const place = await createTestDatabase();
    await using receiver = await startWebhookReceiver();
    const { run, transact, close } = createConnection(place);
    const deliveries = createDeliveryStore(run, transact);
    const webhooks = createWebhookStore(run, transact, Date.now);
    const { makeSeed } = createWebhookSecrets({
      keys: { pepper, previousPepper: null },
      storage: { dataDir: place.dataDir },
    });
    const targets: string[] = [];
    for (let index = 0; index < 10; index += 1) {
      const webhook = { name: 'x', url: receiver.url, types: ['event.*'], filter: '' };
      targets.push((await webhooks.create({ ...webhook, seed: makeSeed() })).id);
    }
    const words = [place.databaseUrl ?? '', place.dataDir, receiver.host, pepper];
    const start = () =>
      fork(program, words, { execArgv: ['--disable-warning=ExperimentalWarning'] });
    const instances: ChildProcess[] = [start(), start()];
    await Promise.all(instances.map((instance) => once(instance, 'message')));
    for (let from = 0; from < count; from += 100) {
      const some = Array.from({ length: 100 }, (_, index) => ({
        kind: 'webhook' as const,
        target: targets[(from + index) % targets.length] ?? '',
        payload: JSON.stringify({ type: 'event.added', number: from + index }),
      }));
      await deliveries.add(some, Date.now());
    }
    const numbers = () => new Set(receiver.received.map(({ body }) => JSON.parse(body).number));
    let kills = 0;
    while (numbers().size < count) {
      await delay(50 + random() * 400);
      const [oldest] = instances.splice(0, 1, start());
      oldest?.kill('SIGKILL');
      instances.reverse();
      kills += 1;
      // Each has its turn: a process needs a moment to start.
      await once(instances[1] ?? process, 'message');
    }
    for (const instance of instances) instance.kill('SIGKILL');
    await close();
    const bodies = Map.groupBy(receiver.received, ({ id }) => id);
    expect(bodies.size).toBe(count);
    for (const same of bodies.values()) {
      expect(new Set(same.map(({ body }) => body)).size).toBe(1);
    }
    expect(kills).toBeGreaterThan(0);
  });
});
