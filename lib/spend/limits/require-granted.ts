import { formatNanoUsd } from '#lib/config/budget.ts';
import { HttpError } from '#lib/http/errors/errors.ts';
import type { HeaderFields } from '#lib/http/response.ts';
import type { AccountLimit } from '../budgets/accounts.ts';
import { toPeriodEnd } from '../budgets/periods.ts';
import type { Decision, Rejected } from './decide.ts';
import {
  type AccountUse,
  isOwn,
  type LimitedKey,
  ownerNames,
  type RequestsDecision,
} from './limits.ts';

/** The rate limit headers of OpenAI's API. A reset is a duration: `6m0s`. */
export function toRequestHeaders(key: LimitedKey, state: RequestsDecision): HeaderFields {
  return [
    ['x-ratelimit-limit-requests', String(key.requestsPerMinute)],
    ['x-ratelimit-remaining-requests', String(Math.max(0, state.left))],
    ['x-ratelimit-reset-requests', toDuration(state.resetMs)],
  ];
}

/** Of the tightest limit of tokens among those whose numbers the client may see. */
function toTokenHeaders(
  limits: readonly AccountLimit[],
  uses: readonly AccountUse[],
  now: number,
): HeaderFields {
  let tightest: AccountLimit | null = null;
  let left = Number.POSITIVE_INFINITY;
  for (let index = 0; index < limits.length; index += 1) {
    const [limit, use] = [limits[index], uses[index]];
    if (limit === undefined || use === undefined || limit.tokens === null || !isOwn(limit))
      continue;
    const leftOfIt = limit.tokens - use.tokens - use.reservedTokens;
    if (leftOfIt >= left) continue;
    left = leftOfIt;
    tightest = limit;
  }
  if (tightest === null) return [];
  return [
    ['x-ratelimit-limit-tokens', String(tightest.tokens)],
    ['x-ratelimit-remaining-tokens', String(Math.max(0, left))],
    ['x-ratelimit-reset-tokens', toDuration(toPeriodEnd(now, tightest.period) - now)],
  ];
}

/** The share of a budget from which on there is a warning. */
export const warningShare = 0.8;

/** @param uses after the reservation */
export function toReservationHeaders(
  limits: readonly AccountLimit[],
  uses: readonly AccountUse[],
  now: number,
): HeaderFields {
  const headers = toTokenHeaders(limits, uses, now);
  let warned: AccountLimit | null = null;
  let share = warningShare;
  for (let index = 0; index < limits.length; index += 1) {
    const [limit, use] = [limits[index], uses[index]];
    if (limit === undefined || use === undefined) continue;
    const own = toShare(limit, use);
    if (own < share) continue;
    share = own;
    warned = limit;
  }
  if (warned === null) return headers;
  return [...headers, ['x-marquee-budget-warning', toWarning(warned, now)]];
}

/** How much of a limit is used: 1 is all of it. */
export function toShare(
  { tokens, nanoUsd }: AccountLimit,
  used: Pick<AccountUse, 'tokens' | 'nanoUsd'>,
): number {
  const ofTokens = tokens === null ? 0 : used.tokens / tokens;
  const ofDollars = nanoUsd === null ? 0 : used.nanoUsd / nanoUsd;
  return Math.max(ofTokens, ofDollars);
}

function toWarning({ owner, period }: AccountLimit, now: number): string {
  const end = toMoment(toPeriodEnd(now, period));
  return `${ownerNames[owner]} has used more than 80 % of its budget of the ${period}, which ends at ${end}.`;
}

/** `2026-03-11T00:00:00Z` */
function toMoment(timeMs: number): string {
  return new Date(timeMs).toISOString().replace('.000', '');
}

/** `20ms`, `59s`, `6m0s`, `23h59m0s`: ms below a second, else whole seconds, rounded up. */
export function toDuration(ms: number): string {
  if (ms <= 999) return `${Math.max(0, Math.ceil(ms))}ms`;
  const seconds = Math.ceil(ms / 1_000);
  const [h, m, s] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  if (h > 0) return `${h}h${m}m${s}s`;
  return m > 0 ? `${m}m${s}s` : `${s}s`;
}

/** @throws HttpError 429 if the minute has no request left. */
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

/** Returns what was granted. @throws HttpError 429 if too little is left. */
export function requireGranted(
  decision: Decision,
  limits: readonly AccountLimit[],
  uses: readonly AccountUse[],
  now: number,
): Extract<Decision, { outcome: 'granted' }> {
  if (decision.outcome === 'granted') return decision;
  const headers = Object.fromEntries(toTokenHeaders(limits, uses, now));
  if (decision.outcome === 'spent') throw toSpent(decision, headers, now);
  const { owner, period } = decision.limit;
  const what = decision.unit === 'tokens' ? 'tokens' : 'dollars';
  throw toRateLimited(
    `Running requests have reserved the remaining ${what} of the ${period}${toWhose(owner)}. Try again when they are done, or request a shorter reply.`,
    { ...headers, 'Retry-After': '1' },
    `${what}_reserved`,
  );
}

function toWhose(owner: AccountLimit['owner']): string {
  return { key: '', member: ' of your account', group: ' of your group', all: ' of this site' }[
    owner
  ];
}

function toSpent(
  rejected: Rejected,
  headers: Readonly<Record<string, string>>,
  now: number,
): HttpError {
  const { limit, unit } = rejected;
  const end = toPeriodEnd(now, limit.period);
  const wait = `Wait until ${toMoment(end)} (${toDuration(end - now)})`;
  return new HttpError(429, {
    code: 'insufficient_quota',
    message: `${isOwn(limit) ? toOwnSpent(rejected, wait) : toOthersSpent(rejected, wait)}`,
    // SDKs retry a 429 on their own, which would not help here.
    headers: {
      ...headers,
      'Retry-After': String(toRetrySeconds(end - now)),
      'x-should-retry': 'false',
    },
    reason: `${unit === 'tokens' ? 'tokens' : 'usd'}_per_${limit.period}`,
  });
}

function toOwnSpent({ limit, unit, unspent, needed }: Rejected, wait: string): string {
  const toText = (amount: number) => (unit === 'tokens' ? `${amount}` : formatNanoUsd(amount));
  const unitName = unit === 'tokens' ? 'tokens' : 'USD';
  const budget = `${ownerNames[limit.owner]} may use ${toText(limit[unit] ?? 0)} ${unitName} a ${limit.period}`;
  return unspent > 0
    ? `${budget}. This request needs at least ${toText(needed)}, and ${toText(unspent)} are left. ${wait}, or shorten the prompt.`
    : `${budget}, and they are used up. ${wait}, or ask for a larger budget.`;
}

/** Without numbers, which would reveal the usage of others. */
function toOthersSpent({ limit, unspent }: Rejected, wait: string): string {
  const budget = `budget of the ${limit.period}`;
  return unspent > 0
    ? `${ownerNames[limit.owner]} has too little left of its ${budget} for this request. ${wait}, or shorten the prompt.`
    : `${ownerNames[limit.owner]} has used up its ${budget}. ${wait}, or ask the operator for a larger one.`;
}

function toRateLimited(
  message: string,
  headers: Readonly<Record<string, string>>,
  reason: string,
): HttpError {
  return new HttpError(429, {
    code: 'rate_limit_exceeded',
    message,
    headers,
    reason,
  });
}

function toRetrySeconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1_000));
}
