import type { PeriodName } from '#lib/config/budget.ts';
import type { HeaderFields } from '#lib/http/response.ts';
import type { AccountLimit } from '../budgets.ts';
import type { Rate } from '../prices.ts';

/** What bounds the requests of a key. */
export type LimitedKey = Readonly<{
  id: string;
  requestsPerMinute: number;
  limits: readonly AccountLimit[];
}>;

/** Both are charged to the same accounts. */
export type Amounts = Readonly<{ tokens: number; nanoUsd: number }>;

/** What a request needs. */
export type Demand = Readonly<{
  /** Tokens of the prompt, as estimated. */
  promptTokens: number;
  /** As the owner's requests have really needed for such an estimate, at least `promptTokens`. */
  promptTokensExpected: number;
  /** Of all replies together: the fewest that are of use. */
  outputTokensMin: number;
  /** Of all replies together: the most that are reserved at first. */
  outputTokensMax: number;
  /** In billionths of a dollar, which need not be whole; all 0 where no price applies. */
  price: Rate;
}>;

/** Tokens and dollars of all accounts, reserved until the request ends. */
export type Reservation = Readonly<{
  /** The `x-ratelimit-*-tokens` headers, and a warning where little is left of a budget. */
  headers: HeaderFields;
  /** Reserved at first. Less than expected only where nothing else of the budget was running. */
  promptTokens: number;
  /** Reserved at first. */
  outputTokens: number;
  /** How many more would have fitted then; `Infinity` without any budget. */
  outputTokensLeft: number;
  /** Reserved at first. */
  nanoUsd: number;
  /** Reserves up to this many more tokens of the reply, if they are left; returns how many. */
  extend: (outputTokens: number) => Promise<number>;
  /**
   * What the request has used, as in its usage record. It may be more than was reserved. Only the first call
   * of `settle` or `release` counts.
   */
  settle: (used: Amounts) => void;
  /** The request cost nothing: frees what is reserved. */
  release: () => void;
}>;

export type Limits = Readonly<{
  /**
   * Counts a request of the minute, whatever its outcome, and returns the `x-ratelimit-*-requests` headers. @throws
   * HttpError 429 `rate_limit_exceeded` for a request that is not counted.
   */
  countRequest: (key: LimitedKey) => Promise<HeaderFields>;
  /**
   * Checks all limits and reserves in one step, so that concurrent requests never spend a budget twice.
   * @throws HttpError 402 `insufficient_quota` once too little is left, 429 `rate_limit_exceeded` while other requests
   * have reserved it.
   */
  reserve: (key: LimitedKey, demand: Demand) => Promise<Reservation>;
  /** What is used and reserved of each limit, in their order. */
  read: (key: LimitedKey) => Promise<readonly AccountUse[]>;
  /** Waits for settlements in progress. */
  close: () => Promise<void>;
}>;

/** What an account has used in a period, and what its running requests have reserved. */
export type AccountUse = Amounts & Readonly<{ reservedTokens: number; reservedNanoUsd: number }>;

/** What accounts have used in a period, by the balances in storage. */
export type LoadUsed = (periods: readonly AccountPeriod[]) => Promise<readonly Amounts[]>;
/** The period of an account that a day (UTC) is in. */
export type AccountPeriod = Readonly<{ account: string; period: PeriodName; day: string }>;

/** The requests of a key in the last minute. Times are ms from now. */
export type RequestsDecision = Readonly<{
  isGranted: boolean;
  left: number;
  /** Until the minute is empty, without further requests. */
  resetMs: number;
  /** Until one more fits. */
  waitMs: number;
}>;

/** The outcome of a demand. */
export type Decision = Granted | Rejected;

export type Granted = Readonly<{
  outcome: 'granted';
  promptTokens: number;
  outputTokens: number;
  /** How many more would fit. */
  outputTokensLeft: number;
}>;

export type Rejected = Readonly<{
  /** `spent`: too little is unused. `reserved`: running requests have reserved what is unused. */
  outcome: 'spent' | 'reserved';
  limit: AccountLimit;
  unit: 'tokens' | 'nanoUsd';
  unspent: number;
  /** What the request needs at least. */
  needed: number;
}>;

/** What a request is charged to: its limits, each with the period in which the request began. */
export type Charge = Readonly<{
  id: string;
  limits: readonly AccountLimit[];
  periods: readonly AccountPeriod[];
}>;

/** Counts requests, and what accounts have used and reserved: in this process, or in Redis. */
export type Counters = Readonly<{
  countRequest: (key: LimitedKey) => Promise<RequestsDecision>;
  read: (charge: Charge) => Promise<readonly AccountUse[]>;
  /**
   * Decides and reserves in one step. A charge that has a reservation gets a larger one.
   * @returns `uses` as before it
   */
  reserve: (
    charge: Charge,
    demand: Demand,
  ) => Promise<Readonly<{ decision: Decision; uses: readonly AccountUse[] }>>;
  /** Frees what the charge has reserved, and counts what it has used. */
  settle: (charge: Charge, used: Amounts) => Promise<void>;
  /** Stops timers. */
  close: () => void;
}>;
