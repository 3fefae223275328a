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

function toTotal(a: Sums, b: Sums): Sums {
  return {
    requests: add(a.requests, b.requests),
    errors: add(a.errors, b.errors),
    tokens_in: add(a.tokens_in, b.tokens_in),
    tokens_out: add(a.tokens_out, b.tokens_out),
    tokens_cached: add(a.tokens_cached, b.tokens_cached),
    tokens_cache_written: add(a.tokens_cache_written, b.tokens_cache_written),
    cost_nano_usd: add(a.cost_nano_usd, b.cost_nano_usd),
    priced: add(a.priced, b.priced),
    first_byte_ms: add(a.first_byte_ms, b.first_byte_ms),
    first_bytes: add(a.first_bytes, b.first_bytes),
    rest_ms: add(a.rest_ms, b.rest_ms),
    rest_tokens_out: add(a.rest_tokens_out, b.rest_tokens_out),
    rests: add(a.rests, b.rests),
  };
}

/** Sums end at the highest whole number that a JavaScript number holds exactly. */
export function add(a: number, b: number): number {
  return Math.max(-Number.MAX_SAFE_INTEGER, Math.min(a + b, Number.MAX_SAFE_INTEGER));
}

/** @throws RangeError for an amount that no sum may contain */
export function requireWhole(amounts: readonly number[]): void {
  if (amounts.every(Number.isSafeInteger)) return;
  throw new RangeError('A usage record has amounts that are no whole numbers.');
}
