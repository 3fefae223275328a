import { toCost } from './decide.ts';
import { type Amounts, type Reservation, toWhole } from './limits.ts';
import type { RedisCalls, ReservationRequest, Reserved } from './redis-calls.ts';
import type { Renewals } from './redis-renewals.ts';

export type RedisReservationOptions = Readonly<{
  calls: Pick<RedisCalls, 'extend' | 'settle'>;
  renewals: Renewals;
  /** The settlement failed: Redis does not know what was used. */
  onUnsettled: () => void;
  /** Settlements in progress. */
  pending: Set<Promise<unknown>>;
}>;

/** A reservation that Redis has granted, renewed until it is settled or released. */
export function createRedisReservation(
  { id, limits, periods, price }: ReservationRequest,
  granted: number,
  options: RedisReservationOptions,
): Pick<Reservation, 'extend' | 'settle' | 'release'> {
  const { calls, renewals, onUnsettled, pending } = options;
  let reserved: Reserved = {
    ...{ id, limits, periods, price },
    ...{ tokens: granted, nanoUsd: toCost(price, granted) },
  };
  let isSettled = false;
  // One after the other: each needs the numbers that the one before has reserved.
  let last: Promise<unknown> = Promise.resolve();

  function enqueue<T>(run: () => Promise<T>): Promise<T> {
    const result = last.then(run);
    last = result.catch(() => {});
    return result;
  }

  async function add(more: number): Promise<number | null> {
    const added = await calls.extend(reserved, { more, since: renewals.since() });
    if (added === null) return null;
    const { tokens, nanoUsd } = reserved;
    reserved = { ...reserved, tokens: tokens + added.tokens, nanoUsd: nanoUsd + added.nanoUsd };
    return added.tokens;
  }

  const renew = () => enqueue(() => add(0));
  renewals.add(renew);

  function settle(used: Amounts): void {
    if (isSettled) return;
    isSettled = true;
    renewals.delete(renew);
    const settlement = enqueue(() => calls.settle(reserved, used))
      .catch(onUnsettled)
      .finally(() => pending.delete(settlement));
    pending.add(settlement);
  }

  return {
    async extend(more) {
      while (!isSettled) {
        const added = await enqueue(() => add(toWhole(more)));
        if (added !== null) return added;
        await renewals.rebuild();
      }
      return 0;
    },
    settle: (used) => settle({ tokens: toWhole(used.tokens), nanoUsd: toWhole(used.nanoUsd) }),
    release: () => settle({ tokens: 0, nanoUsd: 0 }),
  };
}
