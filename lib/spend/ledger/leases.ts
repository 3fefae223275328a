import type { Log } from '#lib/http/log.ts';
import { createRepeatedTask } from '#lib/http/single-flight.ts';
import { toLogFields } from '#lib/storage/storage-error.ts';
import type { Ledger } from './ledger.ts';
import type { UsageRecord } from './usage-record.ts';

type LeasesOptions = Readonly<{
  ledger: Pick<Ledger, 'renew' | 'closeExpired'>;
  log: Log;
}>;

/** The records under way of this process. */
export type Leases = Readonly<{
  /**
   * Stores what a record has come to every two seconds, and renews its lease every ten.
   * @param stored the record as it was opened
   * @param toRecord as it is charged if the process dies now
   */
  add: (stored: UsageRecord, toRecord: () => UsageRecord) => void;
  remove: (id: string) => void;
  close: () => void;
}>;

type UnderWay = { toRecord: () => UsageRecord; stored: UsageRecord };

const everyMs = 2_000;
/** All leases are renewed, and expired ones closed, once in so many rounds. */
const renewEvery = 5;
/** After an outage all leases have expired: each process renews its own before it closes others'. */
const roundsBeforeClosing = 2;

export function createLeases({ ledger, log }: LeasesOptions): Leases {
  const running = new Map<string, UnderWay>();
  let rounds = 0;
  /** Since the last failure. */
  let renewals = 0;

  async function runRound(): Promise<void> {
    rounds += 1;
    const isRenewal = rounds % renewEvery === 0;
    const renewed: UsageRecord[] = [];
    for (const request of running.values()) {
      const record = request.toRecord();
      if (!isRenewal && !hasChanged(request.stored, record)) continue;
      request.stored = record;
      renewed.push(record);
    }
    const renewalsBefore = renewals;
    // Unless this round succeeds.
    renewals = 0;
    if (renewed.length > 0) await ledger.renew(renewed);
    const closed =
      isRenewal && renewalsBefore >= roundsBeforeClosing ? await ledger.closeExpired() : 0;
    if (closed > 0) log.warn({ closed }, 'requests of a lost process are charged as they stood');
    renewals = renewalsBefore + (isRenewal ? 1 : 0);
  }

  const run = createRepeatedTask(runRound, (error) =>
    log.warn(toLogFields(error), 'leases of usage records are not renewed yet'),
  );
  const timer = setInterval(() => void run(), everyMs).unref();

  return {
    add: (stored, toRecord) => void running.set(stored.id, { toRecord, stored }),
    remove(id) {
      const request = running.get(id);
      // V8 collects former tables of a Map late, and with them all that their entries refer to: 11 kB a request.
      if (request !== undefined) request.toRecord = () => request.stored;
      running.delete(id);
    },
    close: () => clearInterval(timer),
  };
}

function hasChanged(before: UsageRecord, after: UsageRecord): boolean {
  const fields = ['tokensIn', 'tokensOut', 'costUsd', 'upstream'] as const;
  return fields.some((field) => before[field] !== after[field]);
}
