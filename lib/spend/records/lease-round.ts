import type { Log } from '#lib/http/log.ts';
import type { AuditLog } from '#lib/storage/audit-log.ts';
import { toUtcDay } from '#lib/storage/days.ts';
import { toLogFields } from '#lib/storage/storage-error.ts';
import { shownDays, toFirstDay } from '../budgets.ts';
import type { RejectionStore } from '../store/rejection-store.ts';
import type { UsageStore } from '../store/usage-store.ts';

export type LeaseRoundOptions = Readonly<{
  stores: Readonly<{
    usage: Pick<UsageStore, 'closeExpired' | 'prune' | 'pruneSessions'>;
    rejections: Pick<RejectionStore, 'prune'>;
    auditLog: Pick<AuditLog, 'prune' | 'readHead'>;
    members: Readonly<{ eraseRemoved: (now: number) => Promise<void> }>;
    readClock: () => Promise<number>;
  }>;
  /** How many days records are stored. */
  usageDays: number;
  log: Log;
}>;

const pruneEveryMs = 3_600_000;
const dayMs = 86_400_000;

type LeaseSteps = Readonly<Record<'renew' | 'adopt', () => Promise<void>>>;

/** Renews own leases, adopts queues of dead processes, closes requests whose leases have expired, and deletes what is old. */
export function createLeaseRound(
  { stores, usageDays, log }: LeaseRoundOptions,
  { renew, adopt }: LeaseSteps,
) {
  let prunedAt = Number.NEGATIVE_INFINITY;
  let headDay = '';
  let isRunning = false;
  let isFailing = false;
  /** Since the last failure: after an outage all leases have expired, and each instance renews its own first. */
  let rounds = 0;

  /** Once a day, so that whoever has the log can tell that entries before were not changed. */
  async function logAuditHead(today: string): Promise<void> {
    if (headDay === today) return;
    const { position, hash } = await stores.auditLog.readHead();
    if (position > 0) log.info({ position, hash }, 'newest entry of the audit log');
    headDay = today;
  }

  async function prune(): Promise<void> {
    if (performance.now() - prunedAt < pruneEveryMs) return;
    const now = await stores.readClock();
    await logAuditHead(toUtcDay(now));
    const beforeDay = toUtcDay(now - usageDays * dayMs);
    while ((await stores.usage.pruneSessions(toFirstDay(shownDays, now))) > 0);
    for (const { prune } of [stores.usage, stores.rejections, stores.auditLog]) {
      while ((await prune(beforeDay)) > 0);
    }
    prunedAt = performance.now();
  }

  async function runAll(): Promise<void> {
    await renew();
    await adopt();
    // Not the clock of this instance: it would close requests of others where it is ahead.
    const now = await stores.readClock();
    const closed = rounds < 2 ? 0 : await stores.usage.closeExpired(now);
    if (closed > 0) log.warn({ closed }, 'requests of a lost instance are charged as they stood');
    await stores.members.eraseRemoved(now);
    await prune();
    rounds += 1;
  }

  return {
    async run(): Promise<void> {
      if (isRunning) return;
      isRunning = true;
      try {
        await runAll();
        isFailing = false;
      } catch (error) {
        if (!isFailing) log.warn(toLogFields(error), 'usage is not tidied up yet');
        isFailing = true;
        rounds = 0;
      } finally {
        isRunning = false;
      }
    },
  };
}
