import type { UsageRow } from '#lib/spend/ledger/usage-record.ts';
import type { CsvColumns } from '../files/csv-file.ts';

/** Where the documentation says what to do about an error. */
export function toErrorPath(code: string): string {
  return `/docs/errors#${code}`;
}

/** A request, and the name of its key. */
export type NamedRequest = Readonly<{ row: UsageRow; keyName: string }>;

/**
 * What files have of a request: all of its record, but for the upstream, which is the operator’s business. Cached tokens
 * are parts of `tokens_in`.
 */
export const requestColumns: CsvColumns<NamedRequest> = {
  at: ({ row }) => new Date(row.at).toISOString(),
  key: ({ keyName }) => keyName,
  model: ({ row }) => row.model,
  endpoint: ({ row }) => row.endpoint,
  request_id: ({ row }) => row.request_id,
  reply_id: ({ row }) => row.reply_id,
  session: ({ row }) => row.session,
  streamed: ({ row }) => row.is_streamed === 1,
  status: ({ row }) => row.status,
  error_code: ({ row }) => row.error_code,
  tokens_in: ({ row }) => row.tokens_in,
  tokens_out: ({ row }) => row.tokens_out,
  tokens_cached: ({ row }) => row.tokens_cached,
  tokens_cache_written: ({ row }) => row.tokens_cache_written,
  tokens_estimated: ({ row }) => row.is_estimated === 1,
  cost_usd: ({ row }) => (row.cost_nano_usd === null ? null : row.cost_nano_usd / 1e9),
  cost_source: ({ row }) => row.cost_source,
  first_byte_ms: ({ row }) => row.first_byte_ms,
  duration_ms: ({ row }) => row.duration_ms,
  group: ({ row }) => row.group_name,
  reached_limit: ({ row }) => row.reached_limit,
  documentation: ({ row }) => row.error_code && toErrorPath(row.error_code),
};
