import type { JsonObject } from '#lib/http/json-value.ts';
import { parseModelName } from '#lib/keys/api-key.ts';
import type { ClientHeaders } from '../upstreams/connection.ts';
import type { Protocol } from '../upstreams/upstream-settings.ts';
import { knownFields } from './require-reach.ts';

type UsualOptions = Readonly<{
  protocol: Protocol;
  /** Every model that the request names. */
  models: readonly string[];
  /** It asks for something that costs beyond tokens. */
  hasExtras: boolean;
}>;

/** Fields by which a client chooses who replies, or what is done with its request. */
const choosingFields: ReadonlySet<string> = new Set(
  `models provider providerOptions plugins preset route transforms fallbacks fallback_model fallback_models
  context_window_fallbacks content_policy_fallbacks debug trace`.split(/\s+/),
);
/** Headers by which it chooses features. */
const choosingHeaders = ['openai-beta', 'anthropic-beta'] as const;
/** Fields of any size. */
const contentFields: ReadonlySet<string> = new Set(
  `messages input prompt system instructions tools functions response_format text output_format output_config
  prediction`.split(/\s+/),
);
const lengthMax = 2000;

/**
 * Whether a request asks for what others ask for, so that it costs what theirs do: one model without a variant, no
 * extras, and nothing but known fields of the usual size.
 */
export function isUsualRequest(
  body: JsonObject,
  { protocol, models, hasExtras }: UsualOptions,
): boolean {
  const [model = ''] = models;
  if (hasExtras || models.length !== 1 || parseModelName(model).id !== model) return false;
  const known = knownFields[protocol];
  return Object.entries(body).every(
    ([name, value]) =>
      value === null ||
      (known.has(name) && !choosingFields.has(name) && (contentFields.has(name) || isShort(value))),
  );
}

/** Whether it chooses features besides, as coding agents do: those of others may be taken otherwise. */
export function choosesFeatures(headers: ClientHeaders): boolean {
  return choosingHeaders.some((name) => headers.get(name) !== null);
}

function isShort(value: unknown): boolean {
  if (typeof value === 'string') return value.length <= lengthMax;
  return typeof value !== 'object' || (JSON.stringify(value)?.length ?? 0) <= lengthMax;
}
