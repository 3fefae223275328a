import { setTimeout as delay } from 'node:timers/promises';
import type { RedisCalls } from './redis-calls.ts';

/** Tells Redis again what one request under way has reserved. */
export type Renew = () => Promise<unknown>;

/** Keeps Redis aware of what the requests of this instance have reserved. */
export type Renewals = Readonly<{
  add: (renew: Renew) => void;
  delete: (renew: Renew) => void;
  /** @throws SharedStateError while Redis fails. */
  renewAll: () => Promise<void>;
  /** Since when Redis has the data that this instance knows; empty at first. */
  since: () => string;
  /**
   * After Redis has lost its data: tells it all reservations again, and waits until the other instances have done so
   * too. @throws SharedStateError while Redis fails.
   */
  rebuild: () => Promise<void>;
  close: () => void;
}>;

export type RenewalsOptions = Readonly<{
  readSince: RedisCalls['readSince'];
  /** How long nothing is reserved after a loss. */
  rebuildMs: number;
  /** Redis has lost its data. */
  onLoss: () => void;
}>;

const renewEveryMs = 15_000;
/** So soon an instance notices that Redis has lost its data, if it does not ask for anything itself. */
const checkEveryMs = 1_000;

export function createRenewals({ readSince, rebuildMs, onLoss }: RenewalsOptions): Renewals {
  const renewals = new Set<Renew>();
  let known = '';
  let rebuilding: Promise<void> | null = null;
  let timers: NodeJS.Timeout[] = [];

  async function renewAll(): Promise<void> {
    await Promise.all([...renewals].map((renew) => renew()));
  }

  async function rebuildOnce(): Promise<void> {
    const { since, ageMs } = await readSince();
    onLoss();
    await renewAll();
    // The clock of Redis may have been set back.
    const waitMs = Math.min(rebuildMs, rebuildMs - ageMs);
    if (waitMs > 0) await delay(waitMs);
    known = since;
  }

  function rebuild(): Promise<void> {
    rebuilding ??= rebuildOnce().finally(() => {
      rebuilding = null;
    });
    return rebuilding;
  }

  async function check(): Promise<void> {
    if (renewals.size === 0) return;
    const { since } = await readSince();
    if (since !== known) await rebuild();
  }

  // A Redis that fails is logged where it is called, and asked again.
  function start(run: () => Promise<void>, everyMs: number): NodeJS.Timeout {
    return setInterval(() => void run().catch(() => {}), everyMs).unref();
  }

  return {
    add(renew) {
      renewals.add(renew);
      if (timers.length === 0) timers = [start(renewAll, renewEveryMs), start(check, checkEveryMs)];
    },
    delete: (renew) => void renewals.delete(renew),
    renewAll,
    since: () => known,
    rebuild,
    close() {
      for (const timer of timers) clearInterval(timer);
      timers = [];
    },
  };
}
