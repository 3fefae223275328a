import type { Log } from '#lib/http/log.ts';
import { createRepeatedTask } from '#lib/http/single-flight.ts';
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
export function createLeaseRound(
  { stores, log }: LeaseRoundOptions,
  { renew, adopt }: LeaseSteps,
): () => Promise<void> {
  /** Since the last failure: after an outage all leases have expired, and each instance renews its own first. */
  let rounds = 0;

  async function runAll(): Promise<void> {
    const roundsBefore = rounds;
    // Unless this one succeeds.
    rounds = 0;
    await renew();
    await adopt();
    // Not the clock of this instance: it would close requests of others where it is ahead.
    const now = await stores.readClock();
    const closed = roundsBefore < 2 ? 0 : await stores.usage.closeExpired(now);
    if (closed > 0) log.warn({ closed }, 'requests of a lost instance are charged as they stood');
    rounds = roundsBefore + 1;
  }

  return createRepeatedTask(runAll, (error) =>
    log.warn(toLogFields(error), 'usage is not tidied up yet'),
  );
}
