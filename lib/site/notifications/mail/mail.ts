import type { MemberStore } from '#lib/accounts/store/member-store.ts';
import type { EventsSnapshot } from '#lib/events/source/snapshot.ts';
import type { Log } from '#lib/http/log.ts';
import { createKeyHasher } from '#lib/keys/key-text.ts';
import { loadPepper } from '#lib/keys/pepper.ts';
import type { Sender } from '#lib/outbox/delivery.ts';
import type { RunQuery, RunTransaction } from '#lib/storage/schema.ts';
import { createDigests } from './digest/run-digests.ts';
import { createMailSender } from './mail-sender.ts';
import { createMailTokens } from './mail-tokens.ts';
import { findReminderList } from './reminders/reminder-store.ts';
import { createMailer } from './smtp/mailer.ts';
import { createMailForms, type MailForms, toMailboxHasher } from './subscribing/mail-forms.ts';
import {
  type Confirmation,
  findConfirmation,
  findSubscription,
  type Subscription,
} from './subscribing/subscription-store.ts';
import { writeMail } from './write-mail.ts';

/** Digests and reminders by mail. */
export type Mail = Readonly<{
  forms: MailForms;
  /** What a link leads to: null if it has expired or ended, undefined if the link is not ours. */
  findConfirmation: (token: string) => Promise<Confirmation | null | undefined>;
  findSubscription: (token: string) => Promise<Subscription | null | undefined>;
  /** The ids of the events that somebody is reminded of. */
  findReminderList: (subscriptionId: string) => Promise<string[]>;
  /** Sends the mails of the outbox. */
  sender: Sender;
  /** Plans the digests and reminders that are due. @returns how many mails were enqueued. */
  runDigests: () => Promise<number>;
  start: () => void;
  close: () => void;
}>;

/** The settings that mails depend on. */
export type MailConfig = Readonly<{
  /** Null: no mails. */
  mail: Readonly<{ smtpUrl: string; from: string; sessionsMax: number }> | null;
  site: Readonly<{ name: string; url: string }>;
  events: Readonly<{ timeZone: string }>;
  keys: Readonly<{ pepper: string | null; previousPepper: string | null }>;
  storage: Readonly<{ dataDir: string }>;
  trustProxy: number;
}>;

export type MailParts = Readonly<{
  database: Readonly<{
    run: RunQuery;
    transact: RunTransaction;
    readClock: () => Promise<number>;
    members: Pick<MemberStore, 'find'>;
  }>;
  loadEvents: () => Promise<EventsSnapshot>;
  onRelayFault: (result: string) => Promise<void>;
  now: () => number;
  log: Log;
}>;

/** Null without a mail server. */
export function createMail(config: MailConfig, parts: MailParts): Mail | null {
  if (config.mail === null) return null;
  const { site, keys, storage } = config;
  const { database, loadEvents, log, onRelayFault } = parts;
  const { run, transact, readClock } = database;
  const { pepper: keyPepper, previousPepper } = keys;
  // At first use: a site without subscribers needs no pepper.
  const toHash = (text: string) =>
    createKeyHasher(loadPepper({ keyPepper, dataDir: storage.dataDir }))(text);
  const hashers = previousPepper === null ? [toHash] : [toHash, createKeyHasher(previousPepper)];
  const tokens = createMailTokens(() => hashers);
  const { smtpUrl: url, from, sessionsMax } = config.mail;
  const mailer = createMailer({ url, from, sessionsMax, siteName: site.name });
  const { timeZone } = config.events;
  const toMailboxHash = toMailboxHasher(toHash);
  const planned = { run, transact, readClock, loadEvents, timeZone };
  const digests = createDigests({ ...planned, toMailboxHash, log });

  return {
    forms: createMailForms({
      ...parts,
      ...planned,
      site,
      tokens,
      toHash,
      toMailboxHash,
      trustedHops: config.trustProxy,
    }),
    async findConfirmation(token) {
      const id = tokens.read('confirm', token);
      if (id === null) return undefined;
      const now = await readClock();
      return run((db) => findConfirmation(db, id, now));
    },
    async findSubscription(token) {
      const id = tokens.read('manage', token);
      return id === null ? undefined : run((db) => findSubscription(db, id));
    },
    findReminderList: (id) => run((db) => findReminderList(db, id)),
    sender: createMailSender({
      transact,
      readClock,
      mailer,
      sessionsMax,
      onRelayFault,
      toMailboxHash,
      write: (payload, now) =>
        writeMail(payload, now, { ...planned, site, tokens, members: database.members }),
    }),
    runDigests: digests.run,
    start: digests.start,
    close() {
      digests.close();
      mailer.close();
    },
  };
}
