import type { HeaderFields } from '#lib/http/response.ts';
import { waitForDatabase } from '#lib/storage/wait-for-database.ts';
import type { AccountLimit, BudgetOwner } from '../budgets/accounts.ts';

/** What bounds the requests of a key. */
export type LimitedKey = Readonly<{
  id: string;
  requestsPerMinute: number;
  limits: readonly AccountLimit[];
}>;

/** Both are charged to the same accounts. */
export type Amounts = Readonly<{ tokens: number; nanoUsd: number }>;

/** What a request needs: tokens of prompt and reply together, and their price. */
export type LimitsDemand = Readonly<{
  /** The most that are reserved. */
  tokens: number;
  /** The fewest that are of use; by default all of them. */
  tokensMin?: number;
  /** Left out: they cost nothing. */
  price?: TokenPrice;
}>;

/** So many tokens cost `fixed + tokens × perToken`, in billionths of a dollar; neither need be whole. */
export type TokenPrice = Readonly<{ fixed: number; perToken: number }>;

/** Tokens and dollars of all accounts, reserved until the request ends. */
export type Reservation = Readonly<{
  /** The `x-ratelimit-*-tokens` headers, and a warning where little is left of a budget. */
  headers: HeaderFields;
  /** How many tokens were reserved at first. */
  tokens: number;
  /** How many more each of the budgets had then, neither used nor reserved. */
  tokensLeft: number;
  /** Reserves up to this many more tokens, if they are left; returns how many. */
  extend: (tokens: number) => Promise<number>;
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
   * @throws HttpError 429: `rate_limit_exceeded` while others have reserved what is left,
   * `insufficient_quota` once it is spent.
   */
  reserve: (key: LimitedKey, demand: LimitsDemand) => Promise<Reservation>;
  /** What is used and reserved of each limit, in their order. */
  read: (key: LimitedKey) => Promise<readonly AccountUse[]>;
  /** Waits for settlements in progress. */
  close: () => Promise<void>;
}>;

/** What an account has used in a period, and what its requests under way have reserved. */
export type AccountUse = Amounts & Readonly<{ reservedTokens: number; reservedNanoUsd: number }>;

/** What accounts have used in a period (a day or month, UTC), by the balances in storage. */
export type LoadUsed = (wanted: readonly AccountPeriod[]) => Promise<readonly Amounts[]>;
export type AccountPeriod = Readonly<{ account: string; period: string }>;

/** The requests of a key in the last minute. Times are ms from now. */
export type RequestsDecision = Readonly<{
  isGranted: boolean;
  left: number;
  /** Until the minute is empty, without further requests. */
  resetMs: number;
  /** Until one more fits. */
  waitMs: number;
}>;

/** Whose budget it is, as texts name it. */
export const ownerNames: Readonly<Record<BudgetOwner, string>> = {
  key: 'This key',
  member: 'Your account',
  group: 'Your group',
  all: 'This site',
};

/** Whether clients may see its numbers: those of a group or of the site reveal the usage of others. */
export function isOwn({ owner }: AccountLimit): boolean {
  return owner === 'key' || owner === 'member';
}

/** Rounds up, within bounds that add up safely. @throws RangeError for NaN */
export function toWhole(amount: number): number {
  if (Number.isNaN(amount)) throw new RangeError('An amount is not a number.');
  return Math.min(Math.max(0, Math.ceil(amount)), 1e13);
}

/**
 * Loads what accounts have used. @throws HttpError 503 if it cannot be loaded: an unknown budget is not
 * spent.
 */
export function requireUsed(
  load: LoadUsed,
  wanted: readonly AccountPeriod[],
): Promise<readonly Amounts[]> {
  return waitForDatabase(load(wanted), {
    message: 'The budget of this API key cannot be read',
    reason: 'usage_unreadable',
  });
}
