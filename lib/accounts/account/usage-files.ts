import { createResponse, type ResponseBody } from '#lib/http/response.ts';
import { csvType, toCsvLine } from '../csv-line.ts';
import { isPlaygroundKeyId } from './playground-key.ts';
import type { UsageData } from './usage-data.ts';

const csvHeader = [
  'day',
  'model',
  'key',
  'requests',
  'tokens_in',
  'tokens_out',
  'cost_usd',
  'tokens_cached',
  'tokens_cache_written',
];

/** Usage as CSV (RFC 4180). Cached tokens are parts of `tokens_in`. */
export function respondWithUsageCsv(data: UsageData): Response {
  const names = toKeyNames(data);
  const rows = data.usage.map((sum) => [
    sum.period,
    sum.model,
    toKeyName(names, sum.keyId),
    sum.requests,
    sum.tokensIn,
    sum.tokensOut,
    sum.costUsd,
    sum.cachedTokens,
    sum.cacheWriteTokens,
  ]);
  const text = [csvHeader, ...rows].map(toCsvLine).join('');
  return toFile(text, csvType, 'usage.csv');
}

export function respondWithUsageJson(data: UsageData): Response {
  const text = `${JSON.stringify(toUsageJson(data), null, 2)}\n`;
  return toFile(text, 'application/json; charset=utf-8', 'usage.json');
}

function toUsageJson(data: UsageData) {
  const names = toKeyNames(data);
  return {
    from: data.span.periods[0],
    to: data.span.periods.at(-1),
    usage: data.usage.map((sum) => ({
      day: sum.period,
      model: sum.model,
      key: toKeyName(names, sum.keyId),
      requests: sum.requests,
      tokens_in: sum.tokensIn,
      tokens_out: sum.tokensOut,
      tokens_cached: sum.cachedTokens,
      tokens_cache_written: sum.cacheWriteTokens,
      cost_usd: sum.costUsd,
    })),
  };
}

export function toKeyName(names: ReadonlyMap<string, string>, keyId: string): string {
  return names.get(keyId) ?? (isPlaygroundKeyId(keyId) ? 'Playground' : keyId);
}

export function toKeyNames({ keys }: Pick<UsageData, 'keys'>): ReadonlyMap<string, string> {
  return new Map(keys.map(({ id, name }) => [id, name]));
}

/** The same for pages, on which several may have one name. */
export function toKeyTitles(keys: UsageData['keys']): ReadonlyMap<string, string> {
  return new Map(
    keys.map(({ id, name, revokedAt }) => [id, revokedAt === null ? name : `${name} (revoked)`]),
  );
}

/** A file that the browser saves. */
export function toFile(body: ResponseBody, type: string, name: string): Response {
  return createResponse({
    status: 200,
    headers: [
      ['Content-Type', type],
      ['Content-Disposition', `attachment; filename="${name}"`],
      ['Cache-Control', 'private, no-store'],
    ],
    body,
  });
}
