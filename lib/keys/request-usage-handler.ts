import { HttpError } from '#lib/http/errors/errors.ts';
import { createResponse } from '#lib/http/response.ts';
import { readSearchParameters, searchOf } from '#lib/http/search-parameters.ts';
import type { UsageRow } from '#lib/spend/ledger/usage-record.ts';
import type { UsageStore } from '#lib/spend/store/usage-store.ts';
import { waitForDatabase } from '#lib/storage/wait-for-database.ts';
import { type KeyRequestOptions, openKeyRequest } from './key-request.ts';

type RequestUsageOptions = KeyRequestOptions & Readonly<{ usage: Pick<UsageStore, 'findOfKey'> }>;

const unavailable = {
  message: 'The requests of this API key cannot be read',
  reason: 'usage_unreadable',
};
const idLengthMax = 200;

/**
 * Responds to `GET /generation` with what one request of the key that asks has used. It counts as a request of the
 * minute. @throws HttpError
 */
export function createRequestUsageHandler(
  options: RequestUsageOptions,
): (request: Request) => Promise<Response> {
  return async (request) => {
    const { key, headers } = await openKeyRequest(request, options);
    const id = readSearchParameters(searchOf(request.url)).get('id') ?? '';
    if (id === '' || id.length > idLengthMax) {
      throw new HttpError(400, {
        code: 'invalid_value',
        param: 'id',
        message: 'The parameter `id` is the id of a reply, or the `x-request-id` of its response.',
      });
    }
    const row = await waitForDatabase(options.usage.findOfKey(key.id, id), unavailable);
    if (row === null) {
      throw new HttpError(404, {
        code: 'not_found',
        param: 'id',
        message:
          'This API key has no request with that id, or it is not over: what it has used is stored a moment after its end.',
      });
    }
    return createResponse({
      status: 200,
      headers: [
        ['Content-Type', 'application/json; charset=utf-8'],
        ['Cache-Control', 'no-store'],
        ...headers,
      ],
      body: JSON.stringify({ data: toGeneration(row) }),
    });
  };
}

/** OpenRouter’s fields first. Which of the operator’s upstreams it was sent to is left out. */
function toGeneration(row: UsageRow): object {
  const cost = row.cost_nano_usd === null ? null : row.cost_nano_usd / 1e9;
  return {
    id: row.reply_id ?? row.request_id,
    request_id: row.request_id,
    created_at: new Date(row.at).toISOString(),
    model: row.model,
    api_type: row.endpoint,
    streamed: row.is_streamed === 1,
    cancelled: row.status === clientClosedStatus,
    latency: row.first_byte_ms,
    generation_time: row.duration_ms,
    tokens_prompt: row.tokens_in,
    tokens_completion: row.tokens_out,
    native_tokens_prompt: row.tokens_in,
    native_tokens_completion: row.tokens_out,
    native_tokens_cached: row.tokens_cached,
    total_cost: cost,
    usage: cost,
    is_byok: false,
    status: row.status,
    error_code: row.error_code,
    reached_limit: row.reached_limit,
    tokens_cache_written: row.tokens_cache_written,
    cost_source: row.cost_source,
    is_estimated: row.is_estimated === 1,
  };
}

const clientClosedStatus = 499;
