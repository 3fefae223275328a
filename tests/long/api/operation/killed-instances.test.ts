import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { forTests } from '../../../support/for-tests.ts';
import { random } from '../../../support/seed.ts';
import { callTableHook, readName, tableHook } from '../../../support/servers/edited-table.ts';
import {
  startMarquee,
  startTable,
  toTableSettings,
} from '../../../support/servers/marquee-server.ts';
import { endOldLeases, setUpPostgres } from '../../../support/servers/postgres-server.ts';
import { makeRecords } from '../../../support/upstreams/upstream.ts';
import {
  createWebhook,
  isVerified,
  startWebhookReceiver,
} from '../../../support/webhook-receiver.ts';

/** Ten webhooks are told of a hundred edits, while the instances that tell them are killed. */

const [webhooks, rows] = [10, 100];
const count = webhooks * rows;
const postgres = setUpPostgres();
const table = forTests(() => startTable({ records: makeRecords(rows) }));

test('kill -9 of any instance at any time loses none of 1,000 deliveries, and what comes twice has the same id', async () => {
  // Slow enough that a kill meets deliveries under way.
  await using receiver = await startWebhookReceiver(() => sleep(50, 204));
  const databaseUrl = await postgres.createDatabase();
  const settings = {
    ...toTableSettings(table),
    DATABASE_URL: databaseUrl,
    KEY_PEPPER: 'a-pepper-of-thirty-two-characters',
    WEBHOOK_HOSTS: receiver.host,
    TABLE_HOOK_SECRET: tableHook.secret,
  };
  const instances = [await startMarquee(settings), await startMarquee(settings)];
  const secrets = new Map<string, string>();
  for (let index = 0; index < webhooks; index++) {
    const path = `/hook/${index}`;
    secrets.set(path, await createWebhook(settings, `http://${receiver.host}${path}`));
  }
  for (const instance of instances) await readName(instance);
  table.setRecords(makeRecords(rows, () => ({ 'Start Date': '2026-04-01' })));
  const called = await Promise.all(instances.map((instance) => callTableHook(instance)));
  expect(called.map(({ status }) => status)).toEqual([202, 202]);

  const toDelivery = ({ path, body }: (typeof receiver.received)[number]) =>
    `${path} ${JSON.parse(body).data.id}`;
  const delivered = () => new Set(receiver.received.map(toDelivery)).size;
  let kills = 0;
  while (delivered() < count) {
    await sleep(random() * 500);
    const oldest = instances.shift();
    await oldest?.kill();
    kills += 1;
    instances.push(await startMarquee({ ...settings, PORT: String(oldest?.port) }));
    await endOldLeases(postgres, databaseUrl);
  }

  expect(delivered()).toBe(count);
  const ids = Map.groupBy(receiver.received, ({ id }) => id);
  expect(ids.size).toBe(count);
  for (const same of ids.values()) {
    expect(new Set(same.map(({ path, body }) => `${path} ${body}`)).size).toBe(1);
  }
  const unsigned = receiver.received.filter(
    (request) => !isVerified(request, secrets.get(request.path) ?? ''),
  );
  expect(unsigned).toEqual([]);
  await expect
    .poll(async () => {
      await endOldLeases(postgres, databaseUrl);
      return postgres.query(
        databaseUrl,
        'select outcome, count(*)::int from marquee_deliveries group by outcome',
      );
    })
    .toEqual([{ outcome: 'delivered', count }]);
  expect(kills).toBeGreaterThan(2);
  console.log(`${kills} kills, ${receiver.received.length - count} came twice`);
  await Promise.all(instances.map((instance) => instance.stop()));
});
