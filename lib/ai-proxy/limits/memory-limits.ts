import type { HeaderFields } from '#lib/http/response.ts';
import { toUtcDay } from '#lib/storage/usage-store.ts';
import {
  type LimitedKey,
  type Limits,
  type LimitsDecision,
  type LimitsState,
  type LoadTokensUsed,
  type Reservation,
  requireTokensUsed,
  toTokens,
  untilNextDay,
} from './limits.ts';
import { createMinuteWindow, type MinuteWindow } from './minute-window.ts';
import { requireGranted, toLimitHeaders } from './require-granted.ts';

export type MemoryLimitsOptions = Readonly<{ loadTokensUsed: LoadTokensUsed; now: () => number }>;

/** Tokens of one key on one day (UTC). */
type Budget = { readonly day: string; used: number; reserved: number };
type Account = {
  readonly minute: MinuteWindow;
  budget: Budget | null;
  loading: Promise<void> | null;
};

/** Limits of this process alone, with one account for each key that was used. */
export function createMemoryLimits({ loadTokensUsed, now }: MemoryLimitsOptions): Limits {
  const accounts = new Map<string, Account>();

  function openAccount(keyId: string): Account {
    const known = accounts.get(keyId);
    if (known !== undefined) return known;
    const account: Account = { minute: createMinuteWindow(), budget: null, loading: null };
    accounts.set(keyId, account);
    return account;
  }

  // Requests that began yesterday keep yesterday's budget object and settle on it.
  async function openBudget(account: Account, keyId: string, day: string): Promise<void> {
    try {
      const used = await requireTokensUsed(loadTokensUsed, keyId, day);
      account.budget = { day, used, reserved: 0 };
    } finally {
      account.loading = null;
    }
  }

  async function waitForBudget(account: Account, keyId: string): Promise<Budget> {
    for (;;) {
      const day = toUtcDay(now());
      if (account.budget?.day === day) return account.budget;
      account.loading ??= openBudget(account, keyId, day);
      await account.loading;
    }
  }

  return {
    async reserve(key, demand) {
      const tokens = toTokens(demand.tokens);
      const account = openAccount(key.id);
      const { minute } = account;
      let { budget } = account;
      if (budget?.day !== toUtcDay(now())) budget = await waitForBudget(account, key.id);
      // No await from here on: the check and the reservation are one step.
      const at = now();
      const outcome = decide(key, tokens, minute.count(at), budget);
      if (outcome === 'granted') {
        minute.add(at);
        budget.reserved += tokens;
      }
      const decision = toDecision(key, outcome, minute, budget, at);
      requireGranted(key, { tokens }, decision);
      return createReservation(budget, tokens, toLimitHeaders(key, decision));
    },
    async close() {},
  };
}

function decide(
  key: LimitedKey,
  tokens: number,
  requests: number,
  { used, reserved }: Budget,
): LimitsDecision['outcome'] {
  const unspent = key.tokensPerDay - used;
  if (unspent <= 0 || tokens > unspent) return 'spent';
  if (requests >= key.requestsPerMinute) return 'too-many';
  return tokens > unspent - reserved ? 'reserved' : 'granted';
}

function toDecision(
  key: LimitedKey,
  outcome: LimitsDecision['outcome'],
  minute: MinuteWindow,
  budget: Budget,
  now: number,
): LimitsDecision {
  const unspent = key.tokensPerDay - budget.used;
  const state: LimitsState = {
    requestsLeft: key.requestsPerMinute - minute.count(now),
    requestsResetMs: minute.untilBelow(1, now),
    tokensLeft: unspent - budget.reserved,
    tokensResetMs: untilNextDay(now),
  };
  if (outcome === 'spent') return { ...state, outcome, unspent };
  if (outcome !== 'too-many') return { ...state, outcome };
  return { ...state, outcome, waitMs: minute.untilBelow(key.requestsPerMinute, now) };
}

function createReservation(budget: Budget, reserved: number, headers: HeaderFields): Reservation {
  let isSettled = false;
  const settle = (tokens: number): void => {
    if (isSettled) return;
    isSettled = true;
    budget.reserved -= reserved;
    budget.used += tokens;
  };
  return { headers, settle: (tokens) => settle(toTokens(tokens)), release: () => settle(0) };
}
