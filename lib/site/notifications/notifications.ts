import { lookup } from 'node:dns/promises';
import type { Transaction } from 'kysely';
import type { RecordedChange } from '#lib/events/changes/change.ts';
import type { Site } from '#lib/events/view/site-urls.ts';
import type { Log } from '#lib/http/log.ts';
import type { Senders } from '#lib/outbox/delivery.ts';
import type { DeliveryStore } from '#lib/outbox/delivery-store.ts';
import { enqueue } from '#lib/outbox/enqueue.ts';
import { createOutbox, type Outbox } from '#lib/outbox/outbox.ts';
import type { Schema } from '#lib/storage/schema.ts';
import { createTargetGuard, type ResolveName } from './target-guard.ts';
import { type Alert, toAlertDeliveries, toChangeDeliveries } from './webhooks/webhook-message.ts';
import { createWebhookSecrets } from './webhooks/webhook-secrets.ts';
import { createSendWebhook, createWebhookSender } from './webhooks/webhook-sender.ts';
import { listWebhooks, type OnDisabled, type WebhookStore } from './webhooks/webhook-store.ts';
import { createWebhooks, type Webhooks } from './webhooks/webhooks.ts';
import { createPingSender, enqueuePings } from './websub.ts';

/** What reaches people and programs when events change, and admins when something goes wrong. */
export type Notifications = Readonly<{
  webhooks: Webhooks;
  outbox: Outbox;
  /** Enqueues what changes of events cause, in their transaction. */
  onChanges: (db: Transaction<Schema>, recorded: readonly RecordedChange[]) => Promise<void>;
  /** Enqueues an alert for the webhooks that want it, in the transaction of its cause. */
  enqueueAlert: (db: Transaction<Schema>, alert: Alert) => Promise<void>;
  /** Whether anything waits for changes, so that the table is read without visitors. */
  isUsed: () => Promise<boolean>;
}>;

export type NotificationsSettings = Readonly<{
  site: Site;
  notifications: Readonly<{ webhookHosts: readonly string[]; websubHub: string | null }>;
  keys: Readonly<{ pepper: string | null; previousPepper: string | null }>;
  storage: Readonly<{ dataDir: string; databaseUrl: string | null }>;
  /** Whether this process does what no request asks for. */
  runsTimers: boolean;
}>;

export type NotificationsParts = Readonly<{
  database: Readonly<{
    deliveries: DeliveryStore;
    webhooks: WebhookStore;
    readClock: () => Promise<number>;
  }>;
  /** The day in the time zone of events. */
  dayAt: (timeMs: number) => string;
  now: () => number;
  log: Log;
  /** Senders of other kinds. */
  senders?: Senders;
  /** What else an alert leads to, in the transaction of its cause. */
  onAlert?: (db: Transaction<Schema>, alert: Alert) => Promise<void>;
  resolveName?: ResolveName;
}>;

/** Another instance reads the table again within two seconds of a change. */
const instancesFollowMs = 5_000;
/** This instance serves what it has recorded as soon as the transaction is over. */
const servedAfterMs = 1_000;

export function createNotifications(
  { site, notifications, keys, storage, runsTimers }: NotificationsSettings,
  parts: NotificationsParts,
): Notifications {
  const { database, dayAt, now, log, onAlert, senders = {}, resolveName = resolveByDns } = parts;
  const { webhookHosts: hosts, websubHub: hub } = notifications;
  const guard = createTargetGuard({ hosts, resolveName });
  const secrets = createWebhookSecrets({ keys, storage });
  const calls = { secrets, guard, siteUrl: site.url, now };
  const { webhooks: store, deliveries, readClock } = database;
  const sendWebhook = createSendWebhook(calls);

  async function enqueueAlert(db: Transaction<Schema>, alert: Alert): Promise<void> {
    await enqueue(db, toAlertDeliveries(await listWebhooks(db), alert), now());
    await onAlert?.(db, alert);
    outbox.nudge();
  }

  const onDisabled: OnDisabled = async (db, { id, name }, reason) => {
    log.warn({ webhook: id, reason }, 'a webhook is disabled: nothing can be delivered');
    const timestamp = new Date(now()).toISOString();
    await enqueueAlert(db, {
      type: 'alert.webhook_disabled',
      timestamp,
      data: { webhookId: id, name, reason },
    });
  };

  const outbox = createOutbox({
    stores: { deliveries, readClock },
    senders: {
      ...senders,
      webhook: createWebhookSender({ ...calls, webhooks: store, onDisabled }),
      ping: createPingSender({ siteUrl: site.url, now }),
    },
    isPolling: runsTimers,
    log,
  });

  return {
    webhooks: createWebhooks({ ...calls, store, deliveries, sendWebhook }),
    outbox,
    enqueueAlert,
    async onChanges(db, recorded) {
      if (recorded.length === 0) return;
      const at = now();
      const moment = { now: at, day: dayAt(at) };
      await enqueue(db, await toChangeDeliveries(await listWebhooks(db), recorded, moment), at);
      if (hub !== null) {
        const isShared = storage.databaseUrl !== null;
        const time = isShared
          ? { now: await readClock(), delayMs: instancesFollowMs }
          : { now: at, delayMs: servedAfterMs };
        await enqueuePings(db, { hub, site }, time);
      }
      outbox.nudge();
    },
    async isUsed() {
      return hub !== null || (await store.list()).some(({ state }) => state === 'active');
    },
  };
}

async function resolveByDns(hostname: string) {
  return lookup(hostname, { all: true });
}
