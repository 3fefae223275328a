import type { AccountLimit } from '../budgets/accounts.ts';
import { decide, toCost, toFitting, toWholeDemand, type WholeDemand } from './decide.ts';
import { type Limits, type LoadUsed, type Reservation, toWhole } from './limits.ts';
import { type Counter, createCounters } from './memory-counters.ts';
import { createMinuteWindow, type MinuteWindow } from './minute-window.ts';
import {
  requireGranted,
  requireRequest,
  toRequestHeaders,
  toReservationHeaders,
} from './require-granted.ts';

export type MemoryLimitsOptions = Readonly<{ loadUsed: LoadUsed; now: () => number }>;

/** Limits of this process alone. */
export function createMemoryLimits({ loadUsed, now }: MemoryLimitsOptions): Limits {
  const minutes = new Map<string, MinuteWindow>();
  const counters = createCounters(loadUsed, now);
  return {
    async countRequest(key) {
      const minute = minutes.get(key.id) ?? createMinuteWindow();
      minutes.set(key.id, minute);
      const at = now();
      const isGranted = minute.count(at) < key.requestsPerMinute;
      if (isGranted) minute.add(at);
      const decision = {
        isGranted,
        left: key.requestsPerMinute - minute.count(at),
        resetMs: minute.untilBelow(1, at),
        waitMs: minute.untilBelow(key.requestsPerMinute, at),
      };
      requireRequest(key, decision);
      return toRequestHeaders(key, decision);
    },
    async reserve({ limits }, given) {
      const demand = toWholeDemand(given);
      const found = await counters.find(limits);
      // No await from here on: the check and the reservation are one step.
      const decision = requireGranted(decide(demand, limits, found), limits, found, now());
      const reservation = createReservation(limits, found, demand.price);
      reservation.add(decision.tokens);
      counters.refresh(limits, found);
      return {
        headers: toReservationHeaders(limits, found, now()),
        ...{ tokens: decision.tokens, tokensLeft: decision.tokensLeft },
        ...reservation.controls,
      };
    },
    read: ({ limits }) => counters.find(limits),
    async close() {},
  };
}

function createReservation(
  limits: readonly AccountLimit[],
  counters: readonly Counter[],
  price: WholeDemand['price'],
): Readonly<{
  add: (tokens: number) => void;
  controls: Pick<Reservation, 'extend' | 'settle' | 'release'>;
}> {
  let tokens = 0;
  let nanoUsd = 0;
  let isSettled = false;

  function add(more: number): void {
    const cost = toCost(price, tokens + more) - nanoUsd;
    for (const counter of counters) {
      counter.reservedTokens += more;
      counter.reservedNanoUsd += cost;
    }
    tokens += more;
    nanoUsd += cost;
  }

  function settle(usedTokens: number, usedNanoUsd: number): void {
    if (isSettled) return;
    isSettled = true;
    for (const counter of counters) {
      counter.reservedTokens -= tokens;
      counter.reservedNanoUsd -= nanoUsd;
      counter.tokens += usedTokens;
      counter.nanoUsd += usedNanoUsd;
    }
  }

  return {
    add,
    controls: {
      async extend(more) {
        if (isSettled) return 0;
        // What is reserved already is paid: only the rest is.
        const rest = {
          fixed: price.fixed + tokens * price.perToken - nanoUsd,
          perToken: price.perToken,
        };
        const granted = Math.max(0, Math.min(toWhole(more), toFitting(rest, limits, counters)));
        add(granted);
        return granted;
      },
      settle: (used) => settle(toWhole(used.tokens), toWhole(used.nanoUsd)),
      release: () => settle(0, 0),
    },
  };
}
