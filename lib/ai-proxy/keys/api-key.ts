import type { KeyRecord } from '#lib/storage/key-store.ts';
import { isOnAllowList } from '../models/model-name.ts';

/** An authenticated key. */
export type ApiKey = Readonly<{
  id: string;
  name: string;
  /** Allowed model ids or `prefix/*`; null for all models. */
  models: readonly string[] | null;
  requestsPerMinute: number;
  /** Input and output together, per UTC day. */
  tokensPerDay: number;
  /** Whether the key may use the Messages API. */
  mayUseMessages: boolean;
  /** Unix ms, or null for never. */
  expiresAt: number | null;
}>;

/** The limits and permissions of a key without its own. */
export type KeyDefaults = Pick<ApiKey, 'requestsPerMinute' | 'tokensPerDay' | 'mayUseMessages'>;

export function toApiKey(record: KeyRecord, defaults: KeyDefaults): ApiKey {
  const { id, name, models, expiresAt } = record;
  return {
    id,
    name,
    models,
    requestsPerMinute: record.requestsPerMinute ?? defaults.requestsPerMinute,
    tokensPerDay: record.tokensPerDay ?? defaults.tokensPerDay,
    mayUseMessages: record.mayUseMessages ?? defaults.mayUseMessages,
    expiresAt,
  };
}

/** Whether a key may use a model. */
export function mayUseModel({ models }: Pick<ApiKey, 'models'>, model: string): boolean {
  return isOnAllowList(models, model);
}
