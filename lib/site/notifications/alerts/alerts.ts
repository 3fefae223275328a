import type { Transaction } from 'kysely';
import { type BudgetDefaults, toShownAccounts } from '#lib/accounts/account/budget-view.ts';
import type { GroupStore } from '#lib/accounts/store/group-store.ts';
import type { Member } from '#lib/accounts/store/member-record.ts';
import { listLeftOut } from '#lib/events/source/airtable/problem-groups.ts';
import type { ReadStatus } from '#lib/events/source/read-status.ts';
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
import type { EnqueueAlert } from '../enqueuer.ts';
import { toMailDelivery } from '../mail/mail-delivery.ts';
import {
  type AdminAlert,
  createWatch,
  type ObservedUpstream,
  toLeftOutAlert,
} from './admin-alerts.ts';
import {
  claimCause,
  claimTurn,
  findPeriods,
  findRevokedByOthers,
  forgetPeriod,
  leftOutCause,
  pruneAlerts,
} from './alert-store.ts';
import { findBudgetAlerts } from './budget-alerts.ts';
import { findMemberAlerts } from './member-alerts.ts';

export type AlertsParts = Readonly<{
  database: Readonly<{
    run: RunQuery;
    transact: RunTransaction;
    readClock: () => Promise<number>;
    members: Readonly<{ listAlerted: () => Promise<Member[]> }>;
    groups: Pick<GroupStore, 'list'>;
    keys: Pick<KeyStore, 'list' | 'listUsed'>;
    balances: Pick<BalanceStore, 'find'>;
  }>;
  /** Of members and their keys. */
  budgets: BudgetDefaults;
  /** Of budgets that webhooks are told of, in percent, ascending. */
  budgetLevels: readonly number[];
  upstreams: () => readonly ObservedUpstream[];
  /** Reads what is left of the credit at them; null where another process of this instance does. */
  readCredits: ((withinMs: number) => Promise<void>) | null;
  tableStatus: () => ReadStatus;
  enqueueAlert: EnqueueAlert;
  /** Whether there is a mail server: members get alerts by mail alone. */
  mailsMembers: boolean;
  now: () => number;
  log: Log;
}>;

const everyMs = 60_000;
/** Services count such requests, too. */
const creditEveryMs = 600_000;

/** Tells members of their budgets and keys, and admins of what needs them: each cause once in its period. */
export class Alerts {
  readonly #parts: AlertsParts;
  readonly #watch: ReturnType<typeof createWatch>;
  /** What could not be stored yet: the database itself may be away. */
  readonly #pending = new Map<string, AdminAlert>();
  #usageWaiting = 0;
  #seenReadAt: number | null = null;
  #timer: NodeJS.Timeout | undefined;
  /** Looks once; the timer does so each minute. */
  readonly check: () => Promise<void>;

  constructor(parts: AlertsParts) {
    this.#parts = parts;
    this.#watch = createWatch(parts.now());
    this.check = createRepeatedTask(
      async () => {
        await this.#checkSurroundings();
        await this.#checkRows();
        if (parts.mailsMembers) await this.#checkMembers();
        if (parts.budgetLevels.length > 0) await this.#checkBudgets();
      },
      (error) => parts.log.warn(toLogFields(error), 'alerts wait for the database'),
    );
    channels.ledgerWaiting.subscribe(this.#count);
  }

  /** How many records of usage wait to be stored. */
  get usageWaiting(): number {
    return this.#usageWaiting;
  }

  start(): void {
    this.#timer ??= setInterval(() => void this.check(), everyMs).unref();
  }

  close(): void {
    clearInterval(this.#timer);
    channels.ledgerWaiting.unsubscribe(this.#count);
  }

  /** Tells the admins of something, once a day. */
  async raise(alert: AdminAlert): Promise<void> {
    const { transact, readClock } = this.#parts.database;
    const at = await readClock();
    await transact(async (db) => {
      const isNew = await claimCause(db, { cause: alert.cause, period: toUtcDay(at) }, at);
      if (isNew) await this.#enqueue(db, alert, at);
    });
  }

  readonly #count = (length: number): void => {
    this.#usageWaiting = length;
  };

  async #enqueue(
    db: Transaction<Schema>,
    { type, data }: Pick<AdminAlert, 'type' | 'data'>,
    at: number,
  ): Promise<void> {
    await this.#parts.enqueueAlert(db, { type, timestamp: new Date(at).toISOString(), data });
  }

  async #checkSurroundings(): Promise<void> {
    const { upstreams, readCredits, tableStatus, now } = this.#parts;
    await readCredits?.(creditEveryMs);
    const alerts = this.#watch({
      upstreams: upstreams(),
      table: tableStatus(),
      usageWaiting: this.#usageWaiting,
      now: now(),
    });
    for (const alert of alerts) this.#pending.set(alert.cause, alert);
    for (const alert of [...this.#pending.values()]) {
      await this.raise(alert);
      this.#pending.delete(alert.cause);
    }
  }

  /** An alert names a row once, until it is shown again. */
  async #checkRows(): Promise<void> {
    const { lastRead } = this.#parts.tableStatus();
    if (lastRead === null || lastRead.readAtMs === this.#seenReadAt) return;
    const leftOut = listLeftOut(lastRead.problems);
    const ids = new Set(leftOut.map(({ recordId }) => recordId));
    const { transact, readClock } = this.#parts.database;
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
      if (fresh.length > 0) await this.#enqueue(db, toLeftOutAlert(fresh), at);
    });
    this.#seenReadAt = lastRead.readAtMs;
  }

  async #checkMembers(): Promise<void> {
    const { run, members } = this.#parts.database;
    const at = await this.#claimMinute('members are checked');
    if (at === null) return;
    await run((db) => pruneAlerts(db, at));
    for (const member of await members.listAlerted()) await this.#checkMember(member, at);
  }

  async #checkBudgets(): Promise<void> {
    const { database, budgets, budgetLevels: levels } = this.#parts;
    const at = await this.#claimMinute('budgets are checked');
    if (at === null) return;
    for (const alert of await findBudgetAlerts(database, { ...budgets, levels, now: at })) {
      const { causes, period } = alert;
      await database.transact(async (db) => {
        let isNew = false;
        for (const cause of causes) isNew = await claimCause(db, { cause, period }, at);
        if (isNew) await this.#enqueue(db, alert, at);
      });
    }
  }

  /** The time, Unix ms, if this process is the one that does something in this minute; else null. */
  async #claimMinute(cause: string): Promise<number | null> {
    const { transact, readClock } = this.#parts.database;
    const at = await readClock();
    const minute = { cause, period: new Date(at).toISOString().slice(0, 16) };
    return (await transact((db) => claimTurn(db, minute, at))) ? at : null;
  }

  async #checkMember(member: Member, at: number): Promise<void> {
    const { database, budgets } = this.#parts;
    const keys = await database.keys.list(member.id);
    const accounts = toShownAccounts({ member, keys });
    const balances = await database.balances.find(accounts, toPeriodDays(toUtcDay(at)));
    const revokedByOthers = await database.run((db) => findRevokedByOthers(db, member.id, at));
    const state = { member, keys, balances, revokedByOthers };
    const found = findMemberAlerts(state, { ...budgets, now: at });
    if (found.length === 0) return;
    await database.transact(async (db) => {
      for (const { cause, period, subject, text } of found) {
        if (!(await claimCause(db, { cause, period }, at))) continue;
        const to = { memberId: member.id };
        const alert = { to, id: member.id, subject, lines: [text], path: '/account' };
        await enqueue(db, [toMailDelivery({ type: 'alert', ...alert })], at);
      }
    });
  }
}
