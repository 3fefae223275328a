import type { Kysely, Transaction } from 'kysely';
import type { MembersConfig } from '#lib/config/members-config.ts';
import type { RecordedChange } from '#lib/events/changes/change.ts';
import type { TimeZone } from '#lib/events/model/zoned-time.ts';
import type { Site } from '#lib/events/view/site-urls.ts';
import { enqueue } from '#lib/outbox/enqueue.ts';
import type { RunQuery, Schema } from '#lib/storage/schema.ts';
import { mailAdmins } from './alerts/admin-mails.ts';
import { enqueueMoves } from './mail/digest/enqueue-moves.ts';
import { hasSubscriptions } from './mail/subscribing/subscription-store.ts';
import { type Alert, toAlertDeliveries, toChangeDeliveries } from './webhooks/webhook-message.ts';
import { listWebhooks } from './webhooks/webhook-store.ts';
import { enqueuePings } from './websub.ts';

/** Writes what subscribers and admins have to be told into the outbox, which sends it. */
export type Enqueuer = Readonly<{
  /** What changes of events cause, in their transaction. */
  enqueueChanges: (db: Transaction<Schema>, recorded: readonly RecordedChange[]) => Promise<void>;
  /** An alert for webhooks and admins, in the transaction of its cause. */
  enqueueAlert: EnqueueAlert;
  /** Whether anybody is told of changes, so that the table is read without visitors. */
  hasSubscribers: () => Promise<boolean>;
}>;

export type EnqueueAlert = (db: Transaction<Schema>, alert: Alert) => Promise<void>;

type EnqueuerSettings = Readonly<{
  site: Site;
  notifications: Readonly<{ websubHub: string | null }>;
  storage: Readonly<{ databaseUrl: string | null }>;
  members: Pick<MembersConfig, 'admins'> | null;
  /** Null: no mails. */
  mail: object | null;
}>;

type EnqueuerParts = Readonly<{
  database: Readonly<{ run: RunQuery; readClock: () => Promise<number> }>;
  /** Of the site. */
  timeZone: TimeZone;
  now: () => number;
}>;

/** Another instance reads the table again within two seconds of a change. */
const instancesFollowMs = 5_000;
/** This instance serves what it has recorded as soon as the transaction is over. */
const servedAfterMs = 1_000;

export function createEnqueuer(config: EnqueuerSettings, parts: EnqueuerParts): Enqueuer {
  const { site, storage, mail } = config;
  const { database, timeZone, now } = parts;
  const hub = config.notifications.websubHub;

  async function toPingTime() {
    return storage.databaseUrl === null
      ? { now: now(), delayMs: servedAfterMs }
      : { now: await database.readClock(), delayMs: instancesFollowMs };
  }

  async function hasReaders(db: Kysely<Schema>): Promise<boolean> {
    if ((await listWebhooks(db)).some(({ state }) => state === 'active')) return true;
    return mail !== null && hasSubscriptions(db);
  }

  return {
    async enqueueChanges(db, recorded) {
      if (recorded.length === 0) return;
      const at = now();
      const moment = { nowMs: at, timeZone };
      await enqueue(db, await toChangeDeliveries(await listWebhooks(db), recorded, moment), at);
      if (hub !== null) await enqueuePings(db, { hub, site }, await toPingTime());
      if (mail !== null) await enqueueMoves(db, recorded);
    },
    async enqueueAlert(db, alert) {
      await enqueue(db, toAlertDeliveries(await listWebhooks(db), alert), now());
      // There may be one for each key: they are for programs.
      if (alert.type === 'alert.budget') return;
      if (mail !== null) await mailAdmins(db, alert, config.members?.admins ?? [], now());
    },
    hasSubscribers: async () => hub !== null || database.run(hasReaders),
  };
}
