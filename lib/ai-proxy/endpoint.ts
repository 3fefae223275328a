import { z } from 'zod';
import type { UsableKind } from './models/model.ts';
import type { Protocol } from './protocols/protocol.ts';

/** The schema of a body, under its name in OpenAPI. */
export type NamedSchema = Readonly<Record<string, z.ZodType>>;

/** An endpoint of the proxy. Its URL, its description and what clients are told about it follow from it. */
export type Endpoint = Readonly<{
  method: 'GET' | 'POST';
  /** As the directory of its `route.ts`. */
  path: `/proxy/v1/${string}`;
  /** Its operation in OpenAPI. */
  id: string;
  /** What it does, for the documentation. */
  summary: string;
  tag: keyof typeof endpointTags;
  /** In the path or the query. */
  parameters?: Readonly<Record<string, Parameter>>;
  /** A request with a body names a model. */
  request?: NamedSchema;
  response: NamedSchema;
  /** Whether clients may request a stream. */
  isStreamed?: true;
  /** No key is needed; the errors of one that is sent have the format of its client. */
  isOpen?: true;
  /** The format of its errors, if not OpenAI’s. */
  errors?: 'messages';
  /** If a model replies. */
  generation?: GenerationFields;
}>;

type Parameter = Readonly<{
  in: 'path' | 'query';
  description: string;
  schema: object;
}>;

/** What the pipeline knows of an endpoint. */
export type GenerationFields = Readonly<{
  /** Its name in usage records. */
  name: string;
  protocol: Protocol;
  modelKind: UsableKind;
  /** Prompts may be tokens: bodies have as many numbers as their size allows. */
  takesTokens?: boolean;
  /**
   * The fields of requests that are known not to name a model, or that are checked for it. Where a key or AI_MODELS
   * restricts the models, others must not carry one past the check.
   */
  knownFields: ReadonlySet<string>;
}>;

export const endpointTags = {
  Generate: 'Replies and vectors of models. Each is charged to the key.',
  Models: 'The models that you can use.',
  Keys: 'What a key may do, and how to revoke it.',
} as const;

/** What an endpoint responds with that counts the tokens of a prompt. */
export const tokenCountSchema = z.looseObject({ input_tokens: z.int().min(0) });

/** Those of all protocols, and of aggregators, too. */
export function toKnownFields(own: string): ReadonlySet<string> {
  const common = `
    cache_control context_window_fallbacks content_policy_fallbacks debug fallback_model fallback_models fallbacks
    metadata model models plugins preset prompt_cache_key provider providerOptions route
    safety_identifier service_tier session_id store stream temperature top_k top_p trace user
  `;
  return new Set(`${common} ${own}`.trim().split(/\s+/));
}
