import { toUtcDay } from '#lib/storage/usage-store.ts';
import {
  type LimitedKey,
  type Limits,
  type LoadTokensUsed,
  type Reservation,
  requireTokensUsed,
  type TokensDecision,
  toTokens,
  toWholeDemand,
  untilNextDay,
} from './limits.ts';
import { createMinuteWindow, type MinuteWindow } from './minute-window.ts';
import {
  requireRequest,
  requireTokens,
  toRequestHeaders,
  toTokenHeaders,
} from './require-granted.ts';

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
    async countRequest(key) {
      const { minute } = openAccount(key.id);
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
    async reserve(key, given) {
      const demand = toWholeDemand(given);
      const account = openAccount(key.id);
      let { budget } = account;
      if (budget?.day !== toUtcDay(now())) budget = await waitForBudget(account, key.id);
      // No await from here on: the check and the reservation are one step.
      const decision = decide(key, demand, budget, now());
      const tokens = requireTokens(key, demand, decision);
      budget.reserved += tokens;
      const left = decision.left - tokens;
      return {
        headers: toTokenHeaders(key, { ...decision, left }),
        ...{ tokens, tokensLeft: Math.max(0, left) },
        ...createReservation(key, budget, tokens),
      };
    },
    async close() {},
  };
}

function decide(
  { tokensPerDay }: LimitedKey,
  { tokens, tokensMin }: Readonly<{ tokens: number; tokensMin: number }>,
  { used, reserved }: Budget,
  now: number,
): TokensDecision {
  const unspent = tokensPerDay - used;
  const left = unspent - reserved;
  const state = { left, resetMs: untilNextDay(now) };
  if (unspent <= 0 || tokensMin > unspent) return { ...state, outcome: 'spent', unspent };
  if (tokensMin > left) return { ...state, outcome: 'reserved' };
  return { ...state, outcome: 'granted', tokens: Math.min(tokens, left) };
}

function createReservation(
  { tokensPerDay }: LimitedKey,
  budget: Budget,
  tokens: number,
): Pick<Reservation, 'extend' | 'settle' | 'release'> {
  let reserved = tokens;
  let isSettled = false;
  const settle = (used: number): void => {
    if (isSettled) return;
    isSettled = true;
    budget.reserved -= reserved;
    budget.used += used;
  };
  return {
    async extend(more) {
      if (isSettled) return 0;
      const left = tokensPerDay - budget.used - budget.reserved;
      const granted = Math.max(0, Math.min(toTokens(more), left));
      budget.reserved += granted;
      reserved += granted;
      return granted;
    },
    settle: (used) => settle(toTokens(used)),
    release: () => settle(0),
  };
}
