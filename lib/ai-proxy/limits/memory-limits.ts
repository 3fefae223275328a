import { toUtcDay } from '#lib/storage/usage-store.ts';
import {
  type LimitedKey,
  type Limits,
  type LimitsState,
  type LimitsVerdict,
  type LoadTokensUsed,
  type Reservation,
  toTokens,
  untilNextDay,
} from './limits.ts';
import { createMinuteWindow, type MinuteWindow } from './minute-window.ts';
import { requireTokensUsed } from './tokens-used.ts';
import { requireGranted, toLimitHeaders } from './verdict.ts';

export type MemoryLimitsOptions = Readonly<{ loadTokensUsed: LoadTokensUsed; now: () => number }>;

/** Tokens of one key on one day (UTC). */
type Budget = { readonly day: string; used: number; held: number };
type Account = {
  readonly minute: MinuteWindow;
  budget: Budget | null;
  loading: Promise<void> | null;
};

/** Limits of this process alone; there are as many accounts as keys that were used. */
export function createMemoryLimits({ loadTokensUsed, now }: MemoryLimitsOptions): Limits {
  const accounts = new Map<string, Account>();

  function openAccount(keyId: string): Account {
    const known = accounts.get(keyId);
    if (known !== undefined) return known;
    const account: Account = { minute: createMinuteWindow(), budget: null, loading: null };
    accounts.set(keyId, account);
    return account;
  }

  // Requests of the day before settle on the budget that they hold.
  async function openBudget(account: Account, keyId: string, day: string): Promise<void> {
    try {
      const used = await requireTokensUsed(loadTokensUsed, keyId, day);
      account.budget = { day, used, held: 0 };
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
    async begin(key, demand) {
      const tokens = toTokens(demand.tokens);
      const account = openAccount(key.id);
      const { minute } = account;
      let { budget } = account;
      if (budget?.day !== toUtcDay(now())) budget = await waitForBudget(account, key.id);
      // From here on nothing waits: no other request comes in between.
      const at = now();
      const outcome = decide(key, tokens, minute.count(at), budget);
      if (outcome === 'granted') {
        minute.add(at);
        budget.held += tokens;
      }
      const verdict = toVerdict(key, outcome, minute, budget, at);
      requireGranted(key, { tokens }, verdict);
      return reserve(budget, tokens, toLimitHeaders(key, verdict));
    },
    async close() {},
  };
}

function decide(
  key: LimitedKey,
  tokens: number,
  requests: number,
  { used, held }: Budget,
): LimitsVerdict['outcome'] {
  const unspent = key.tokensPerDay - used;
  if (unspent <= 0 || tokens > unspent) return 'spent';
  if (requests >= key.requestsPerMinute) return 'too-many';
  return tokens > unspent - held ? 'held' : 'granted';
}

function toVerdict(
  key: LimitedKey,
  outcome: LimitsVerdict['outcome'],
  minute: MinuteWindow,
  budget: Budget,
  now: number,
): LimitsVerdict {
  const unspent = key.tokensPerDay - budget.used;
  const state: LimitsState = {
    requestsLeft: key.requestsPerMinute - minute.count(now),
    requestsResetMs: minute.untilBelow(1, now),
    tokensLeft: unspent - budget.held,
    tokensResetMs: untilNextDay(now),
  };
  if (outcome === 'spent') return { ...state, outcome, unspent };
  if (outcome !== 'too-many') return { ...state, outcome };
  return { ...state, outcome, waitMs: minute.untilBelow(key.requestsPerMinute, now) };
}

function reserve(budget: Budget, held: number, headers: readonly string[]): Reservation {
  let isOver = false;
  const end = (tokens: number): void => {
    if (isOver) return;
    isOver = true;
    budget.held -= held;
    budget.used += tokens;
  };
  return { headers, settle: (tokens) => end(toTokens(tokens)), release: () => end(0) };
}
