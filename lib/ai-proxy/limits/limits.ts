import type { HeaderFields } from '#lib/http/response.ts';
import type { ApiKey } from '../keys/api-key.ts';
import { ProxyError } from '../proxy-error.ts';

export type LimitedKey = Pick<ApiKey, 'id' | 'requestsPerMinute' | 'tokensPerDay'>;

/** The most tokens that a request may cost, prompt and reply together. */
export type LimitsDemand = Readonly<{ tokens: number }>;

/** One request of the minute and tokens of the day, reserved until the request ends. */
export type Reservation = Readonly<{
  /** The `x-ratelimit-*` headers. */
  headers: HeaderFields;
  /**
   * The request cost this many tokens, in and out together: the number in its usage record. It may be more
   * than was reserved. Only the first call of `settle` or `release` counts.
   */
  settle: (tokens: number) => void;
  /** The request failed and cost nothing: frees its tokens. It still counts as a request of the minute. */
  release: () => void;
}>;

export type Limits = Readonly<{
  /**
   * Checks and reserves in one step, so that concurrent requests never spend a budget twice.
   * @throws ProxyError 429: `rate_limit_exceeded`, or `insufficient_quota` once the day's tokens are spent.
   */
  reserve: (key: LimitedKey, demand: LimitsDemand) => Promise<Reservation>;
  /** Waits for settlements in progress. */
  close: () => Promise<void>;
}>;

/** Tokens that a key has used on a day (`YYYY-MM-DD`, UTC), by the usage in storage. */
export type LoadTokensUsed = (keyId: string, day: string) => Promise<number>;

/** The state of a key's limits, for headers and errors. Times are ms from now. */
export type LimitsState = Readonly<{
  requestsLeft: number;
  /** Until the minute is empty, without further requests. */
  requestsResetMs: number;
  /** Neither used nor reserved. */
  tokensLeft: number;
  /** Until the day ends. */
  tokensResetMs: number;
}>;

export type LimitsDecision =
  | (LimitsState & Readonly<{ outcome: 'granted' }>)
  /** Too many requests in the last minute; `waitMs` until one more fits. */
  | (LimitsState & Readonly<{ outcome: 'too-many'; waitMs: number }>)
  /** Running requests have reserved the tokens that it needs. */
  | (LimitsState & Readonly<{ outcome: 'reserved' }>)
  /** The day has too few tokens left, even if running requests cost nothing. */
  | (LimitsState & Readonly<{ outcome: 'spent'; unspent: number }>);

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

/**
 * Loads what a key has used on a day. @throws ProxyError 503 if it cannot be loaded: an unknown
 * budget is not spent.
 */
export async function requireTokensUsed(
  load: LoadTokensUsed,
  keyId: string,
  day: string,
): Promise<number> {
  try {
    return await load(keyId, day);
  } catch (cause) {
    throw new ProxyError(503, {
      type: 'server_error',
      code: 'server_is_overloaded',
      message:
        'The token budget of this API key cannot be read at the moment. Try again in a few seconds.',
      headers: { 'Retry-After': '2' },
      reason: 'usage_unreadable',
      cause,
    });
  }
}
