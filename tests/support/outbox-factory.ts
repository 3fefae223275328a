import { expect } from 'vitest';
import type { Claim } from '#lib/outbox/claim-deliveries.ts';
import type { Delivery, NewDelivery, Sender, Senders } from '#lib/outbox/delivery.ts';
import { createDeliveryStore } from '#lib/outbox/delivery-store.ts';
import { enqueue } from '#lib/outbox/enqueue.ts';
import { Outbox } from '#lib/outbox/outbox.ts';
import { createConnection, type DatabaseOptions } from '#lib/storage/connection.ts';
import { createFakeClock } from './fake-clock.ts';
import { createTestLog } from './test-log.ts';
import { waitFor } from './wait-for.ts';

/** A database with deliveries, and the outboxes of as many instances as a test needs. */
export function openDeliveries(place: DatabaseOptions, clock = createFakeClock()) {
  const { run, transact, close } = createConnection(place);
  const deliveries = createDeliveryStore(run, transact);
  const log = createTestLog();
  const outboxes: Outbox[] = [];
  let looks = 0;
  const counted = {
    ...deliveries,
    claim: (claim: Claim) => deliveries.claim(claim).finally(() => (looks += 1)),
  };
  return {
    clock,
    log,
    run,
    transact,
    deliveries,
    /** @param isPolling false: as in a worker that only sends what its own requests cause */
    start(senders: Senders, isPolling = true) {
      const stores = { deliveries: counted, readClock: async () => clock.now() };
      const outbox = new Outbox({ stores, senders, isPolling, log, times: { pollMs: 20 } });
      outboxes.push(outbox);
      outbox.start();
      return outbox;
    },
    /** Waits until a polling outbox has looked again, and what it found then is with its sender. */
    async looksAgain() {
      const before = looks;
      // The first may have begun before; what the second claims is sent before the third begins.
      await waitFor(() => expect(looks).toBeGreaterThanOrEqual(before + 3));
    },
    enqueue: (...all: readonly NewDelivery[]) => transact((db) => enqueue(db, all, clock.now())),
    async [Symbol.asyncDispose]() {
      await Promise.all(outboxes.map((outbox) => outbox.close()));
      await close();
    },
  };
}

/** A sender of which everything is delivered at once, and what it has sent. */
export function makeSender(options: Partial<Sender> = {}) {
  const sent: Delivery[] = [];
  const sender: Sender = {
    retryDelaysMs: [5_000, 60_000],
    parallelMax: 100,
    finishedMax: 100,
    send: async () => ({ outcome: 'delivered', result: '204' }),
    ...options,
  };
  return {
    sent,
    ...sender,
    send(delivery: Delivery, signal: AbortSignal) {
      sent.push(delivery);
      return sender.send(delivery, signal);
    },
  };
}

export function makeDelivery(payload: string, delivery: Partial<NewDelivery> = {}): NewDelivery {
  return { kind: 'webhook', target: 'one', payload, ...delivery };
}
