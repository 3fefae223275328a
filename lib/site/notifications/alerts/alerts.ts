import type { Transaction } from 'kysely';
import { type BudgetDefaults, toShownAccounts } from '#lib/accounts/account/budget-view.ts';
import type { Member } from '#lib/accounts/store/member-store.ts';
import type { ReadStatus } from '#lib/events/source/loader.ts';
import type { Log } from '#lib/http/log.ts';
import { createRepeatedTask } from '#lib/http/single-flight.ts';
import type { KeyStore } from '#lib/keys/store/key-store.ts';
import { enqueue } from '#lib/outbox/enqueue.ts';
import { toPeriodDays } from '#lib/spend/periods.ts';
import type { BalanceStore } from '#lib/spend/store/balance-store.ts';
import { toUtcDay } from '#lib/storage/days.ts';
import type { RunQuery, RunTransaction, Schema } from '#lib/storage/schema.ts';
import { toLogFields } from '#lib/storage/storage-error.ts';
import { channels } from '#lib/telemetry/channels.ts';
import { toMailDelivery } from '../mail/mail-delivery.ts';
import type { Alert } from '../webhooks/webhook-message.ts';
import { type AdminAlert, createWatch, toLeftOutAlert } from './admin-alerts.ts';
import {
  claimCause,
  claimTurn,
  findPeriods,
  findRevokedByOthers,
  forgetPeriod,
  leftOutCause,
  pruneAlerts,
} from './alert-store.ts';
import { findMemberAlerts } from './member-alerts.ts';

export type Alerts = Readonly<{
  /** Looks once; the timer does so each minute. */
  check: () => Promise<void>;
  /** Tells the admins of something, once a day. */
  raise: (alert: AdminAlert) => Promise<void>;
  start: () => void;
  close: () => void;
}>;

export type AlertsParts = Readonly<{
  database: Readonly<{
    run: RunQuery;
    transact: RunTransaction;
    readClock: () => Promise<number>;
    members: Readonly<{ listAlerted: () => Promise<Member[]> }>;
    keys: Pick<KeyStore, 'list'>;
    balances: Pick<BalanceStore, 'find'>;
  }>;
  /** Of members and their keys. */
  budgets: BudgetDefaults;
  upstreams: () => readonly Readonly<{ name: string; breaker: string }>[];
  tableStatus: () => ReadStatus;
  /** Tells webhooks and admins, in the transaction of the cause. */
  enqueueAlert: (db: Transaction<Schema>, alert: Alert) => Promise<void>;
  /** Whether there is a mail server: members get alerts by mail alone. */
  mailsMembers: boolean;
  onEnqueued: () => void;
  now: () => number;
  log: Log;
}>;

const everyMs = 60_000;

/** Tells members of their budgets and keys, and admins of what needs them: each cause once in its period. */
export function createAlerts(parts: AlertsParts): Alerts {
  const { database, budgets, upstreams, tableStatus, enqueueAlert, onEnqueued, now, log } = parts;
  const { run, transact, readClock } = database;
  const watch = createWatch(now());
  /** What could not be stored yet: the database itself may be away. */
  const pending = new Map<string, AdminAlert>();
  let usageWaiting = 0;
  let seenReadAt: number | null = null;
  let timer: NodeJS.Timeout | undefined;
  const count = (length: number) => {
    usageWaiting = length;
  };
  channels.ledgerWaiting.subscribe(count);

  async function tell(db: Transaction<Schema>, { type, data }: AdminAlert, at: number) {
    await enqueueAlert(db, { type, timestamp: new Date(at).toISOString(), data });
  }

  async function raise(alert: AdminAlert): Promise<void> {
    const at = await readClock();
    await transact(async (db) => {
      const isNew = await claimCause(db, { cause: alert.cause, period: toUtcDay(at) }, at);
      if (isNew) await tell(db, alert, at);
    });
  }

  async function checkSurroundings(): Promise<void> {
    const observed = { upstreams: upstreams(), table: tableStatus(), usageWaiting, now: now() };
    for (const alert of watch(observed)) pending.set(alert.cause, alert);
    for (const alert of [...pending.values()]) {
      await raise(alert);
      pending.delete(alert.cause);
    }
  }

  /** A row is told of once, until it is shown again. */
  async function checkRows(): Promise<void> {
    const { lastRead } = tableStatus();
    if (lastRead === null || lastRead.readAtMs === seenReadAt) return;
    const leftOut = lastRead.problems.filter(({ done }) => done === 'left out');
    const ids = new Set(leftOut.map(({ recordId }) => recordId));
    const at = await readClock();
    await transact(async (db) => {
      const known = await findPeriods(db, leftOutCause);
      for (const id of known) {
        if (!ids.has(id)) await forgetPeriod(db, { cause: leftOutCause, period: id });
      }
      const fresh = [];
      for (const row of leftOut) {
        const cause = { cause: leftOutCause, period: row.recordId };
        if (!known.has(row.recordId) && (await claimCause(db, cause, at))) fresh.push(row);
      }
      if (fresh.length > 0) await tell(db, toLeftOutAlert(fresh), at);
    });
    seenReadAt = lastRead.readAtMs;
  }

  async function checkMembers(): Promise<void> {
    const at = await readClock();
    const minute = {
      cause: 'members are checked',
      period: new Date(at).toISOString().slice(0, 16),
    };
    if (!(await transact((db) => claimTurn(db, minute, at)))) return;
    await run((db) => pruneAlerts(db, at));
    for (const member of await database.members.listAlerted()) await checkMember(member, at);
  }

  async function checkMember(member: Member, at: number): Promise<void> {
    const keys = await database.keys.list(member.id);
    const accounts = toShownAccounts({ member, keys });
    const balances = await database.balances.find(accounts, toPeriodDays(toUtcDay(at)));
    const revokedByOthers = await run((db) => findRevokedByOthers(db, member.id, at));
    const state = { member, keys, balances, revokedByOthers };
    const found = findMemberAlerts(state, { ...budgets, now: at });
    if (found.length === 0) return;
    const isTold = await transact(async (db) => {
      let told = 0;
      for (const { cause, period, subject, text } of found) {
        if (!(await claimCause(db, { cause, period }, at))) continue;
        const to = { memberId: member.id };
        const alert = { to, id: member.id, subject, lines: [text], path: '/account' };
        await enqueue(db, [toMailDelivery({ type: 'alert', ...alert })], at);
        told += 1;
      }
      return told > 0;
    });
    if (isTold) onEnqueued();
  }

  const check = createRepeatedTask(
    async () => {
      await checkSurroundings();
      await checkRows();
      if (parts.mailsMembers) await checkMembers();
    },
    (error) => log.warn(toLogFields(error), 'alerts wait for the database'),
  );

  return {
    check,
    raise,
    start() {
      timer ??= setInterval(() => void check(), everyMs).unref();
    },
    close() {
      clearInterval(timer);
      channels.ledgerWaiting.unsubscribe(count);
    },
  };
}
