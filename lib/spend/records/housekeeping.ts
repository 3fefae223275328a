import type { Log } from '#lib/http/log.ts';
import { toLogFields } from '#lib/storage/storage-error.ts';
import { toUtcDay } from '../budgets/periods.ts';
import type { UsageStores } from './drain-queue.ts';

export type HousekeepingOptions = Readonly<{
  stores: UsageStores;
  usageDays: number;
  log: Log;
}>;

export type HousekeepingSteps = Readonly<{
  /** Renews the leases of this instance. */
  renew: () => Promise<void>;
  /** Takes over what processes have left behind that are gone. */
  adopt: () => Promise<void>;
}>;

const renewEveryMs = 10_000;
const pruneEveryMs = 3_600_000;
const dayMs = 86_400_000;

/** Every ten seconds: renews own leases, then closes requests of others whose leases have expired. */
export function createHousekeeping({ stores, usageDays, log }: HousekeepingOptions) {
  let ranAt = performance.now();
  let prunedAt = Number.NEGATIVE_INFINITY;
  let isRunning = false;
  let isFailing = false;
  /** Rounds since the last failure: after an outage all leases have expired, and each instance renews its own first. */
  let rounds = 0;

  async function prune(now: number): Promise<void> {
    if (performance.now() - prunedAt < pruneEveryMs) return;
    const beforeDay = toUtcDay(now - usageDays * dayMs);
    for (const { prune } of [stores.usage, stores.rejections, stores.auditLog]) {
      while ((await prune(beforeDay)) > 0);
    }
    prunedAt = performance.now();
  }

  async function runAll({ renew, adopt }: HousekeepingSteps): Promise<void> {
    await renew();
    await adopt();
    // Not the clock of this instance: it would close requests of others where it is ahead.
    const now = await stores.readClock();
    const closed = rounds < 2 ? 0 : await stores.usage.closeExpired(now);
    if (closed > 0) log.warn({ closed }, 'requests of an instance that is gone are charged');
    await prune(now);
    rounds += 1;
  }

  return {
    async run(steps: HousekeepingSteps): Promise<void> {
      if (isRunning || performance.now() - ranAt < renewEveryMs) return;
      isRunning = true;
      ranAt = performance.now();
      try {
        await runAll(steps);
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
