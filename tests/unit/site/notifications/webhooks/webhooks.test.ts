import { expect, test } from 'vitest';
import {
  makeChange,
  makeWebhookInput,
  openNotifications,
} from '../../../../support/factories/webhook-factory.ts';
import { createFakeClock } from '../../../../support/fake-clock.ts';
import { hostileTargets } from '../../../../support/hostile-targets.ts';
import { readAuditLog } from '../../../../support/read-audit-log.ts';
import { describeEachDatabase } from '../../../../support/servers/each-database.ts';
import { waitFor } from '../../../../support/wait-for.ts';
import { isVerified, startWebhookReceiver } from '../../../../support/webhook-receiver.ts';

const dayMs = 86_400_000;
const alert = {
  type: 'alert.table_unreadable',
  timestamp: '2026-11-21T09:30:00Z',
  data: {},
} as const;

/** The reference implementation verifies timestamps by the real clock. */
const realClock = () => createFakeClock(new Date().toISOString());
const types = (received: readonly { body: string }[]) =>
  received.map(({ body }) => JSON.parse(body).type);

type Site = ReturnType<typeof openNotifications>;

async function createWebhook(site: Site, input: Parameters<typeof makeWebhookInput>[0] = {}) {
  const created = await site.webhooks.create(makeWebhookInput(input));
  if (created === null) throw new Error('not created');
  return { ...created, id: created.webhook.id };
}

