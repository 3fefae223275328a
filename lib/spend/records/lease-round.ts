import type { Log } from '#lib/http/log.ts';
import { toLogFields } from '#lib/storage/storage-error.ts';
import type { UsageStore } from '../store/usage-store.ts';

export type LeaseRoundOptions = Readonly<{
  stores: Readonly<{
    usage: Pick<UsageStore, 'closeExpired'>;
    readClock: () => Promise<number>;
  }>;
  log: Log;
}>;

type LeaseSteps = Readonly<Record<'renew' | 'adopt', () => Promise<void>>>;

/** Renews own leases, adopts queues of dead processes, and closes requests whose leases have expired. */
export function createLeaseRound({ stores, log }: LeaseRoundOptions, { renew, adopt }: LeaseSteps) {
  let isRunning = false;
  let isFailing = false;
  /** Since the last failure: after an outage all leases have expired, and each instance renews its own first. */
  let rounds = 0;

  async function runAll(): Promise<void> {
    await renew();
    await adopt();
    // Not the clock of this instance: it would close requests of others where it is ahead.
    const now = await stores.readClock();
    const closed = rounds < 2 ? 0 : await stores.usage.closeExpired(now);
    if (closed > 0) log.warn({ closed }, 'requests of a lost instance are charged as they stood');
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
