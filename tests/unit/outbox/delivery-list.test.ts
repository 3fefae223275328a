import { expect, test } from 'vitest';
import { readListQuery } from '#lib/accounts/admin/list-query.ts';
import { deliveryList } from '#lib/outbox/delivery-list.ts';
import { makeDelivery, openDeliveries } from '../../support/outbox-factory.ts';
import { describeEachDatabase } from '../../support/servers/each-database.ts';

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
    const search = async (q: string) => {
      const { deliveries, total } = await box.deliveries.search(readListQuery(deliveryList, { q }));
      expect(total).toBe(deliveries.length);
      return deliveries.map(({ payload, webhook_name }) => [payload, webhook_name]);
    };
    expect(await search('our WEB')).toEqual([['a', 'Our website']]);
    expect(await search('hooks.example')).toEqual([['a', 'Our website']]);
    expect(await search('zoe@')).toEqual([['b', null]]);
    expect(await search('hub.example')).toEqual([['c', null]]);
    expect(await search('nobody')).toEqual([]);
    expect(await search('')).toHaveLength(3);
  });

  test('deliveries are listed from the newest or from the oldest on', async () => {
    await using box = openDeliveries(await createTestDatabase());
    await box.enqueue(makeDelivery('a'), makeDelivery('b'), makeDelivery('c'));
    const list = async (sort: string) => {
      const { deliveries } = await box.deliveries.search(readListQuery(deliveryList, { sort }));
      return deliveries.map(({ payload }) => payload);
    };
    expect(await list('newest')).toEqual(['c', 'b', 'a']);
    expect(await list('oldest')).toEqual(['a', 'b', 'c']);
  });
});
