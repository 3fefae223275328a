import { type AccountLimit, type Payer, toAccountLimits } from '#lib/budgets/accounts.ts';
import { type Budget, noBudget } from '#lib/budgets/budget.ts';
import type { KeyRecord, KeyUpdate } from '#lib/storage/stores/key-record.ts';
import { isOnAllowList } from '../models/model-name.ts';

/** An authenticated key. */
export type ApiKey = Readonly<{
  id: string;
  name: string;
  /** Allowed model ids or `prefix/*`; null for all models. */
  models: readonly string[] | null;
  requestsPerMinute: number;
  /** Whose usage it is. */
  payer: Payer;
  /** Of all accounts that its requests are charged to. */
  limits: readonly AccountLimit[];
  /** Whether the key may use the Messages API. */
  mayUseMessages: boolean;
  /** Unix ms, or null for never. */
  expiresAt: number | null;
}>;

/** What a stored key says about its use. */
export type KeySettings = Pick<KeyRecord, 'id' | 'owner' | keyof KeyUpdate>;

/** The limits and permissions of a key without its own, and the budgets beside them. */
export type KeyDefaults = Pick<ApiKey, 'requestsPerMinute' | 'mayUseMessages'> &
  Readonly<{
    /** Of a key of the operator, in tokens of prompt and reply. */
    tokensPerDay: number;
    /** Of a member without an own budget, for all keys together. */
    memberBudget: Budget;
    /** Of all keys together. */
    totalBudget: Budget;
  }>;

export function toApiKey(record: KeySettings, defaults: KeyDefaults): ApiKey {
  const { id, name, models, expiresAt, owner } = record;
  const payer = { keyId: id, memberId: owner?.id ?? null, groupName: owner?.group?.name ?? null };
  return {
    id,
    name,
    models,
    requestsPerMinute: record.requestsPerMinute ?? defaults.requestsPerMinute,
    payer,
    limits: toAccountLimits(payer, {
      key: toKeyBudget(record, defaults),
      member: owner?.budget ?? defaults.memberBudget,
      group: owner?.group?.budget ?? null,
      all: defaults.totalBudget,
    }),
    mayUseMessages: record.mayUseMessages ?? defaults.mayUseMessages,
    expiresAt,
  };
}

/** Of a key alone. The default binds a member and not each of its keys: more keys give no more. */
export function toKeyBudget(
  { tokensPerDay, budget, owner }: Pick<KeySettings, 'tokensPerDay' | 'budget' | 'owner'>,
  defaults: Pick<KeyDefaults, 'tokensPerDay'>,
): Budget {
  const ownOrDefault = tokensPerDay ?? (owner === null ? defaults.tokensPerDay : null);
  const given = budget ?? noBudget;
  const tokens = [ownOrDefault, given.tokensPerDay].filter((one) => one !== null);
  return { ...given, tokensPerDay: tokens.length === 0 ? null : Math.min(...tokens) };
}

/** Whether a key may use a model. */
export function mayUseModel({ models }: Pick<ApiKey, 'models'>, model: string): boolean {
  return isOnAllowList(models, model);
}
