import { type Budget, noBudget } from '#lib/config/budget.ts';
import { type AccountLimit, type Payer, toAccountLimits } from '#lib/spend/budgets.ts';
import type { KeyRecord, KeyUpdate } from './store/key-record.ts';

/** An authenticated key. */
export type ApiKey = Readonly<{
  id: string;
  name: string;
  /** Allowed model ids or `prefix/*`; null for all models. */
  models: readonly string[] | null;
  requestsPerMinute: number;
  /** Whose requests are judged together: the id of the member, or that of an operator's key. */
  owner: string;
  /** Who is charged. */
  payer: Payer;
  /** The limits of all accounts that its requests are charged to. */
  limits: readonly AccountLimit[];
  /** Unix ms, or null for never. */
  expiresAt: number | null;
}>;

/** The settings of a stored key. */
export type KeySettings = Pick<KeyRecord, 'id' | 'owner' | keyof KeyUpdate>;

/** Defaults for keys without settings of their own, and the budgets shared by keys. */
export type KeyDefaults = Pick<ApiKey, 'requestsPerMinute'> &
  Readonly<{
    /** For an operator's key: tokens of prompts and replies. */
    tokensPerDay: number;
    /** For a member without a budget of their own, over all their keys. */
    memberBudget: Budget;
    /** For all keys together. */
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
    owner: owner?.id ?? id,
    limits: toAccountLimits(payer, {
      key: toKeyBudget(record, defaults),
      member: owner?.budget ?? defaults.memberBudget,
      group: owner?.group?.budget ?? null,
      all: defaults.totalBudget,
    }),
    expiresAt,
  };
}

/** The budget of a single key. The default applies to a member and not to each key: more keys give no more. */
export function toKeyBudget(
  { tokensPerDay, budget, owner }: Pick<KeySettings, 'tokensPerDay' | 'budget' | 'owner'>,
  defaults: Pick<KeyDefaults, 'tokensPerDay'>,
): Budget {
  const ownOrDefault = tokensPerDay ?? (owner === null ? defaults.tokensPerDay : null);
  const ownBudget = budget ?? noBudget;
  const tokens = [ownOrDefault, ownBudget.tokensPerDay].filter((limit) => limit !== null);
  return { ...ownBudget, tokensPerDay: tokens.length === 0 ? null : Math.min(...tokens) };
}

/** Whether a key may use a model. */
export function mayUseModel({ models }: Pick<ApiKey, 'models'>, model: string): boolean {
  return isOnAllowList(models, model);
}

/** Suffixes by which OpenRouter's clients choose among the hosts of a model. */
const variants = /:(?:online|nitro|free|thinking|floor|exacto)$/;

/** A model as clients name it: `vendor/model`, `vendor/model:online`, `@preset/name`, or a model and a preset. */
type ModelName = Readonly<{
  /** Without its variant; null if only a preset is named. */
  id: string | null;
  /** `@preset/name`: a configuration at the upstream, which may choose a model itself. */
  preset: string | null;
}>;

export function parseModelName(name: string): ModelName {
  const at = name.indexOf('@preset/');
  const model = at === -1 ? name : name.slice(0, at);
  return {
    id: at === 0 ? null : model.replace(variants, ''),
    preset: at === -1 ? null : name.slice(at),
  };
}

/**
 * Whether an allow-list (null: all) has a model: exactly, without its variant, or by `prefix/*`. A preset must be on
 * the list itself.
 */
export function isOnAllowList(patterns: readonly string[] | null, name: string): boolean {
  if (patterns === null || patterns.includes(name)) return true;
  const { id, preset } = parseModelName(name);
  return (
    (id === null || matchesAny(patterns, id)) && (preset === null || matchesAny(patterns, preset))
  );
}

function matchesAny(patterns: readonly string[], id: string): boolean {
  return patterns.some((pattern) =>
    pattern.endsWith('/*') ? id.startsWith(pattern.slice(0, -1)) : id === pattern,
  );
}
