import type { HeaderFields } from '#lib/http/response.ts';
import { ProxyError } from '../proxy-error.ts';
import type { LimitedKey, RequestsDecision, TokensDecision, TokensState } from './limits.ts';

/** The rate limit headers of OpenAI's API. A reset is a duration: `6m0s`. */
export function toRequestHeaders(key: LimitedKey, state: RequestsDecision): HeaderFields {
  return [
    ['x-ratelimit-limit-requests', String(key.requestsPerMinute)],
    ['x-ratelimit-remaining-requests', String(Math.max(0, state.left))],
    ['x-ratelimit-reset-requests', toDuration(state.resetMs)],
  ];
}

export function toTokenHeaders(key: LimitedKey, state: TokensState): HeaderFields {
  return [
    ['x-ratelimit-limit-tokens', String(key.tokensPerDay)],
    ['x-ratelimit-remaining-tokens', String(Math.max(0, state.left))],
    ['x-ratelimit-reset-tokens', toDuration(state.resetMs)],
  ];
}

/** `20ms`, `59s`, `6m0s`, `23h59m0s`: ms below a second, else whole seconds, rounded up. */
export function toDuration(ms: number): string {
  if (ms <= 999) return `${Math.max(0, Math.ceil(ms))}ms`;
  const seconds = Math.ceil(ms / 1_000);
  const [h, m, s] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  if (h > 0) return `${h}h${m}m${s}s`;
  return m > 0 ? `${m}m${s}s` : `${s}s`;
}

/** @throws ProxyError 429 if the minute has no request left. */
export function requireRequest(key: LimitedKey, decision: RequestsDecision): void {
  if (decision.isGranted) return;
  // More than a minute only where the clock was set back. SDKs retry at once if it is longer.
  const seconds = Math.min(60, toRetrySeconds(decision.waitMs));
  throw toRateLimited(
    `This key may send ${key.requestsPerMinute} requests a minute. Try again in ${seconds} s.`,
    {
      ...Object.fromEntries(toRequestHeaders(key, decision)),
      'Retry-After': String(seconds),
    },
    'requests_per_minute',
  );
}

/** Returns the tokens to reserve. @throws ProxyError 429 if too few are left. */
export function requireTokens(
  key: LimitedKey,
  { tokensMin }: Readonly<{ tokensMin: number }>,
  decision: TokensDecision,
): number {
  if (decision.outcome === 'granted') return decision.tokens;
  const headers = Object.fromEntries(toTokenHeaders(key, decision));
  if (decision.outcome === 'reserved') {
    throw toRateLimited(
      'Running requests have reserved the remaining tokens of the day. Try again when they are done, or request a shorter reply.',
      { ...headers, 'Retry-After': '1' },
      'tokens_reserved',
    );
  }
  throw toSpent(key, tokensMin, decision, headers);
}

function toSpent(
  key: LimitedKey,
  tokensMin: number,
  { unspent, resetMs }: Readonly<{ unspent: number; resetMs: number }>,
  headers: Readonly<Record<string, string>>,
): ProxyError {
  const day = `This key may use ${key.tokensPerDay} tokens a day`;
  const wait = `Wait until midnight UTC (${toDuration(resetMs)})`;
  return new ProxyError(429, {
    type: 'insufficient_quota',
    code: 'insufficient_quota',
    message:
      unspent > 0
        ? `${day}. This request needs at least ${tokensMin}, and ${unspent} are left. ${wait}, or shorten the prompt.`
        : `${day}, and they are used up. ${wait}, or ask for a larger budget.`,
    // SDKs retry a 429 on their own, which would not help here.
    headers: {
      ...headers,
      'Retry-After': String(toRetrySeconds(resetMs)),
      'x-should-retry': 'false',
    },
    reason: 'tokens_per_day',
  });
}

function toRateLimited(
  message: string,
  headers: Readonly<Record<string, string>>,
  reason: string,
): ProxyError {
  return new ProxyError(429, {
    type: 'rate_limit_error',
    code: 'rate_limit_exceeded',
    message,
    headers,
    reason,
  });
}

function toRetrySeconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1_000));
}
