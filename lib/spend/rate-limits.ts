import { formatNanoUsd } from '#lib/config/budget.ts';
import { HttpError } from '#lib/http/errors/errors.ts';
import type { HeaderFields } from '#lib/http/response.ts';
import { isStorageError } from '#lib/storage/storage-error.ts';
import { toUnavailableError } from '#lib/storage/wait-for-database.ts';
import { type AccountLimit, type BudgetOwner, isOwn, type LimitUse } from './budgets.ts';
import type { Rejected } from './ledger/decide.ts';
import type { GrantedReservation, Reserved } from './ledger/entries.ts';
import type { Ledger } from './ledger/ledger.ts';
import type { CountedKey, CountedRequest } from './ledger/request-counts.ts';
import { toPeriodEnd } from './periods.ts';

/**
 * Counts a request of the minute, whatever becomes of it, and returns the `x-ratelimit-*-requests` headers.
 * @throws HttpError 429 if the minute has none left, 503 while the database is away
 */
export async function countRequest(
  ledger: Pick<Ledger, 'begin' | 'count'>,
  key: CountedKey,
): Promise<HeaderFields> {
  const request = ledger.begin(key);
  await ledger.count(request).catch(throwUnavailable);
  requireRequest(request);
  return toRequestHeaders(request);
}

/** @throws HttpError 503 if the database is away, else the error itself */
export function throwUnavailable(error: unknown): never {
  if (!isStorageError(error)) throw error;
  throw toUnavailableError(unavailable, error);
}

const unavailable = { message: 'Usage cannot be recorded', reason: 'usage_not_stored' };

/** The rate limit headers of OpenAI's API. A reset is a duration: `6m0s`. */
export function toRequestHeaders({ key, decision }: CountedRequest): HeaderFields {
  return [
    ['x-ratelimit-limit-requests', String(key.requestsPerMinute)],
    ['x-ratelimit-remaining-requests', String(decision.left)],
    ['x-ratelimit-reset-requests', toDuration(decision.resetMs)],
  ];
}

/** Of the tightest limit of tokens among those whose numbers the client may see. */
function toTokenHeaders(uses: readonly LimitUse[], now: number): HeaderFields {
  const tightest = findLowest(uses, ({ limit, tokens, reservedTokens }) =>
    limit.tokens === null || !isOwn(limit)
      ? Number.POSITIVE_INFINITY
      : limit.tokens - tokens - reservedTokens,
  );
  if (tightest === null) return [];
  const { limit, value } = tightest;
  return [
    ['x-ratelimit-limit-tokens', String(limit.tokens)],
    ['x-ratelimit-remaining-tokens', String(Math.max(0, value))],
    ['x-ratelimit-reset-tokens', toDuration(toPeriodEnd(now, limit.period) - now)],
  ];
}

/** The share of a budget from which on there is a warning. */
export const warningShare = 0.8;

/** @param uses after the reservation */
export function toReservationHeaders(uses: readonly LimitUse[], now: number): HeaderFields {
  const headers = toTokenHeaders(uses, now);
  const fullest = findLowest(uses, (use) => -toShare(use));
  if (fullest === null || -fullest.value < warningShare) return headers;
  const { owner, period } = fullest.limit;
  const warning = `${ownerNames[owner]} has used more than 80% of its budget of the ${period}, which ends at ${toMoment(toPeriodEnd(now, period))}.`;
  return [...headers, ['x-marquee-budget-warning', warning]];
}

type Lowest = Readonly<{ limit: AccountLimit; value: number }>;

/** The first limit with the lowest finite value. */
export function findLowest(
  uses: readonly LimitUse[],
  toValue: (use: LimitUse) => number,
): Lowest | null {
  let lowest: Lowest | null = null;
  for (const use of uses) {
    const value = toValue(use);
    if (value < (lowest?.value ?? Number.POSITIVE_INFINITY)) lowest = { limit: use.limit, value };
  }
  return lowest;
}

/** How much of a limit is used: 1 is all of it. */
export function toShare({
  limit,
  tokens,
  nanoUsd,
}: Pick<LimitUse, 'limit' | 'tokens' | 'nanoUsd'>): number {
  const ofTokens = limit.tokens === null ? 0 : tokens / limit.tokens;
  const ofDollars = limit.nanoUsd === null ? 0 : nanoUsd / limit.nanoUsd;
  return Math.max(ofTokens, ofDollars);
}

/** `2026-03-11T00:00:00Z` */
function toMoment(timeMs: number): string {
  return new Date(timeMs).toISOString().replace('.000', '');
}

