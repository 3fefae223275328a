import { parsePageQuery } from '#lib/events/query/page-query.ts';
import { type EventsSnapshot, findEvent } from '#lib/events/source/snapshot.ts';
import { type Site, toPageUrl } from '#lib/events/view/site-urls.ts';
import type { RunQuery } from '#lib/storage/schema.ts';
import { isToTell } from './digest/enqueue-moves.ts';
import {
  findMentions,
  findMove,
  type MailedEvent,
  type Mention,
  toMailedFacts,
} from './digest/mention-store.ts';
import type { MailPayload } from './mail-delivery.ts';
import {
  type MovedEvent,
  reminderReason,
  toAlertMail,
  toConfirmationMail,
  toDigestMail,
  toDigestReason,
  toMoveMail,
  toReminderMail,
} from './mail-texts.ts';
import type { MailTokens } from './mail-tokens.ts';
import { findDueReminder } from './reminders/reminder-times.ts';
import type { MailText } from './render-mail.ts';
import {
  findConfirmation,
  findSubscription,
  hasDigest,
  type Subscription,
} from './subscribing/subscription-store.ts';

type WriterParts = Readonly<{
  site: Site;
  tokens: MailTokens;
  run: RunQuery;
  loadEvents: () => Promise<EventsSnapshot>;
  /** Of the site. */
  timeZone: string;
  members: Readonly<{ find: (id: string) => Promise<Recipient | null> }>;
}>;

type Recipient = Readonly<{ email: string | null; disabledAt: number | null }>;

/** A mail that is ready to be sent. */
export type WrittenMail = MailText &
  Readonly<{
    to: string;
    headers: Readonly<Record<string, string>>;
    /** Whose digest it belongs to; null for none. */
    subscriptionId: string | null;
    /** What the person knows once it is sent. */
    mentions: readonly Mention[];
  }>;

/** Writes the mail of a delivery; null if there is nothing to say any more. */
export async function writeMail(
  payload: MailPayload,
  now: number,
  parts: WriterParts,
): Promise<WrittenMail | null> {
  const { run, site, tokens } = parts;
  if (payload.type === 'confirmation') {
    const confirmation = await run((db) => findConfirmation(db, payload.id, now));
    if (confirmation === null || confirmation.isConfirmed) return null;
    const { address: to, settings } = confirmation;
    const token = tokens.issue('confirm', payload.id);
    const text = toConfirmationMail({ site, token, settings });
    return { ...text, to, headers: {}, subscriptionId: null, mentions: [] };
  }
  if (payload.type === 'alert') return writeAlertMail(payload, parts);
  const subscription = await run((db) => findSubscription(db, payload.id));
  if (subscription === null) return null;
  const snapshot = await parts.loadEvents();
  if (payload.type === 'move') {
    const mentions = await run((db) => findMentions(db, payload.id));
    return writeMoveMail(subscription, { payload, snapshot, mentions }, parts);
  }
  if (payload.type === 'reminder') {
    return writeReminderMail(subscription, { payload, snapshot, now }, parts);
  }
  const find = (ids: readonly string[]) =>
    ids.flatMap((id) => findEvent(snapshot, id) ?? []).filter(({ status }) => status !== 'ended');
  const [fresh, reminders] = [find(payload.fresh), find(payload.reminders)];
  if (fresh.length + reminders.length === 0) return null;
  const text = toDigestMail({ ...toFrame(subscription, parts), fresh, reminders });
  return { ...text, ...toListFields(subscription, parts), mentions: [] };
}

async function writeAlertMail(
  alert: Extract<MailPayload, { type: 'alert' }>,
  { site, members }: WriterParts,
): Promise<WrittenMail | null> {
  const to = 'address' in alert.to ? alert.to.address : await findEmail(alert.to.memberId, members);
  if (to === null) return null;
  return {
    ...toAlertMail({ site, ...alert }),
    to,
    headers: {},
    subscriptionId: null,
    mentions: [],
  };
}

/** Null for a member who is disabled or has left. */
async function findEmail(id: string, members: WriterParts['members']): Promise<string | null> {
  const member = await members.find(id);
  return member === null || member.disabledAt !== null ? null : member.email;
}

type ReminderParts = Readonly<{
  payload: Extract<MailPayload, { type: 'reminder' }>;
  snapshot: EventsSnapshot;
  now: number;
}>;

/** What was moved or cancelled since, or is late, is left out. */
function writeReminderMail(
  subscription: Subscription,
  { payload, snapshot, now }: ReminderParts,
  parts: WriterParts,
): WrittenMail | null {
  const { timeZone } = parts;
  const due = payload.events.flatMap(({ id, at }) => {
    const event = findEvent(snapshot, id);
    const time = event && findDueReminder(event, { siteZone: timeZone, now });
    return event && time?.at === at ? [{ event, time }] : [];
  });
  if (due.length === 0) return null;
  const frame = { ...toFrame(subscription, parts), reason: reminderReason };
  const text = toReminderMail({ ...frame, due, timeZone, now });
  return { ...text, ...toListFields(subscription, parts), mentions: [] };
}

type MoveParts = Readonly<{
  payload: Extract<MailPayload, { type: 'move' }>;
  snapshot: EventsSnapshot;
  mentions: ReadonlyMap<string, Mention>;
}>;

function writeMoveMail(
  subscription: Subscription,
  { payload, snapshot, mentions }: MoveParts,
  parts: WriterParts,
): WrittenMail | null {
  // After a second change, or one that was taken back, what holds now is said.
  const isNewer = snapshot.readAtMs > payload.readAt;
  const moved: MovedEvent[] = [];
  const known: Mention[] = [];
  for (const stored of payload.events) {
    const event: MailedEvent = (isNewer && findEvent(snapshot, stored.id)) || stored;
    const mention = mentions.get(event.id);
    if (mention === undefined || !isToTell(mention, event)) continue;
    const move = findMove(mention.facts, event);
    if (move === null) continue;
    moved.push({ event, mailed: mention.facts, move });
    known.push({ ...mention, facts: toMailedFacts(event), moves: mention.moves + 1 });
  }
  if (moved.length === 0) return null;
  const text = toMoveMail({ ...toFrame(subscription, parts), moved });
  return { ...text, ...toListFields(subscription, parts), mentions: known };
}

function toFrame(subscription: Subscription, { site, tokens }: WriterParts) {
  const { query: filters } = parsePageQuery('subscribe', subscription.filters);
  const token = tokens.issue('manage', subscription.id);
  const reason = hasDigest(subscription) ? toDigestReason(subscription, filters) : reminderReason;
  return { site, token, reason };
}

/** One click unsubscribes (RFC 8058), in every program that shows a button for it. */
function toListFields({ id, address }: Subscription, { site, tokens }: WriterParts) {
  const url = toPageUrl(site, `/subscribe/mail/unsubscribe/${tokens.issue('manage', id)}`);
  return {
    to: address,
    subscriptionId: id,
    headers: {
      'List-Id': `<events.${new URL(site.url).hostname}>`,
      'List-Unsubscribe': `<${url}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  };
}
