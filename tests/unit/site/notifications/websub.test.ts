import { expect, test } from 'vitest';
import { enqueue } from '#lib/outbox/enqueue.ts';
import { makeChange, openNotifications } from '../../../support/factories/webhook-factory.ts';
import { describeEachDatabase } from '../../../support/servers/each-database.ts';
import { waitFor } from '../../../support/wait-for.ts';
import { startWebhookReceiver } from '../../../support/webhook-receiver.ts';

const feeds = [
  'https://events.example/api/v1/events/changes/rss',
  'https://events.example/api/v1/events/feed.atom',
  'https://events.example/api/v1/events/feed.json',
  'https://events.example/api/v1/events/rss',
];

const readPings = (received: readonly { body: string }[]) =>
  received.map(({ body }) => {
    const form = new URLSearchParams(body);
    expect(form.get('hub.mode')).toBe('publish');
    return form.get('hub.url');
  });

describeEachDatabase((createTestDatabase) => {
  test('the hub is told of each unfiltered feed, without WEBHOOK_HOSTS, once every instance serves it', async () => {
    const place = await createTestDatabase();
    await using hub = await startWebhookReceiver();
    await using site = openNotifications(place, { hub: hub.url });
    await site.change(makeChange(null, {}));
    // One that is due at once is sent alone.
    const payload = 'https://events.example/due';
    await site.transact((db) =>
      enqueue(db, [{ kind: 'ping', target: hub.url, payload }], site.clock.now()),
    );
    await waitFor(() => expect(readPings(hub.received)).toEqual([payload]));
    hub.received.length = 0;
    site.clock.move(place.databaseUrl === null ? 1_000 : 5_000);
    await waitFor(() => expect(readPings(hub.received).sort()).toEqual(feeds));
    expect(hub.received[0]?.headers['content-type']).toBe('application/x-www-form-urlencoded');
  });

  test('a ping that waits for a retry is replaced by the next one', async () => {
    let status = 503;
    await using hub = await startWebhookReceiver(() => status);
    await using site = openNotifications(await createTestDatabase(), { hub: hub.url });
    const waiting = async () =>
      (await site.database.deliveries.list(hub.url, 9)).filter(({ due_at }) => due_at !== null);
    await site.change(makeChange(null, {}));
    site.clock.move(5_000);
    await waitFor(() => expect(hub.received).toHaveLength(feeds.length));
    await waitFor(async () =>
      expect((await waiting()).map(({ attempts }) => attempts)).toEqual(feeds.map(() => 1)),
    );
    await site.change(makeChange(null, {}));
    expect((await waiting()).length).toBe(feeds.length);
    status = 202;
    site.clock.move(5_000);
    await waitFor(async () => expect(await waiting()).toEqual([]));
    expect(hub.received).toHaveLength(2 * feeds.length);
  });
});
