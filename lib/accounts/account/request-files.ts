import { Readable } from 'node:stream';
import type { UsageRow } from '#lib/spend/ledger/usage-record.ts';
import { type CsvCell, csvType, toCsvLine } from '../csv-line.ts';
import { toFile } from './usage-files.ts';

type ToValue = (row: UsageRow, keyName: string) => CsvCell | boolean;
type Columns = Readonly<Record<string, ToValue>>;

/** What files have of a request: all of its record, but for the upstream, which is the operator’s business. */
const columns: Columns = {
  at: (row) => new Date(row.at).toISOString(),
  key: (_, keyName) => keyName,
  model: (row) => row.model,
  endpoint: (row) => row.endpoint,
  request_id: (row) => row.request_id,
  reply_id: (row) => row.reply_id,
  session: (row) => row.session,
  streamed: (row) => row.is_streamed === 1,
  status: (row) => row.status,
  error_code: (row) => row.error_code,
  tokens_in: (row) => row.tokens_in,
  tokens_out: (row) => row.tokens_out,
  tokens_cached: (row) => row.tokens_cached,
  tokens_cache_written: (row) => row.tokens_cache_written,
  tokens_estimated: (row) => row.is_estimated === 1,
  cost_usd: (row) => (row.cost_nano_usd === null ? null : row.cost_nano_usd / 1e9),
  cost_source: (row) => row.cost_source,
  first_byte_ms: (row) => row.first_byte_ms,
  duration_ms: (row) => row.duration_ms,
  group: (row) => row.group_name,
};

/** As an object of JSON. */
export function toRequestFields(row: UsageRow, keyName: string): object {
  return Object.fromEntries(
    Object.entries(columns).map(([name, toValue]) => [name, toValue(row, keyName)]),
  );
}

type Requests = AsyncIterable<readonly UsageRow[]>;

/** Requests as CSV, which is sent while they are read. Cached tokens are parts of `tokens_in`. */
export async function respondWithRequestsCsv(
  requests: Requests,
  toKeyName: (keyId: string) => string,
  more: Columns = {},
): Promise<Response> {
  const all = { ...columns, ...more };
  const pages = requests[Symbol.asyncIterator]();
  // Before the response begins: a database that is away is an error.
  const first = await pages.next();
  async function* write() {
    yield toCsvLine(Object.keys(all));
    for (let page = first; !page.done; page = await pages.next()) {
      yield page.value.map((row) => toLine(all, row, toKeyName(row.key_id))).join('');
    }
  }
  return toFile(Readable.from(write()), csvType, 'requests.csv');
}

function toLine(all: Columns, row: UsageRow, keyName: string): string {
  const values = Object.values(all).map((toValue) => toValue(row, keyName));
  return toCsvLine(values.map((value) => (typeof value === 'boolean' ? String(value) : value)));
}
