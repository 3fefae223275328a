import type { KeyUsageSum } from '#lib/spend/store/usage-sums.ts';
import { type CsvColumns, respondWithCsv } from '../files/csv-file.ts';
import { respondWithJson, toFields } from '../files/json-file.ts';
import { isPlaygroundKeyId } from './playground-key.ts';
import type { UsageData, UsageFile } from './usage-data.ts';

type NamedSum = Readonly<{ sum: KeyUsageSum; keyName: string }>;

/** Cached tokens are parts of `tokens_in`. */
const columns: CsvColumns<NamedSum> = {
  day: ({ sum }) => sum.period,
  model: ({ sum }) => sum.model,
  key: ({ keyName }) => keyName,
  requests: ({ sum }) => sum.requests,
  tokens_in: ({ sum }) => sum.tokensIn,
  tokens_out: ({ sum }) => sum.tokensOut,
  cost_usd: ({ sum }) => sum.costUsd,
  tokens_cached: ({ sum }) => sum.cachedTokens,
  tokens_cache_written: ({ sum }) => sum.cacheWriteTokens,
};

export function respondWithUsageCsv(file: UsageFile): Promise<Response> {
  return respondWithCsv('usage', columns, readNamed(file));
}

export function respondWithUsageJson(file: UsageFile): Promise<Response> {
  const { periods } = file.span;
  const members = { from: periods[0], to: periods.at(-1) };
  return respondWithJson('usage', members, { usage: readFields(file) });
}

async function* readNamed({ usage, keys }: UsageFile) {
  const names = toKeyNames({ keys });
  for await (const sums of usage) {
    yield sums.map((sum) => ({ sum, keyName: toKeyName(names, sum.keyId) }));
  }
}

async function* readFields(file: UsageFile) {
  for await (const sums of readNamed(file)) yield sums.map((named) => toFields(columns, named));
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
