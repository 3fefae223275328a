import { HttpError } from '#lib/http/errors/errors.ts';
import type { JsonObject } from '#lib/http/json-value.ts';
import { estimateRequest, type MediaCount } from '#lib/spend/usage/estimate-tokens.ts';

/** The APIs of upstreams, as clients are told of them. */
const names = {
  chat: 'Chat Completions',
  responses: 'Responses',
  messages: 'Messages',
  embeddings: 'Embeddings',
} as const;

export type Protocol = keyof typeof names;

/** The protocols that an upstream speaks. */
export type Protocols = ReadonlySet<Protocol>;

/** What is known of a validated request in every protocol. */
export type RequestFields = Readonly<{
  /** Every model that may generate the reply, the requested one first: the key must allow each. */
  models: readonly string[];
  isStream: boolean;
  /** The client wants to know what the reply costs, in its usage. */
  includesCost?: boolean;
  /** Of the newest encrypted reasoning in it; null: none is marked. */
  reasoningMark?: string | null;
  promptTokensEstimate: number;
  media: MediaCount;
  /** The shortest reply that is of use. */
  outputTokensMin: number;
  /** The most tokens of each reply; null where the client set no limit, or one that bounds nothing. */
  outputTokensMax: number | null;
}>;

type CommonOptions = Readonly<{
  model: string;
  models?: readonly string[] | null | undefined;
  stream?: boolean | null | undefined;
  usage?: Readonly<{ include?: boolean | null | undefined }> | null | undefined;
}>;

/** What bodies of all protocols say alike. @param options those that were checked */
export function readCommonFields(
  body: JsonObject,
  { model, models, stream, usage }: CommonOptions,
) {
  const { tokens, media } = estimateRequest(body);
  return {
    model,
    models: [model, ...(models ?? [])],
    isStream: stream === true,
    includesCost: usage?.include === true,
    promptTokensEstimate: tokens,
    media,
  };
}

/** @param own the client’s. @throws HttpError 404 if an upstream does not speak a protocol */
export function requireProtocol(protocol: Protocol, spoken: Protocols, own = protocol): Protocol {
  if (spoken.has(protocol)) return protocol;
  throw new HttpError(404, {
    code: 'model_not_found',
    param: 'model',
    message: `The service behind this model does not support ${names[own]}: choose another model, or another endpoint.`,
    reason: 'no target speaks the protocol',
  });
}
