import type { Transaction } from 'kysely';
import { z } from 'zod';
import { isAdmitted } from '#lib/accounts/sign-in/access-rules.ts';
import { listReachable } from '#lib/accounts/store/member-queries.ts';
import type { Member } from '#lib/accounts/store/member-record.ts';
import type { AccessRule } from '#lib/config/setting-schemas.ts';
import type { NewDelivery } from '#lib/outbox/delivery.ts';
import { enqueue } from '#lib/outbox/enqueue.ts';
import type { Schema } from '#lib/storage/schema.ts';
import { toMailDelivery } from '../mail/mail-delivery.ts';
import type { Alert as WebhookAlert } from '../webhooks/webhook-message.ts';

/** Enqueues the emails of an alert to the admins that ADMINS admits, in the transaction of its cause. */
export async function mailAdmins(
  db: Transaction<Schema>,
  alert: Alert,
  admins: readonly AccessRule[],
  now: number,
): Promise<void> {
  await enqueue(db, toAdminMails(alert, admins, await listReachable(db)), now);
}

/** To the admins who have signed in, and to the addresses that ADMINS names. */
function toAdminMails(
  alert: Alert,
  rules: readonly AccessRule[],
  members: readonly Member[],
): NewDelivery[] {
  const admins = members.filter((member) => member.email !== null && isAdmitted(rules, member));
  const known = new Set(admins.map(({ email }) => email?.toLowerCase()));
  const others = rules.flatMap((rule) =>
    rule.kind === 'address' && !known.has(rule.value) ? [{ address: rule.value }] : [],
  );
  const recipients = [...admins.map(({ id }) => ({ memberId: id })), ...others];
  const text = describeAlert(alert);
  return recipients.map((to) => {
    const id = 'memberId' in to ? to.memberId : to.address;
    return toMailDelivery({ type: 'alert', id, to, ...text, lines: [...text.lines] });
  });
}

type Alert = Pick<WebhookAlert, 'type' | 'data'>;

type AlertText = Readonly<{
  subject: string;
  lines: readonly string[];
  /** The page that shows more. */
  path: string;
}>;

/** An alert as admins read it. */
export function describeAlert({ type, data }: Alert): AlertText {
  const read = (name: string) => String(data[name] ?? '').slice(0, 200);
  switch (type) {
    case 'alert.upstream_down':
      return {
        subject: `The upstream ${read('upstream')} is down`,
        lines: [`The AI upstream ${read('upstream')} has not responded for five minutes.`],
        path: '/admin/upstreams',
      };
    case 'alert.credit_low':
      return {
        subject: `The credit at ${read('upstream')} is nearly used up`,
        lines: [
          `${read('left')} are left at the AI upstream ${read('upstream')}, less than ${read('alertBelow')}. Without credit it rejects all requests.`,
        ],
        path: '/admin/upstreams',
      };
    case 'alert.table_unreadable':
      return {
        subject: 'The events table cannot be read',
        lines: [
          `It was last read ${data.lastReadAt === null ? 'before this server started' : `at ${read('lastReadAt')}`}. The reason: ${read('reason')}.`,
        ],
        path: '/admin/events',
      };
    case 'alert.rows_left_out':
      return {
        subject: `${data.count === 1 ? 'A row' : `${read('count')} rows`} of the events table cannot be shown`,
        lines: leftOutRowsSchema
          .parse(data.rows)
          .map(
            ({ recordId, column, reason }) =>
              `${recordId}, ${column}: ${reason.replaceAll('_', ' ')}`,
          ),
        path: '/admin/events',
      };
    case 'alert.webhook_disabled':
      return {
        subject: `The webhook ${read('name')} is disabled`,
        lines: [`Nothing could be delivered to it: ${read('reason').replaceAll('_', ' ')}.`],
        path: '/admin/webhooks',
      };
    case 'alert.usage_waiting':
      return {
        subject: 'Usage waits to be stored',
        lines: [
          'For five minutes, the usage of requests could not be written to the database. Nothing is lost while the server runs.',
        ],
        path: '/admin/usage',
      };
    case 'alert.mail_refused':
      return {
        subject: 'The mail server refuses emails',
        lines: [`It replied ${read('result')}. Emails are tried again for three days.`],
        path: '/admin',
      };
    default:
      return { subject: 'Something needs your attention', lines: [type], path: '/admin' };
  }
}

const leftOutRowsSchema = z
  .array(z.object({ recordId: z.string(), column: z.string(), reason: z.string() }))
  .catch([]);
