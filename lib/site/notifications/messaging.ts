import type { EventsLoader } from '#lib/events/source/loader.ts';
import { Outbox } from '#lib/outbox/outbox.ts';
import { Alerts, type AlertsParts } from './alerts/alerts.ts';
import { createMail, type Mail, type MailConfig, type MailParts } from './mail/mail.ts';
import {
  createWebhookParts,
  type WebhookPartsOptions,
  type WebhookSettings,
} from './webhooks/webhook-parts.ts';
import type { Webhooks } from './webhooks/webhooks.ts';
import { createPingSender } from './websub.ts';

/** All that reaches people and programs without being asked for. */
export type Messaging = Readonly<{
  alerts: Alerts;
  /** Null without a mail server. */
  mail: Mail | null;
  webhooks: Webhooks;
  /** Sends mails, webhooks and pings. */
  outbox: Outbox;
}>;

type MessagingSettings = MailConfig &
  WebhookSettings &
  Readonly<{
    keys: AlertsParts['budgets'];
    notifications: Readonly<{ budgetLevels: readonly number[] }>;
    /** Whether this process does what no request asks for. */
    runsTimers: boolean;
  }>;

type MessagingParts = Pick<AlertsParts, 'upstreams' | 'enqueueAlert' | 'now' | 'log'> &
  Readonly<{ readCredits: NonNullable<AlertsParts['readCredits']> }> &
  Pick<WebhookPartsOptions, 'resolveName'> &
  Readonly<{
    database: AlertsParts['database'] & MailParts['database'] & WebhookPartsOptions['database'];
    events: Pick<EventsLoader, 'current' | 'status'>;
  }>;

/** Each part uses those before it: alerts, what sends a kind of delivery, the outbox of all kinds. */
export function createMessaging(config: MessagingSettings, parts: MessagingParts): Messaging {
  const { database, events, now, log } = parts;
  const alerts = new Alerts({
    ...parts,
    budgets: config.keys,
    budgetLevels: config.notifications.budgetLevels,
    readCredits: config.runsTimers ? parts.readCredits : null,
    tableStatus: events.status,
    mailsMembers: config.mail !== null,
  });
  const mail = createMail(config, {
    ...parts,
    loadEvents: events.current,
    onRelayFault(result) {
      log.warn({ result }, 'the mail server refuses mails');
      return alerts.raise({ cause: 'mail refused', type: 'alert.mail_refused', data: { result } });
    },
  });
  const { webhooks, sender: webhook } = createWebhookParts(config, parts);
  const ping = createPingSender({ siteUrl: config.site.url, now });
  const outbox = new Outbox({
    stores: database,
    senders: { webhook, ping, ...(mail !== null && { mail: mail.sender }) },
    isPolling: config.runsTimers,
    log,
  });
  return { alerts, mail, webhooks, outbox };
}

/** Starts their timers. Alerts also tell of this process, so that each worker looks for them. */
export function startMessaging(
  { mail, outbox, alerts }: Messaging,
  { runsTimers }: Pick<MessagingSettings, 'runsTimers'>,
): void {
  alerts.start();
  if (!runsTimers) return;
  outbox.start();
  mail?.start();
}

export async function closeMessaging({ mail, outbox, alerts }: Messaging): Promise<void> {
  mail?.close();
  alerts.close();
  await outbox.close();
}
