import { createResponse } from '#lib/http/response.ts';
import type { LimitUse } from '#lib/spend/budgets.ts';
import { periods } from '#lib/spend/periods.ts';
import { toReservationHeaders } from '#lib/spend/rate-limits.ts';
import type { BalanceStore } from '#lib/spend/store/balance-store.ts';
import type { UsageSum, UsageSums } from '#lib/spend/store/usage-sums.ts';
import { sumTotals } from '#lib/spend/usage/usage-totals.ts';
import { toUtcDay } from '#lib/storage/days.ts';
import { waitForDatabase } from '#lib/storage/wait-for-database.ts';
import type { ApiKey } from './api-key.ts';
import { toBudgetFields, toDollarLimit, toTokensOfDay } from './key-budgets.ts';
import { type KeyRequestOptions, openKeyRequest } from './key-request.ts';

type KeyHandlerOptions = KeyRequestOptions &
  Readonly<{
    balances: Pick<BalanceStore, 'readUses'>;
    usage: Pick<UsageSums, 'sumByDayAndModel'>;
    now: () => number;
  }>;

const unavailable = {
  message: 'The usage of this API key cannot be read',
  reason: 'usage_unreadable',
};

/**
 * Responds to `GET /key` with the limits and the spend of the key that asks. It counts as a request of the
 * minute. @throws HttpError
 */
export function createKeyHandler(
  options: KeyHandlerOptions,
): (request: Request) => Promise<Response> {
  const { balances, usage, now } = options;

  async function readDays(keyId: string): Promise<readonly UsageSum[]> {
    return usage.sumByDayAndModel(keyId, firstDay);
  }

  return async (request) => {
    const { key, headers: requestHeaders } = await openKeyRequest(request, options);
    const [uses, days] = await waitForDatabase(
      Promise.all([balances.readUses(key.limits, toUtcDay(now())), readDays(key.id)]),
      unavailable,
    );
    const headers = toReservationHeaders(uses, now());
    const body = toKeyBody(key, { days, uses, now: now() });
    return createResponse({
      status: 200,
      headers: [
        ['Content-Type', 'application/json; charset=utf-8'],
        ['Cache-Control', 'no-store'],
        ...requestHeaders,
        ...headers,
      ],
      body: JSON.stringify(body),
    });
  };
}

const firstDay = '0000-01-01';

type KeyState = Readonly<{ days: readonly UsageSum[]; uses: readonly LimitUse[]; now: number }>;

/** OpenRouter's fields first. */
function toKeyBody(key: ApiKey, { days, uses, now }: KeyState): object {
  const today = toUtcDay(now);
  const spent = {
    daily: toSpend(days, today),
    weekly: toSpend(days, periods.week.toFirstDay(today)),
    monthly: toSpend(days, periods.month.toFirstDay(today)),
    total: toSpend(days, firstDay),
  };
  return {
    data: {
      label: key.name,
      ...toDollarLimit(uses),
      usage: spent.total.usd,
      usage_daily: spent.daily.usd,
      usage_weekly: spent.weekly.usd,
      usage_monthly: spent.monthly.usd,
      byok_usage: 0,
      byok_usage_daily: 0,
      byok_usage_weekly: 0,
      byok_usage_monthly: 0,
      include_byok_in_limit: false,
      is_free_tier: false,
      is_management_key: false,
      is_provisioning_key: false,
      creator_user_id: null,
      organization_id: null,
      workspace_id: null,
      allowed_data_regions: ['global'],
      free_model_daily_requests: toDailyRequests(key, spent.daily.requests),
      expires_at: key.expiresAt === null ? null : new Date(key.expiresAt).toISOString(),
      rate_limit: { requests: key.requestsPerMinute, interval: '1m', note: '' },
      name: key.name,
      models: key.models,
      tokens_per_day: { used: spent.daily.tokens, ...toTokensOfDay(uses, now) },
      budgets: toBudgetFields(uses, now),
      tokens: {
        daily: spent.daily.tokens,
        weekly: spent.weekly.tokens,
        monthly: spent.monthly.tokens,
        total: spent.total.tokens,
      },
      tokens_cached: {
        daily: spent.daily.cached,
        weekly: spent.weekly.cached,
        monthly: spent.monthly.cached,
        total: spent.total.cached,
      },
      tokens_cache_written: {
        daily: spent.daily.cacheWritten,
        weekly: spent.weekly.cacheWritten,
        monthly: spent.monthly.cacheWritten,
        total: spent.total.cacheWritten,
      },
    },
  };
}

const minutesPerDay = 1440;

/** The limit per minute, added up to a day: there is no daily limit of requests. */
function toDailyRequests({ requestsPerMinute }: ApiKey, used: number): object {
  const limit = requestsPerMinute * minutesPerDay;
  return { limit, used, remaining: Math.max(0, limit - used) };
}

type Spend = Readonly<Record<'requests' | 'tokens' | 'cached' | 'cacheWritten' | 'usd', number>>;

/** Requests, tokens, and the dollars of requests with known prices, from a day on. */
function toSpend(days: readonly UsageSum[], fromDay: string): Spend {
  const total = sumTotals(days.filter(({ day }) => day >= fromDay));
  return {
    requests: total.requests,
    tokens: total.tokensIn + total.tokensOut,
    cached: total.cachedTokens,
    cacheWritten: total.cacheWriteTokens,
    usd: total.costUsd ?? 0,
  };
}
