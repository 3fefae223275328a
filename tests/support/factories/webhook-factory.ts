import { loadConfig } from '#lib/config/config.ts';
import { createDatabase } from '#lib/database.ts';
import type { EventChange, RecordedChange } from '#lib/events/changes/change.ts';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { createTimeZone } from '#lib/events/model/zoned-time.ts';
import { createEnqueuer } from '#lib/site/notifications/enqueuer.ts';
import { closeMessaging, createMessaging } from '#lib/site/notifications/messaging.ts';
import type { WebhookInput } from '#lib/site/notifications/webhooks/webhook-input.ts';
import { createConnection, type DatabaseOptions } from '#lib/storage/connection.ts';
import { createFakeClock } from '../fake-clock.ts';
import { resolveTestName } from '../hostile-targets.ts';
import { createTestLog } from '../test-log.ts';
import { makeEvent } from './event-factory.ts';

type Options = Readonly<{
  hosts?: string;
  hub?: string;
  clock?: ReturnType<typeof createFakeClock>;
}>;

/** Webhooks and the outbox of one instance, with all stores. */
export function openNotifications(place: DatabaseOptions, options: Options = {}) {
  const { hosts = '', hub = '', clock = createFakeClock() } = options;
  const { now } = clock;
  const log = createTestLog();
  const stores = createDatabase({ ...place, now });
  // Leases are judged by the test's clock, too.
  const database = { ...stores, readClock: async () => now() };
  const { transact, run, close } = createConnection({ ...place, now });
  const config = loadConfig({
    KEY_PEPPER: 'a pepper of the tests '.replaceAll(' ', '-').repeat(3),
    WEBHOOK_HOSTS: hosts,
    WEBSUB_HUB: hub,
    SITE_URL: 'https://events.example',
    ...(place.databaseUrl === null
      ? { DATA_DIR: place.dataDir }
      : { DATABASE_URL: place.databaseUrl }),
  });
  const enqueuer = createEnqueuer(config, { database, timeZone: createTimeZone('UTC'), now });
  const messaging = createMessaging(config, {
    ...enqueuer,
    database,
    // Neither alerts nor mails are sent.
    events: { current: notUsed, status: notUsed },
    upstreams: () => [],
    readCredits: notUsed,
    now,
    log,
    resolveName: resolveTestName,
  });
  return {
    clock,
    log,
    database,
    run,
    transact,
    ...enqueuer,
    ...messaging,
    /** Writes changes as a read of the table does. */
    change: (...recorded: readonly RecordedChange[]) =>
      transact((db) => enqueuer.enqueueChanges(db, recorded)),
    async [Symbol.asyncDispose]() {
      await closeMessaging(messaging);
      await Promise.all([database.close(), close()]);
    },
  };
}

function notUsed(): never {
  throw new Error('These tests read no events.');
}

export function makeWebhookInput(input: Partial<WebhookInput> = {}): WebhookInput {
  return {
    url: 'https://hooks.public.example/',
    name: null,
    types: null,
    filter: null,
    ...input,
  };
}

let changes = 0;

/** A change of an event from one state to another; null where it did not exist. */
export function makeChange(
  before: Partial<MarqueeEvent> | null,
  after: Partial<MarqueeEvent> | null,
  change: Partial<EventChange> = {},
): RecordedChange {
  changes += 1;
  const events = [before, after].map((event) => event && makeEvent(event));
  const { id: eventId = '', slug = '' } = events[1] ?? events[0] ?? {};
  const kind = before === null ? 'added' : after === null ? 'removed' : 'changed';
  return {
    before: events[0] ?? null,
    after: events[1] ?? null,
    change: {
      id: String(changes),
      type: `event.${kind}`,
      timestamp: '2026-11-21T09:30:00.000Z',
      eventId,
      slug,
      fields: Object.keys(after ?? before ?? {}),
      old: before ?? {},
      new: after ?? {},
      ...change,
    },
  };
}
