import type { ApiKey } from '../keys/api-key.ts';

export type LimitedKey = Pick<ApiKey, 'id' | 'requestsPerMinute' | 'tokensPerDay'>;

/** What a request wants: tokens that it may cost at most, prompt and reply together. */
export type LimitsDemand = Readonly<{ tokens: number }>;

/** A place in the minute and tokens of the day, held until the request is over. */
export type Reservation = Readonly<{
  /** The `x-ratelimit-*` headers, names and values in turn. */
  headers: readonly string[];
  /**
   * The request is over and cost so many tokens, in and out together, more or fewer than were held: the
   * same number that its usage record holds. Of several endings, the first counts.
   */
  settle: (tokens: number) => void;
  /** The request failed and cost nothing: its tokens are free again; its place in the minute is not. */
  release: () => void;
}>;

export type Limits = Readonly<{
  /**
   * Lets a request in, or throws. The check and the reservation are one step: requests at the same time
   * never spend a budget twice.
   * @throws ProxyError 429: `rate_limit_exceeded`, or `insufficient_quota` once the day's tokens are spent.
   */
  begin: (key: LimitedKey, demand: LimitsDemand) => Promise<Reservation>;
  /** Waits for endings that are on their way. */
  close: () => Promise<void>;
}>;

/** Tokens that a key has used on a day (`YYYY-MM-DD`, UTC) as far as it is written down. */
export type LoadTokensUsed = (keyId: string, day: string) => Promise<number>;

/** Where a key stands: what headers and refusals are made of. Times are ms from now. */
export type LimitsState = Readonly<{
  requestsLeft: number;
  /** Until the minute is empty again, if nothing more comes. */
  requestsResetMs: number;
  /** Neither used nor held. */
  tokensLeft: number;
  /** Until the day ends. */
  tokensResetMs: number;
}>;

export type LimitsVerdict =
  | (LimitsState & Readonly<{ outcome: 'granted' }>)
  /** Too many requests in the last minute; after `waitMs` there is room for one. */
  | (LimitsState & Readonly<{ outcome: 'too-many'; waitMs: number }>)
  /** Requests under way hold what this one needs. */
  | (LimitsState & Readonly<{ outcome: 'held' }>)
  /** The day has too few tokens left for it, whatever becomes of those that are held. */
  | (LimitsState & Readonly<{ outcome: 'spent'; unspent: number }>);

const dayMs = 86_400_000;

/** ms until the day (UTC) ends. */
export function untilNextDay(now: number): number {
  return dayMs - (now % dayMs);
}

/** A number of tokens that budgets can be reckoned with. */
export function toTokens(tokens: number): number {
  if (Number.isNaN(tokens)) throw new RangeError('A number of tokens is not a number.');
  return Math.min(Math.max(0, Math.ceil(tokens)), 1e13);
}
