import { expect, test } from 'vitest';
import { readListQuery } from '#lib/accounts/lists/list-query.ts';
import { deliveryList } from '#lib/outbox/delivery-list.ts';
import { readList } from '#lib/storage/lists.ts';
import { makeDelivery, openDeliveries } from '../../support/outbox-factory.ts';
import { describeEachDatabase } from '../../support/servers/each-database.ts';

async function search({ run }: ReturnType<typeof openDeliveries>, values: Record<string, string>) {
  const query = readListQuery(deliveryList, values);
  const { rows, total } = await readList({ run, readLong: run }, deliveryList, query, 0);
  expect(total).toBe(rows.length);
  return rows;
}

describeEachDatabase((createTestDatabase) => {
  test('deliveries are found by the name and URL of a webhook, the address of a reader, a target or a result', async () => {
    await using box = openDeliveries(await createTestDatabase());
    await box.transact(async (db) => {
      await db
        .insertInto('marquee_webhooks')
        .values({
          id: 'wh_1',
          name: 'Our website',
          url: 'https://hooks.example/in',
          types: '[]',
          filter: '',
          secret_salt: '',
          pepper_id: '',
          created_at: 0,
          state: 'paused',
        })
        .execute();
      await db
        .insertInto('marquee_mail_subscriptions')
        .values({
          id: 'sub_1',
          address: 'zoe@readers.example',
          filters: '',
          weekday: 1,
          hour: 8,
          time_zone: 'UTC',
          since: 0,
          digest_at: 0,
          rejections: 0,
        })
        .execute();
    });
    await box.enqueue(
      makeDelivery('a', { target: 'wh_1' }),
      makeDelivery('b', { kind: 'mail', target: 'mail sub_1' }),
      makeDelivery('c', { kind: 'ping', target: 'https://hub.example' }),
    );
    const find = async (q: string) =>
      (await search(box, { q })).map(({ payload, webhook_name }) => [payload, webhook_name]);
    expect(await find('our WEB')).toEqual([['a', 'Our website']]);
    expect(await find('hooks.example')).toEqual([['a', 'Our website']]);
    expect(await find('zoe@')).toEqual([['b', null]]);
    expect(await find('hub.example')).toEqual([['c', null]]);
    expect(await find('nobody')).toEqual([]);
    expect(await find('')).toHaveLength(3);
  });

  test('deliveries are listed from the newest or from the oldest on', async () => {
    await using box = openDeliveries(await createTestDatabase());
    await box.enqueue(makeDelivery('a'), makeDelivery('b'), makeDelivery('c'));
    const list = async (sort: string) =>
      (await search(box, { sort })).map(({ payload }) => payload);
    expect(await list('newest')).toEqual(['c', 'b', 'a']);
    expect(await list('oldest')).toEqual(['a', 'b', 'c']);
  });

  test('deliveries are filtered by their state and target', async () => {
    await using box = openDeliveries(await createTestDatabase());
    const states = {
      new: { due_at: 5 },
      failing: { due_at: 5, attempts: 1 },
      delivered: { due_at: null, outcome: 'delivered' },
      'given-up': { due_at: null, outcome: 'given-up' },
    } as const;
    for (const [payload, columns] of Object.entries(states)) {
      await box.enqueue(makeDelivery(payload, { target: `to ${payload}` }));
      await box.run((db) =>
        db.updateTable('marquee_deliveries').set(columns).where('payload', '=', payload).execute(),
      );
    }
    const list = async (values: Record<string, string>) =>
      (await search(box, values)).map(({ payload }) => payload);
    expect(await list({ state: 'waiting' })).toEqual(['failing', 'new']);
    for (const state of ['failing', 'delivered', 'given-up']) {
      expect(await list({ state })).toEqual([state]);
    }
    expect(await list({ target: 'to new' })).toEqual(['new']);
  });
});