/** `20ms`, `59s`, `6m0s`, `23h59m0s`: ms below a second, else whole seconds, rounded up. */
export function toDuration(ms: number): string {
  if (ms <= 999) return `${Math.max(0, Math.ceil(ms))}ms`;
  const seconds = Math.ceil(ms / 1_000);
  const hours = Math.floor(seconds / 3_600);
  const minutes = Math.floor(seconds / 60) % 60;
  const rest = `${seconds % 60}s`;
  if (hours > 0) return `${hours}h${minutes}m${rest}`;
  return minutes > 0 ? `${minutes}m${rest}` : rest;
}

/** @throws HttpError 429 if the minute has no request left. */
export function requireRequest(request: CountedRequest): void {
  if (!request.decision.isGranted) throw toTooManyRequests(request);
}

/** 429: the minute has no request left. */
export function toTooManyRequests(request: CountedRequest): HttpError {
  const { key, decision } = request;
  // More than a minute only where the clock was set back. SDKs retry at once if it is longer.
  const seconds = Math.min(60, Math.max(1, Math.ceil(decision.waitMs / 1_000)));
  return toRateLimited(
    `This key may send ${key.requestsPerMinute} requests a minute. Try again in ${seconds} s.`,
    {
      ...Object.fromEntries(toRequestHeaders(request)),
      'Retry-After': String(seconds),
    },
    'requests per minute of the key',
  );
}

/** @throws HttpError 402 if too little is left, 429 if others have reserved it. */
export function requireGranted(reserved: Reserved, now: number): GrantedReservation {
  if (reserved.record !== null) return reserved;
  const { decision, uses } = reserved;
  const headers = Object.fromEntries(toTokenHeaders(uses, now));
  if (decision.outcome === 'spent') throw toSpent(decision, headers, now);
  const { owner, period } = decision.limit;
  const what = decision.unit === 'tokens' ? 'tokens' : 'dollars';
  throw toRateLimited(
    `Running requests have reserved the remaining ${what} of the ${period}${whose[owner]}. Try again when they are done, or ask for a shorter reply.`,
    { ...headers, 'Retry-After': '1' },
    toLimitText(decision),
  );
}

const whose = {
  key: '',
  member: ' of your account',
  group: ' of your group',
  all: ' of this site',
};

/** As lists of requests name it: `tokens per day of the key`. */
function toLimitText({ limit: { owner, period }, unit }: Rejected): string {
  return `${unit === 'tokens' ? 'tokens' : 'dollars'} per ${period} of the ${limitOwners[owner]}`;
}

const limitOwners: Readonly<Record<BudgetOwner, string>> = {
  key: 'key',
  member: 'account',
  group: 'group',
  all: 'site',
};

/** 402, since clients retry a 429 or wait for hours without a word. */
function toSpent(
  rejected: Rejected,
  headers: Readonly<Record<string, string>>,
  now: number,
): HttpError {
  const { limit } = rejected;
  const end = toPeriodEnd(now, limit.period);
  const until = `${toMoment(end)} (in ${toDuration(end - now)})`;
  return new HttpError(402, {
    code: 'insufficient_quota',
    message: isOwn(limit) ? toOwnSpent(rejected, until) : toOthersSpent(rejected, until),
    resetsAt: toMoment(end),
    headers,
    limit: toLimitText(rejected),
  });
}

function toOwnSpent({ limit, unit, unspent, needed }: Rejected, until: string): string {
  const toText = (amount: number) =>
    unit === 'tokens' ? `${amount} tokens` : `${formatNanoUsd(amount)} USD`;
  const budget = `${toText(limit[unit] ?? 0)} a ${limit.period}`;
  const owner = ownerNames[limit.owner];
  return unspent > 0
    ? `${owner} may use ${budget}, and ${toText(unspent)} are left. This request needs at least ${toText(needed)}. Shorten the prompt, or wait until ${until}.`
    : `${owner} may use ${budget}, and they are used up. Wait until ${until}, or ask for a larger budget.`;
}

/** Without numbers, which would reveal the usage of others. */
function toOthersSpent({ limit, unspent }: Rejected, until: string): string {
  const budget = `its budget of the ${limit.period}`;
  const owner = ownerNames[limit.owner];
  return unspent > 0
    ? `${owner} has too little left of ${budget} for this request. Shorten the prompt, or wait until ${until}.`
    : `${owner} has used up ${budget}. Wait until ${until}, or ask the operator for a larger one.`;
}

function toRateLimited(
  message: string,
  headers: Readonly<Record<string, string>>,
  limit: string,
): HttpError {
  return new HttpError(429, { code: 'rate_limit_exceeded', message, headers, limit });
}

/** Whose budget it is, as texts name it. */
const ownerNames: Readonly<Record<BudgetOwner, string>> = {
  key: 'This key',
  member: 'Your account',
  group: 'Your group',
  all: 'This site',
};