describeEachDatabase((createTestDatabase) => {
  test('a change reaches a webhook, signed so that the reference implementation accepts it', async () => {
    await using receiver = await startWebhookReceiver();
    const options = { hosts: receiver.host, clock: realClock() };
    await using site = openNotifications(await createTestDatabase(), options);
    const { secret, id } = await createWebhook(site, { url: receiver.url });
    const recorded = makeChange({ startDate: '2026-12-12' }, { startDate: '2027-02-03' });
    await site.change(recorded);
    await waitFor(() => expect(receiver.received).toHaveLength(1));
    const [message] = receiver.received;
    expect(message && isVerified(message, secret)).toBe(true);
    expect(message && isVerified({ ...message, body: `${message.body} ` }, secret)).toBe(false);
    expect(message?.headers['content-type']).toBe('application/json');
    const { type, timestamp } = recorded.change;
    expect(JSON.parse(message?.body ?? '')).toEqual({ type, timestamp, data: recorded.change });
    await waitFor(async () =>
      expect(await site.webhooks.listDeliveries(id)).toMatchObject([
        { id: message?.id, outcome: 'delivered', result: '204' },
      ]),
    );
  });

  test('after a rotation both secrets verify for a day, then only the new one', async () => {
    await using receiver = await startWebhookReceiver();
    const clock = realClock();
    const options = { hosts: receiver.host, clock };
    await using site = openNotifications(await createTestDatabase(), options);
    const first = await createWebhook(site, { url: receiver.url });
    const second = await site.webhooks.rotate(first.id);
    const secrets = [first.secret, second?.secret ?? ''];
    expect(new Set(secrets).size).toBe(2);
    await site.change(makeChange(null, {}));
    await waitFor(() => expect(receiver.received).toHaveLength(1));
    const verify = (index: number) => {
      const message = receiver.received[index];
      return secrets.map((secret) => message !== undefined && isVerified(message, secret));
    };
    expect(verify(0)).toEqual([true, true]);
    clock.move(dayMs);
    await site.change(makeChange(null, {}));
    await waitFor(() => expect(receiver.received).toHaveLength(2));
    expect(receiver.received[1]?.headers['webhook-signature']).not.toContain(' ');
  });

  test('a webhook gets the types and events that it names, and alerts only by name', async () => {
    await using receiver = await startWebhookReceiver();
    await using site = openNotifications(await createTestDatabase(), { hosts: receiver.host });
    const { url } = receiver;
    const all = await createWebhook(site, { url });
    const removed = await createWebhook(site, { url, types: 'event.removed' });
    const alerts = await createWebhook(site, { url, types: 'alert.*' });
    const online = await createWebhook(site, { url, filter: 'format=online' });
    await site.change(
      makeChange(null, { id: 'recAdded', format: 'in-person' }),
      makeChange({ id: 'recMoved', format: 'online' }, { id: 'recMoved', format: 'in-person' }),
      makeChange({ id: 'recGone', format: 'online' }, null),
    );
    await site.transact((db) => site.enqueueAlert(db, alert));
    await waitFor(() => expect(receiver.received).toHaveLength(7));
    const sent = async ({ id }: typeof all) => {
      const deliveries = await site.webhooks.listDeliveries(id);
      return deliveries.map(({ payload }) => JSON.parse(payload).data.eventId ?? 'alert').reverse();
    };
    expect(await sent(all)).toEqual(['recAdded', 'recMoved', 'recGone']);
    expect(await sent(removed)).toEqual(['recGone']);
    expect(await sent(alerts)).toEqual(['alert']);
    expect(await sent(online)).toEqual(['recMoved', 'recGone']);
  });

  test('a target that answers 410 is disabled at once, and the admins’ webhooks hear of it', async () => {
    await using gone = await startWebhookReceiver(() => 410);
    await using other = await startWebhookReceiver();
    const hosts = `${gone.host},${other.host}`;
    await using site = openNotifications(await createTestDatabase(), { hosts });
    const { id } = await createWebhook(site, { url: gone.url, name: 'ours' });
    await createWebhook(site, { url: other.url, types: 'alert.webhook_disabled' });
    await site.change(makeChange(null, {}), makeChange(null, {}));
    await waitFor(() => expect(types(other.received)).toEqual(['alert.webhook_disabled']));
    const told = { webhookId: id, name: 'ours', reason: 'gone' };
    expect(JSON.parse(other.received[0]?.body ?? '').data).toEqual(told);
    expect(await site.webhooks.find(id)).toMatchObject({ state: 'disabled' });
    await waitFor(async () =>
      expect(await site.webhooks.listDeliveries(id)).toMatchObject([
        { outcome: 'given-up', result: 'disabled' },
        { outcome: 'given-up', result: '410' },
      ]),
    );
    expect(gone.received).toHaveLength(1);
    const disabled = { action: 'webhook.disabled' } as const;
    expect(await readAuditLog(site.database, disabled)).toMatchObject([
      { actor: null, target: id, newValues: { reason: 'gone' } },
    ]);
  });

  test('five days of failures disable a webhook, but a success or days without attempts begin anew', async () => {
    await using site = openNotifications(await createTestDatabase());
    const { id } = await createWebhook(site);
    const { webhooks } = site.database;
    const start = site.clock.now();
    const fail = (days: number) =>
      webhooks.noteFailure(id, { at: start + days * dayMs, isGone: false }, async () => {});
    const state = async () => (await webhooks.find(id))?.state;
    for (const days of [0, 1, 2, 3, 4, 4.9]) await fail(days);
    await webhooks.noteSuccess(id);
    for (const days of [5, 6, 7]) await fail(days);
    await fail(20);
    expect(await state()).toBe('active');
    for (const days of [21, 22, 23, 24, 24.9]) await fail(days);
    expect(await state()).toBe('active');
    await fail(25);
    expect(await state()).toBe('disabled');
    await webhooks.resume(id);
    await fail(25.1);
    expect(await state()).toBe('active');
  });

  test('a paused webhook gets nothing but tests, and what was missed can be sent again under its id', async () => {
    let status = 500;
    await using receiver = await startWebhookReceiver(() => status);
    await using site = openNotifications(await createTestDatabase(), { hosts: receiver.host });
    const { id } = await createWebhook(site, { url: receiver.url });
    await site.change(makeChange(null, {}));
    await waitFor(() => expect(receiver.received).toHaveLength(1));
    expect(await site.webhooks.pause(id)).toBe(true);
    status = 204;
    site.clock.move(6_000);
    await waitFor(async () =>
      expect(await site.webhooks.listDeliveries(id)).toMatchObject([{ result: 'paused' }]),
    );
    await site.change(makeChange(null, {}));
    await site.webhooks.enqueueTest(id);
    await waitFor(() => expect(types(receiver.received)).toEqual(['event.added', 'webhook.test']));
    await site.webhooks.resume(id);
    const missed = receiver.received[0]?.id ?? '';
    expect(await site.webhooks.sendAgain(missed, 'wh_other')).toBe(false);
    expect(await site.webhooks.sendAgain(missed, id)).toBe(true);
    await waitFor(() => expect(receiver.received[2]?.id).toBe(missed));
  });

  test('sixty hostile targets are refused when they are created, and when they are connected to', async () => {
    await using site = openNotifications(await createTestDatabase());
    const { webhooks } = site;
    for (const url of hostileTargets) {
      await expect(webhooks.create(makeWebhookInput({ url })), url).rejects.toThrow('refused');
    }
    expect(await webhooks.list()).toEqual([]);
    const { webhook } = await createWebhook(site);
    for (const url of hostileTargets) {
      const { result, outcome } = await webhooks.sendTest({ ...webhook, url });
      expect({ outcome, result }, url).toEqual({ outcome: 'failed', result: 'URL refused' });
    }
  });

  test('the database has no secret', async () => {
    await using site = openNotifications(await createTestDatabase());
    const { secret } = await createWebhook(site);
    const rows = await site.run((db) => db.selectFrom('marquee_webhooks').selectAll().execute());
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(JSON.stringify(rows)).not.toContain(secret.slice(6, 20));
  });

  test('a removed webhook takes its deliveries with it', async () => {
    await using site = openNotifications(await createTestDatabase());
    const { id } = await createWebhook(site);
    await site.database.deliveries.add([{ kind: 'webhook', target: id, payload: '{}' }], 0);
    expect(await site.webhooks.remove(id)).toBe(true);
    expect(await site.webhooks.remove(id)).toBe(false);
    expect(await site.database.deliveries.list(id, 9)).toEqual([]);
  });
});

test.each([
  [{ types: 'event.moved' }, 'Types are'],
  [{ types: '*' }, 'Types are'],
  [{ filter: 'citty=ghent' }, 'Did you mean `city`'],
  [{ filter: 'limit=3' }, 'Unknown parameter'],
  [{ filter: 'format=virtual' }, 'must be'],
  [{ filter: `q=${'x'.repeat(1_000)}` }, 'up to 1000 characters'],
  [{ name: 'a\u001b[31mb' }, 'A name has'],
  [{ name: 'x'.repeat(101) }, 'A name has'],
])('%o is refused with what to change', async (input, message) => {
  await using site = openNotifications({ databaseUrl: null, dataDir: '/nowhere' });
  await expect(site.webhooks.create(makeWebhookInput(input))).rejects.toThrow(message);
});
