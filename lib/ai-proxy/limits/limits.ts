import type { HeaderFields } from '#lib/http/response.ts';
import type { ApiKey } from '../keys/api-key.ts';
import { waitForDatabase } from '../wait-for-database.ts';

export type LimitedKey = Pick<ApiKey, 'id' | 'requestsPerMinute' | 'tokensPerDay'>;

/** Tokens that a request asks for, prompt and reply together. */
export type LimitsDemand = Readonly<{
  /** The most that are reserved. */
  tokens: number;
  /** The fewest that are of use; by default all of them. */
  tokensMin?: number;
}>;

/** Tokens of the day, reserved until the request ends. */
export type Reservation = Readonly<{
  /** The `x-ratelimit-*-tokens` headers. */
  headers: HeaderFields;
  /** How many were reserved at first. */
  tokens: number;
  /** How many were left then, neither used nor reserved. */
  tokensLeft: number;
  /** Reserves up to so many more, as far as there are any; returns their number. */
  extend: (tokens: number) => Promise<number>;
  /**
   * The request cost this many tokens, in and out together: the number in its usage record. It may be more
   * than was reserved. Only the first call of `settle` or `release` counts.
   */
  settle: (tokens: number) => void;
  /** The request cost nothing: frees its tokens. */
  release: () => void;
}>;

export type Limits = Readonly<{
  /**
   * Counts a request of the minute, whatever becomes of it, and returns the `x-ratelimit-*-requests`
   * headers. @throws ProxyError 429 `rate_limit_exceeded`; that one is not counted.
   */
  countRequest: (key: LimitedKey) => Promise<HeaderFields>;
  /**
   * Checks and reserves in one step, so that concurrent requests never spend a budget twice.
   * @throws ProxyError 429: `rate_limit_exceeded` while others have reserved the tokens,
   * `insufficient_quota` once they are spent.
   */
  reserve: (key: LimitedKey, demand: LimitsDemand) => Promise<Reservation>;
  /** Waits for settlements in progress. */
  close: () => Promise<void>;
}>;

/** Tokens that a key has used on a day (`YYYY-MM-DD`, UTC), by the usage in storage. */
export type LoadTokensUsed = (keyId: string, day: string) => Promise<number>;

/** The requests of a key in the last minute. Times are ms from now. */
export type RequestsDecision = Readonly<{
  isGranted: boolean;
  left: number;
  /** Until the minute is empty, without further requests. */
  resetMs: number;
  /** Until one more fits. */
  waitMs: number;
}>;

/** The tokens of a key on this day. Times are ms from now. */
export type TokensState = Readonly<{
  /** Neither used nor reserved. */
  left: number;
  /** Until the day ends. */
  resetMs: number;
}>;

export type TokensDecision =
  | (TokensState & Readonly<{ outcome: 'granted'; tokens: number }>)
  /** Running requests have reserved the tokens that it needs. */
  | (TokensState & Readonly<{ outcome: 'reserved' }>)
  /** The day has too few tokens left, even if running requests cost nothing. */
  | (TokensState & Readonly<{ outcome: 'spent'; unspent: number }>);

const dayMs = 86_400_000;

/** ms until the day (UTC) ends. */
export function untilNextDay(now: number): number {
  return dayMs - (now % dayMs);
}

/** Rounds up, within bounds that add up safely. @throws RangeError for NaN */
export function toTokens(tokens: number): number {
  if (Number.isNaN(tokens)) throw new RangeError('A number of tokens is not a number.');
  return Math.min(Math.max(0, Math.ceil(tokens)), 1e13);
}

/** A demand in whole tokens. */
export function toWholeDemand({ tokens, tokensMin = tokens }: LimitsDemand) {
  return { tokens: toTokens(tokens), tokensMin: toTokens(Math.min(tokensMin, tokens)) };
}

/**
 * Loads what a key has used on a day. @throws ProxyError 503 if it cannot be loaded: an unknown
 * budget is not spent.
 */
export function requireTokensUsed(
  load: LoadTokensUsed,
  keyId: string,
  day: string,
): Promise<number> {
  return waitForDatabase(load(keyId, day), {
    message: 'The token budget of this API key cannot be read',
    reason: 'usage_unreadable',
  });
}
