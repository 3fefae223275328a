import type { UsageRow } from './usage-record.ts';

/** Of the requests that have ended, by what the three tables of sums have in common. */
export type Sums = Readonly<{
  requests: number;
  errors: number;
  tokens_in: number;
  tokens_out: number;
  tokens_cached: number;
  tokens_cache_written: number;
  cost_nano_usd: number;
  priced: number;
  first_byte_ms: number;
  first_bytes: number;
  rest_ms: number;
  rest_tokens_out: number;
  rests: number;
}>;

/** The share of a request that has ended. */
export function toSums(row: UsageRow, sign: 1 | -1): Sums {
  const { first_byte_ms: firstByteMs, cost_nano_usd: cost } = row;
  const hasFirstByte = firstByteMs !== null;
  // A complete reply comes at once: only streams have a rest.
  const hasRest = hasFirstByte && row.is_streamed === 1;
  return {
    requests: sign,
    errors: row.status >= 400 ? sign : 0,
    tokens_in: sign * row.tokens_in,
    tokens_out: sign * row.tokens_out,
    tokens_cached: sign * row.tokens_cached,
    tokens_cache_written: sign * row.tokens_cache_written,
    cost_nano_usd: sign * (cost ?? 0),
    priced: cost === null ? 0 : sign,
    first_byte_ms: sign * (firstByteMs ?? 0),
    first_bytes: hasFirstByte ? sign : 0,
    rest_ms: hasRest ? sign * Math.max(0, row.duration_ms - firstByteMs) : 0,
    rest_tokens_out: hasRest ? sign * row.tokens_out : 0,
    rests: hasRest ? sign : 0,
  };
}

/** Adds a row to those of its name. */
export function addSums<T extends Sums>(all: Map<string, T>, name: string, row: T): void {
  const before = all.get(name);
  all.set(name, before === undefined ? row : { ...row, ...toTotal(before, row) });
}

function toTotal(one: Sums, other: Sums): Sums {
  return {
    requests: add(one.requests, other.requests),
    errors: add(one.errors, other.errors),
    tokens_in: add(one.tokens_in, other.tokens_in),
    tokens_out: add(one.tokens_out, other.tokens_out),
    tokens_cached: add(one.tokens_cached, other.tokens_cached),
    tokens_cache_written: add(one.tokens_cache_written, other.tokens_cache_written),
    cost_nano_usd: add(one.cost_nano_usd, other.cost_nano_usd),
    priced: add(one.priced, other.priced),
    first_byte_ms: add(one.first_byte_ms, other.first_byte_ms),
    first_bytes: add(one.first_bytes, other.first_bytes),
    rest_ms: add(one.rest_ms, other.rest_ms),
    rest_tokens_out: add(one.rest_tokens_out, other.rest_tokens_out),
    rests: add(one.rests, other.rests),
  };
}

/** Sums end at the highest whole number that a JavaScript number holds exactly. */
export function add(one: number, other: number): number {
  return Math.max(-Number.MAX_SAFE_INTEGER, Math.min(one + other, Number.MAX_SAFE_INTEGER));
}

/** @throws RangeError for an amount that no sum may contain */
export function requireWhole(amounts: readonly number[]): void {
  if (amounts.every(Number.isSafeInteger)) return;
  throw new RangeError('A usage record has amounts that are no whole numbers.');
}
