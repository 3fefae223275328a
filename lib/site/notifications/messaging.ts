import type { Transaction } from 'kysely';
import type { MembersConfig } from '#lib/config/members-config.ts';
import type { RecordedChange } from '#lib/events/changes/change.ts';
import type { EventsLoader } from '#lib/events/source/loader.ts';
import type { Schema } from '#lib/storage/schema.ts';
import { mailAdmins } from './alerts/admin-mails.ts';
import { type Alerts, type AlertsParts, createAlerts } from './alerts/alerts.ts';
import { createMail, type Mail, type MailConfig, type MailParts } from './mail/mail.ts';
import {
  createNotifications,
  type Notifications,
  type NotificationsParts,
  type NotificationsSettings,
} from './notifications.ts';

/** All that reaches people and programs without being asked for. */
export type Messaging = Readonly<{
  /** Null without a mail server. */
  mail: Mail | null;
  /** Webhooks, WebSub, and the outbox that sends them. */
  notifications: Notifications;
  alerts: Alerts;
}>;

type MessagingSettings = MailConfig &
  NotificationsSettings &
  Readonly<{ members: MembersConfig | null; keys: AlertsParts['budgets'] }>;

type MessagingParts = Pick<AlertsParts, 'upstreams' | 'now' | 'log'> &
  Pick<NotificationsParts, 'dayAt'> &
  Readonly<{
    database: AlertsParts['database'] & MailParts['database'] & NotificationsParts['database'];
    events: Pick<EventsLoader, 'current' | 'status'>;
  }>;

/** Puts them together: mails and webhooks are sent by one outbox, and alerts reach both. */
export function createMessaging(config: MessagingSettings, parts: MessagingParts): Messaging {
  const { events, now, log } = parts;
  const admins = config.members?.admins ?? [];
  const mail = createMail(config, {
    ...parts,
    loadEvents: events.current,
    onEnqueued: () => notifications.outbox.nudge(),
    onRelayFault(result) {
      log.warn({ result }, 'the mail server refuses mails');
      return alerts.raise({ cause: 'mail refused', type: 'alert.mail_refused', data: { result } });
    },
  });
  const notifications = createNotifications(config, {
    ...parts,
    ...(mail !== null && { senders: { mail: mail.sender }, onAlert: mailAdmins(admins, now) }),
  });
  const alerts = createAlerts({
    ...parts,
    budgets: config.keys,
    tableStatus: events.status,
    enqueueAlert: notifications.enqueueAlert,
    mailsMembers: mail !== null,
    onEnqueued: notifications.outbox.nudge,
  });
  return { mail, notifications, alerts };
}

/** Enqueues what changes of events cause, in their transaction. */
export async function enqueueChanges(
  { mail, notifications }: Messaging,
  db: Transaction<Schema>,
  recorded: readonly RecordedChange[],
): Promise<void> {
  await notifications.onChanges(db, recorded);
  await mail?.onChanges(db, recorded);
  notifications.outbox.nudge();
}

/** Whether anybody is told of changes, so that the table is read without visitors. */
export async function hasSubscribers({ mail, notifications }: Messaging): Promise<boolean> {
  return (await notifications.isUsed()) || ((await mail?.isInUse()) ?? false);
}

/** Starts their timers. Alerts also tell of this process, so that each worker looks for them. */
export function startMessaging(
  { mail, notifications, alerts }: Messaging,
  { runsTimers }: Pick<NotificationsSettings, 'runsTimers'>,
): void {
  alerts.start();
  if (!runsTimers) return;
  notifications.outbox.start();
  mail?.start();
}

export async function closeMessaging({ mail, notifications, alerts }: Messaging): Promise<void> {
  mail?.close();
  alerts.close();
  await notifications.outbox.close();
}
