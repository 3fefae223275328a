import { createDatabase } from '#lib/database.ts';
import { silentLog } from '#lib/http/log.ts';
import { Outbox } from '#lib/outbox/outbox.ts';
import { createTargetGuard } from '#lib/site/notifications/target-guard.ts';
import { createWebhookSecrets } from '#lib/site/notifications/webhooks/webhook-secrets.ts';
import { createWebhookSender } from '#lib/site/notifications/webhooks/webhook-sender.ts';

/** An instance that does nothing but send webhooks, with short leases: tests kill it. */
const [databaseUrl = '', dataDir = '', host = '', pepper = ''] = process.argv.slice(2);
const database = createDatabase({ databaseUrl: databaseUrl || null, dataDir });
const outbox = new Outbox({
  stores: database,
  senders: {
    webhook: createWebhookSender({
      webhooks: database.webhooks,
      secrets: createWebhookSecrets({
        keys: { pepper, previousPepper: null },
        storage: { dataDir },
      }),
      guard: createTargetGuard({ hosts: [host], resolveName: async () => [] }),
      siteUrl: 'https://events.example',
      onDisabled: async () => {},
      now: Date.now,
    }),
  },
  isPolling: true,
  log: silentLog,
  times: { pollMs: 50, attemptMs: 1_000, leaseMs: 1_500 },
});
outbox.start();
setInterval(() => {}, 60_000);
process.send?.('started');
