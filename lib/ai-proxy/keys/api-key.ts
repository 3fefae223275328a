import type { KeyRecord } from '#lib/storage/key-store.ts';

/** A key in force, as the rest of the proxy sees it. */
export type ApiKey = Readonly<{
  id: string;
  name: string;
  /** Ids or `prefix/*` that it may use; null for every model. */
  models: readonly string[] | null;
  requestsPerMinute: number;
  /** In and out together, on one day in UTC. */
  tokensPerDay: number;
  /** Unix ms, or null for never. */
  expiresAt: number | null;
}>;

/** The limits of a key that was made without its own. */
export type KeyDefaults = Pick<ApiKey, 'requestsPerMinute' | 'tokensPerDay'>;

export function toApiKey(record: KeyRecord, defaults: KeyDefaults): ApiKey {
  const { id, name, models, expiresAt } = record;
  return {
    id,
    name,
    models,
    requestsPerMinute: record.requestsPerMinute ?? defaults.requestsPerMinute,
    tokensPerDay: record.tokensPerDay ?? defaults.tokensPerDay,
    expiresAt,
  };
}

/** Whether a key's list lets a model through: `demo/*` lets all through that begin with `demo/`. */
export function mayUseModel({ models }: Pick<ApiKey, 'models'>, model: string): boolean {
  if (models === null) return true;
  return models.some((allowed) =>
    allowed.endsWith('/*') ? model.startsWith(allowed.slice(0, -1)) : model === allowed,
  );
}
