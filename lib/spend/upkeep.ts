import type { Log } from '#lib/http/log.ts';
import { createRepeatedTask } from '#lib/http/single-flight.ts';
import type { AuditLog } from '#lib/storage/audit-log.ts';
import { dayMs, toUtcDay, toUtcHour } from '#lib/storage/days.ts';
import { repeatInTurns } from '#lib/storage/repeat-in-turns.ts';
import { toLogFields } from '#lib/storage/storage-error.ts';
import { shownDays, toFirstDay } from './budgets.ts';
import type { RejectionStore } from './store/rejection-store.ts';
import type { UsageStore } from './store/usage-store.ts';

type UpkeepOptions = Readonly<{
  stores: Readonly<{
    usage: Pick<UsageStore, 'prune' | 'pruneSessions' | 'sumUpRecentCosts'>;
    rejections: Pick<RejectionStore, 'prune'>;
    auditLog: Pick<AuditLog, 'prune' | 'readHead'>;
    members: Readonly<{ eraseRemoved: (now: number) => Promise<void> }>;
    changes: Readonly<{ prune: (now: number) => Promise<number> }>;
    readClock: () => Promise<number>;
  }>;
  /** How many days records are stored. */
  usageDays: number;
  log: Log;
  /** A clock that nobody sets, ms. */
  uptime?: () => number;
}>;

const everyMs = 60_000;
const pruneEveryMs = 3_600_000;
/** A clock that was just set may be wrong, as when a machine starts. */
const steadyMs = 600_000;

/** Erases deleted members and what is old from the database, and keeps recent costs; once a minute, also on a site without an AI upstream. */
export function createUpkeep(options: UpkeepOptions) {
  const { stores, usageDays, log, uptime = () => performance.now() } = options;
  let prunedAt = Number.NEGATIVE_INFINITY;
  const isSteady = createSteadiness(uptime);
  let headDay = '';
  let summedHour = '';
  let isClosed = false;
  const run = createRepeatedTask(
    async () => {
      const now = await stores.readClock();
      await stores.members.eraseRemoved(now);
      await sumUp(now);
      await prune(now);
    },
    (error) => {
      if (!isClosed) log.warn(toLogFields(error), 'old records are not deleted yet');
    },
  );
  /** Unreferenced, so that it does not keep the process alive. */
  const timer = setInterval(() => void run(), everyMs).unref();

  /** Once an hour, and so as soon as a day has begun. */
  async function sumUp(now: number): Promise<void> {
    const hour = toUtcHour(now);
    if (hour === summedHour) return;
    await stores.usage.sumUpRecentCosts(toUtcDay(now));
    summedHour = hour;
  }

  /** Once a day, so that an operator with the log can tell that earlier entries were not changed. */
  async function logAuditHead(today: string): Promise<void> {
    if (headDay === today) return;
    const { position, hash } = await stores.auditLog.readHead();
    if (position > 0) log.info({ position, hash }, 'newest entry of the audit log');
    headDay = today;
  }

  async function prune(now: number): Promise<void> {
    await logAuditHead(toUtcDay(now));
    if (!isSteady(now) || uptime() - prunedAt < pruneEveryMs) return;
    const beforeDay = toUtcDay(now - usageDays * dayMs);
    await repeat(() => stores.usage.pruneSessions(toFirstDay(shownDays, now)));
    for (const { prune } of [stores.usage, stores.rejections, stores.auditLog]) {
      await repeat(() => prune(beforeDay));
    }
    await repeat(() => stores.changes.prune(now));
    prunedAt = uptime();
  }

  const repeat = (deletePart: () => Promise<number>) =>
    repeatInTurns(async () => !isClosed && (await deletePart()) > 0);

  return {
    run,
    close() {
      isClosed = true;
      clearInterval(timer);
    },
  };
}

/** Whether the clock has agreed for ten minutes with one that is never set. */
function createSteadiness(uptime: () => number): (now: number) => boolean {
  let setAt = Number.NaN;
  let agreesFrom = 0;
  return (now) => {
    const uptimeMs = uptime();
    if (!(Math.abs(now - uptimeMs - setAt) < dayMs)) {
      setAt = now - uptimeMs;
      agreesFrom = uptimeMs;
    }
    return uptimeMs - agreesFrom >= steadyMs;
  };
}
