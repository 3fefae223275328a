import { lookup } from 'node:dns/promises';
import type { Site } from '#lib/events/view/site-urls.ts';
import type { Log } from '#lib/http/log.ts';
import type { Sender } from '#lib/outbox/delivery.ts';
import type { DeliveryStore } from '#lib/outbox/delivery-store.ts';
import type { EnqueueAlert } from '../enqueuer.ts';
import { createTargetGuard, type ResolveName } from '../target-guard.ts';
import { createWebhookSecrets } from './webhook-secrets.ts';
import { createSendWebhook, createWebhookSender } from './webhook-sender.ts';
import type { OnDisabled, WebhookStore } from './webhook-store.ts';
import { createWebhooks, type Webhooks } from './webhooks.ts';

export type WebhookSettings = Readonly<{
  site: Site;
  notifications: Readonly<{ webhookHosts: readonly string[] }>;
  keys: Readonly<{ pepper: string | null; previousPepper: string | null }>;
  storage: Readonly<{ dataDir: string }>;
}>;

export type WebhookPartsOptions = Readonly<{
  database: Readonly<{ deliveries: DeliveryStore; webhooks: WebhookStore }>;
  enqueueAlert: EnqueueAlert;
  now: () => number;
  log: Log;
  resolveName?: ResolveName;
}>;

/** What admins do with webhooks, and what sends their deliveries. */
export function createWebhookParts(
  { site, notifications, keys, storage }: WebhookSettings,
  { database, enqueueAlert, now, log, resolveName = resolveByDns }: WebhookPartsOptions,
): Readonly<{ webhooks: Webhooks; sender: Sender }> {
  const { webhooks: store, deliveries } = database;
  const guard = createTargetGuard({ hosts: notifications.webhookHosts, resolveName });
  const secrets = createWebhookSecrets({ keys, storage });
  const calls = { secrets, guard, siteUrl: site.url, now };
  const sendWebhook = createSendWebhook(calls);
  const onDisabled: OnDisabled = async (db, { id, name }, reason) => {
    log.warn({ webhook: id, reason }, 'a webhook is disabled: nothing can be delivered');
    const timestamp = new Date(now()).toISOString();
    await enqueueAlert(db, {
      type: 'alert.webhook_disabled',
      timestamp,
      data: { webhookId: id, name, reason },
    });
  };
  return {
    webhooks: createWebhooks({ ...calls, store, deliveries, sendWebhook }),
    sender: createWebhookSender({ ...calls, webhooks: store, onDisabled }),
  };
}

async function resolveByDns(hostname: string) {
  return lookup(hostname, { all: true });
}
