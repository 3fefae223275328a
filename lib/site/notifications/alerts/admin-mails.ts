import type { Transaction } from 'kysely';
import { isAdmitted } from '#lib/accounts/sign-in/access-rules.ts';
import { listReachable } from '#lib/accounts/store/member-queries.ts';
import type { Member } from '#lib/accounts/store/member-store.ts';
import type { AccessRule } from '#lib/config/setting-schemas.ts';
import type { NewDelivery } from '#lib/outbox/delivery.ts';
import { enqueue } from '#lib/outbox/enqueue.ts';
import type { Schema } from '#lib/storage/schema.ts';
import { toMailDelivery } from '../mail/mail-delivery.ts';
import { describeAlert } from './describe-alert.ts';

type Alert = Parameters<typeof describeAlert>[0];

/** Enqueues the mails of an alert, in its transaction. */
export function mailAdmins(rules: readonly AccessRule[], now: () => number) {
  return async (db: Transaction<Schema>, alert: Alert): Promise<void> => {
    await enqueue(db, toAdminMails(alert, rules, await listReachable(db)), now());
  };
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
