import type { Attempt, Sender } from '#lib/outbox/delivery.ts';
import type { RunTransaction } from '#lib/storage/schema.ts';
import { saveMentions } from './digest/mention-store.ts';
import { type MailPayload, mailPayloadSchema } from './mail-delivery.ts';
import type { Mailer } from './smtp/mailer.ts';
import { SmtpError } from './smtp/smtp-error.ts';
import {
  clearRejections,
  countRejection,
  removeSubscription,
} from './subscribing/subscription-store.ts';
import type { WrittenMail } from './write-mail.ts';

type SenderParts = Readonly<{
  transact: RunTransaction;
  readClock: () => Promise<number>;
  mailer: Mailer;
  /** Sessions with the relay. */
  sessionsMax: number;
  write: (payload: MailPayload, now: number) => Promise<WrittenMail | null>;
  toMailboxHash: (address: string) => string;
  /** The relay refuses mails for a reason that is not the recipient's. */
  onRelayFault: (result: string) => Promise<void>;
}>;

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** How long the relay has fewer sessions once it has refused one. */
const fewerMs = 60 * minuteMs;

/** A relay that is repaired within three days loses nothing. */
const retryDelaysMs = [
  minuteMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  6 * hourMs,
  12 * hourMs,
  24 * hourMs,
  24 * hourMs,
];

/** Sends the mails of the outbox. */
export function createMailSender(parts: SenderParts): Sender {
  const { transact, readClock, mailer, sessionsMax, write, toMailboxHash, onRelayFault } = parts;
  /** Relays refuse sessions beyond their own bound: each that was refused lately is one too many. */
  let refusedAt: number[] = [];

  async function refuse(id: string | null): Promise<void> {
    if (id === null) return;
    await transact(async (db) => {
      if (await countRejection(db, id)) await removeSubscription(db, id, toMailboxHash);
    });
  }

  async function toAttempt(error: SmtpError, mail: WrittenMail): Promise<Attempt> {
    const { kind, result } = error;
    if (kind === 'address') {
      await refuse(mail.subscriptionId);
      return { outcome: 'given-up', result };
    }
    if (kind === 'busy') refusedAt.push(performance.now());
    if (kind === 'away' || kind === 'busy') return { outcome: 'away', result };
    if (kind === 'relay') await onRelayFault(result);
    return { outcome: 'failed', result };
  }

  return {
    retryDelaysMs,
    get parallelMax() {
      refusedAt = refusedAt.filter((at) => performance.now() - at < fewerMs);
      return Math.max(1, sessionsMax - refusedAt.length);
    },
    // Nothing is left of a mail that was sent.
    finishedMax: 0,
    async send({ id, payload }, signal) {
      const now = await readClock();
      const mail = await write(mailPayloadSchema.parse(JSON.parse(payload)), now);
      if (mail === null) return { outcome: 'delivered', result: 'nothing to say' };
      const { subscriptionId, mentions, ...message } = mail;
      try {
        await mailer.send({ id, ...message }, signal);
      } catch (error) {
        if (error instanceof SmtpError) return toAttempt(error, mail);
        throw error;
      }
      if (subscriptionId !== null) {
        await transact(async (db) => {
          if (!(await clearRejections(db, subscriptionId))) return;
          await saveMentions(db, mentions, now);
        });
      }
      return { outcome: 'delivered', result: '250' };
    },
  };
}
