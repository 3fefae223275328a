import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Attempt } from '#lib/outbox/delivery.ts';
import { enqueue } from '#lib/outbox/enqueue.ts';
import { makeDelivery, makeSender, openDeliveries } from '../../support/outbox-factory.ts';
import { random } from '../../support/seed.ts';
import { describeEachDatabase } from '../../support/servers/each-database.ts';
import { makeTestFolder } from '../../support/temporary-folder.ts';
import { waitFor } from '../../support/wait-for.ts';

const failed: Attempt = { outcome: 'failed', result: '500' };
const payloads = (sent: readonly { payload: string }[]) => sent.map(({ payload }) => payload);

describeEachDatabase((createTestDatabase) => {
  test('what is enqueued is delivered once, and its result is stored', async () => {
    await using box = openDeliveries(await createTestDatabase());
    const webhook = makeSender();
    box.start({ webhook });
    const [id] = await box.enqueue(makeDelivery('a'));
    await waitFor(async () =>
      expect(await box.deliveries.list('one', 9)).toMatchObject([
        { id, outcome: 'delivered', result: '204', attempts: 1, due_at: null, lease_until: null },
      ]),
    );
    await box.looksAgain();
    expect(webhook.sent).toMatchObject([{ id, payload: 'a', target: 'one', attempt: 1 }]);
  });

  test('an outbox that does not poll sends what its process enqueues, and leaves repetitions to others', async () => {
    await using box = openDeliveries(await createTestDatabase());
    const quiet = makeSender({ send: async () => failed });
    box.start({ webhook: quiet }, false);
    await box.enqueue(makeDelivery('a'));
    await waitFor(async () =>
      expect(await box.deliveries.list('one', 9)).toMatchObject([
        { attempts: 1, result: '500', lease_until: null },
      ]),
    );
    box.clock.move(10_000);
    // Timers of the same length: had the first one polled, it would have done so before this one.
    box.start({});
    await box.looksAgain();
    expect(payloads(quiet.sent)).toEqual(['a']);
    const polling = makeSender();
    box.start({ webhook: polling });
    await waitFor(() => expect(payloads(polling.sent)).toEqual(['a']));
  });

  test('what is rolled back with its cause is never sent', async () => {
    await using box = openDeliveries(await createTestDatabase());
    const webhook = makeSender();
    box.start({ webhook });
    const change = box.transact(async (db) => {
      await enqueue(db, [makeDelivery('lost')], box.clock.now());
      throw new Error('the change failed');
    });
    await expect(change).rejects.toThrow();
    await box.enqueue(makeDelivery('stored'));
    await waitFor(() => expect(payloads(webhook.sent)).toEqual(['stored']));
  });

  test('two instances send each delivery once, those of a target in order and one at a time', async () => {
    await using box = openDeliveries(await createTestDatabase());
    const underWay = new Map<string, number>();
    let most = 0;
    const webhook = makeSender({
      async send({ target }) {
        underWay.set(target, (underWay.get(target) ?? 0) + 1);
        most = Math.max(most, ...underWay.values());
        await delay(random() * 4);
        underWay.set(target, (underWay.get(target) ?? 0) - 1);
        return { outcome: 'delivered', result: '204' };
      },
    });
    box.start({ webhook });
    box.start({ webhook });
    const order = Array.from({ length: 20 }, (_, index) => String(index));
    for (const payload of order) {
      await box.enqueue(makeDelivery(payload), makeDelivery(payload, { target: 'two' }));
    }
    await waitFor(() => expect(webhook.sent).toHaveLength(40));
    for (const target of ['one', 'two']) {
      expect(payloads(webhook.sent.filter((delivery) => delivery.target === target))).toEqual(
        order,
      );
    }
    expect(most).toBe(1);
    expect(new Set(webhook.sent.map(({ id }) => id)).size).toBe(40);
  });

  test('a target that never answers holds up no other', async () => {
    await using box = openDeliveries(await createTestDatabase());
    const webhook = makeSender({
      send: async ({ target }, signal) => {
        if (target === 'a slow one') await delay(60_000, null, { signal });
        return { outcome: 'delivered', result: '204' };
      },
    });
    box.start({ webhook });
    const slow = makeDelivery('slow', { target: 'a slow one' });
    await box.enqueue(slow, slow, slow, makeDelivery('a'), makeDelivery('b'));
    await waitFor(() => expect(payloads(webhook.sent)).toEqual(['slow', 'a', 'b']));
  });

  test('a delivery that waits for a retry holds back none behind it, keeps its id, and is given up in the end', async () => {
    await using box = openDeliveries(await createTestDatabase());
    const webhook = makeSender({
      send: async ({ payload }) =>
        payload === 'bad' ? failed : { outcome: 'delivered', result: '204' },
    });
    box.start({ webhook });
    const [id] = await box.enqueue(makeDelivery('bad'), makeDelivery('good'));
    await waitFor(() => expect(payloads(webhook.sent)).toEqual(['bad', 'good']));
    box.clock.move(4_000);
    await box.looksAgain();
    expect(webhook.sent).toHaveLength(2);
    box.clock.move(2_000);
    await waitFor(() => expect(webhook.sent).toHaveLength(3));
    box.clock.move(61_000);
    await waitFor(() => expect(webhook.sent).toHaveLength(4));
    await waitFor(async () =>
      expect(await box.deliveries.list('one', 9)).toContainEqual(
        expect.objectContaining({ id, outcome: 'given-up', attempts: 3, result: '500' }),
      ),
    );
    box.clock.move(86_400_000);
    await box.looksAgain();
    const attempts = webhook.sent.filter(({ payload }) => payload === 'bad');
    expect(attempts).toMatchObject([1, 2, 3].map((attempt) => ({ id, attempt })));
  });

  test.each([
    [120, 119, 121],
    [1, 4, 6],
    [999_999_999, 86_399, 86_401],
  ])(
    'a target that asks for %i seconds gets the next attempt after %i, and before %i',
    async (asked, early, late) => {
      await using box = openDeliveries(await createTestDatabase());
      const webhook = makeSender({
        send: async () => ({ outcome: 'failed', result: '429', retryAfterMs: asked * 1_000 }),
      });
      box.start({ webhook });
      await box.enqueue(makeDelivery('a'));
      await waitFor(async () =>
        expect(await box.deliveries.list('one', 9)).toMatchObject([{ attempts: 1 }]),
      );
      box.clock.move(early * 1_000);
      await box.looksAgain();
      expect(webhook.sent).toHaveLength(1);
      box.clock.move((late - early) * 1_000);
      await waitFor(() => expect(webhook.sent).toHaveLength(2));
    },
  );

  test('a delivery whose instance died is sent again with the same id once its lease has expired', async () => {
    await using box = openDeliveries(await createTestDatabase());
    const [id] = await box.enqueue(makeDelivery('a'), makeDelivery('b'));
    const lease = { owner: 'dead', limits: [['webhook', 9]], leaseMs: 45_000 } as const;
    const [claimed] = await box.deliveries.claim({ ...lease, now: box.clock.now() });
    expect(claimed).toMatchObject({ id });
    const webhook = makeSender();
    box.start({ webhook });
    await box.looksAgain();
    expect(webhook.sent).toEqual([]);
    box.clock.move(46_000);
    await waitFor(() => expect(payloads(webhook.sent)).toEqual(['a', 'b']));
    expect(webhook.sent[0]?.id).toBe(id);
  });

  test('an instance that stops leaves what it could not finish to another one at once', async () => {
    await using box = openDeliveries(await createTestDatabase());
    const stuck = makeSender({
      async send(_, signal) {
        await delay(60_000, null, { signal });
        return failed;
      },
    });
    const stopping = box.start({ webhook: stuck });
    const [id] = await box.enqueue(makeDelivery('a'));
    await waitFor(() => expect(stuck.sent).toHaveLength(1));
    await stopping.close();
    const webhook = makeSender();
    box.start({ webhook });
    await waitFor(() => expect(webhook.sent).toMatchObject([{ id, attempt: 1 }]));
  });

  test('a delivery waits until its time, and a kind without a sender waits for one', async () => {
    await using box = openDeliveries(await createTestDatabase());
    const webhook = makeSender();
    box.start({ webhook });
    const notBefore = box.clock.now() + 5_000;
    await box.enqueue(
      makeDelivery('later', { notBefore }),
      makeDelivery('mail', { kind: 'mail' }),
      makeDelivery('now'),
    );
    await waitFor(() => expect(payloads(webhook.sent)).toEqual(['now']));
    box.clock.move(5_000);
    await waitFor(() => expect(payloads(webhook.sent)).toEqual(['now', 'later']));
    const mail = makeSender();
    box.start({ mail });
    await waitFor(() => expect(payloads(mail.sent)).toEqual(['mail']));
  });

  test('while a relay is away, few mails try it, none is given up, and all leave once it is back', async () => {
    await using box = openDeliveries(await createTestDatabase());
    let isAway = true;
    const mail = makeSender({
      retryDelaysMs: [],
      parallelMax: 4,
      send: async () =>
        isAway ? { outcome: 'away', result: 'no reply' } : { outcome: 'delivered', result: '250' },
    });
    const webhook = makeSender();
    box.start({ mail, webhook });
    await box.enqueue(
      ...Array.from({ length: 50 }, (_, index) =>
        makeDelivery('digest', { kind: 'mail', target: `mail ${index}` }),
      ),
    );
    await waitFor(() => expect(mail.sent.length).toBeGreaterThanOrEqual(4));
    await box.enqueue(makeDelivery('meanwhile'));
    await waitFor(() => expect(payloads(webhook.sent)).toEqual(['meanwhile']));
    await box.looksAgain();
    // Those under way when the first one comes back.
    expect(mail.sent.length).toBeLessThan(12);
    box.clock.move(31_000);
    await box.looksAgain();
    const tried = mail.sent.length;
    expect(tried).toBeLessThan(24);
    isAway = false;
    box.clock.move(31_000);
    await waitFor(async () => expect((await box.deliveries.countWaiting()).mail).toBe(0));
    expect(mail.sent).toHaveLength(tried + 50);
    expect(mail.sent.every(({ attempt }) => attempt === 1)).toBe(true);
  });

  test('a delivery whose sender breaks is logged, and sent again', async () => {
    await using box = openDeliveries(await createTestDatabase());
    const webhook = makeSender({ send: () => Promise.reject(new TypeError('broken')) });
    box.start({ webhook });
    const [id] = await box.enqueue(makeDelivery('a'));
    await waitFor(async () =>
      expect(await box.deliveries.list('one', 9)).toMatchObject([
        { attempts: 1, result: 'failed' },
      ]),
    );
    const fields = { kind: 'webhook', id };
    expect(box.log.lines).toMatchObject([{ level: 'warn', fields, message: 'delivery failed' }]);
    box.clock.move(6_000);
    await waitFor(() => expect(webhook.sent).toMatchObject([{ id }, { id, attempt: 2 }]));
  });

  test('of each target the last finished deliveries stay', async () => {
    await using box = openDeliveries(await createTestDatabase());
    const webhook = makeSender({ finishedMax: 2 });
    const mail = makeSender({ finishedMax: 0 });
    box.start({ webhook, mail });
    await box.enqueue(
      ...['a', 'b', 'c'].map((payload) => makeDelivery(payload)),
      makeDelivery('private', { kind: 'mail', target: 'ada@makers.example' }),
    );
    await waitFor(async () => {
      expect(payloads(await box.deliveries.list('one', 9))).toEqual(['c', 'b']);
      expect(await box.deliveries.list('ada@makers.example', 9)).toEqual([]);
    });
  });
});

test('a database that works again is logged once, with how long it was away', async () => {
  const dataDir = makeTestFolder();
  const parent = join(dataDir, 'parent');
  writeFileSync(parent, 'no folder');
  await using box = openDeliveries({ databaseUrl: null, dataDir: join(parent, 'data') });
  box.start({ webhook: makeSender() });
  const messages = () => box.log.lines.map(({ message }) => message);
  await expect.poll(messages).toEqual(['nothing is delivered']);
  rmSync(parent);
  await expect.poll(messages).toEqual(['nothing is delivered', 'deliveries go on']);
  expect(box.log.lines[1]?.fields).toEqual({ seconds: expect.any(Number) });
});

test('a database that fails is logged once, not at every poll', async () => {
  await using box = openDeliveries({ databaseUrl: null, dataDir: '/dev/null/nowhere' });
  box.start({ webhook: makeSender() });
  await box.looksAgain();
  expect(box.log.lines).toMatchObject([{ level: 'warn', message: 'nothing is delivered' }]);
});
