import { z } from 'zod';
import type { Endpoint } from './endpoint.ts';
import { chatEndpoint } from './protocols/chat/chat-endpoint.ts';
import { embeddingsEndpoint } from './protocols/embeddings/embeddings-endpoint.ts';
import { countTokensEndpoint, messagesEndpoint } from './protocols/messages/messages-endpoint.ts';
import {
  compactEndpoint,
  inputTokensEndpoint,
  responsesEndpoint,
} from './protocols/responses/responses-endpoint.ts';

const modelSchema = z.looseObject({
  id: z.string(),
  object: z.literal('model'),
  created: z.int().meta({ description: 'Unix time in seconds; 0 if unknown.' }),
  owned_by: z.string(),
});

const modelListSchema = z.looseObject({
  object: z.literal('list'),
  data: z.array(modelSchema),
});

const keySchema = z.looseObject({ data: z.looseObject({ usage: z.number() }) }).meta({
  description: 'The fields of OpenRouter’s `/key`, with the budgets that apply.',
});

/** Field names as in OpenRouter’s list of activity. */
const usageSchema = z.object({
  object: z.literal('list'),
  from: z.string(),
  to: z.string(),
  data: z.array(
    z.object({
      date: z.string().optional(),
      model: z.string().optional(),
      requests: z.number(),
      prompt_tokens: z.number(),
      completion_tokens: z.number(),
      cached_tokens: z.number(),
      cache_write_tokens: z.number(),
      usage: z.number().nullable().meta({ description: 'US dollars; null if no price is known.' }),
    }),
  ),
});

const revokedSchema = z.object({ revoked: z.literal(true) });

export const generationSchema = z
  .object({
    data: z.looseObject({
      id: z.string().nullable(),
      model: z.string(),
      tokens_prompt: z.number(),
      tokens_completion: z.number(),
      total_cost: z.number().nullable(),
    }),
  })
  .meta({
    description: 'The fields of OpenRouter’s `/generation`, with the status of the request.',
  });

/** The bodies of errors, by the format of the endpoint. */
export const errorSchemas = {
  openai: {
    Error: z.object({
      error: z.looseObject({
        message: z.string(),
        type: z.string(),
        param: z.string().nullable(),
        code: z.string().nullable(),
      }),
    }),
  },
  messages: {
    MessagesError: z.looseObject({
      type: z.literal('error'),
      error: z.looseObject({ type: z.string(), message: z.string() }),
    }),
  },
} as const;

/** In the order of the documentation. */
const rows = [
  responsesEndpoint,
  chatEndpoint,
  messagesEndpoint,
  countTokensEndpoint,
  inputTokensEndpoint,
  compactEndpoint,
  embeddingsEndpoint,
  {
    method: 'GET',
    path: '/proxy/v1/models',
    id: 'listModels',
    summary: 'List the language models: with a key, those that it may use',
    tag: 'Models',
    response: { ModelList: modelListSchema },
    isOpen: true,
  },
  {
    method: 'GET',
    path: '/proxy/v1/models/[...id]',
    id: 'getModel',
    summary: 'Describe one model',
    tag: 'Models',
    parameters: {
      id: {
        in: 'path',
        description:
          'The id of a model, such as `lantern/wick-3`; its slash may be encoded or not.',
        schema: { type: 'string' },
      },
    },
    response: { Model: modelSchema },
    isOpen: true,
  },
  {
    method: 'GET',
    path: '/proxy/v1/embeddings/models',
    id: 'listEmbeddingModels',
    summary: 'List the embedding models, with prices; with a key, those that it may use',
    tag: 'Models',
    response: { ModelList: modelListSchema },
    isOpen: true,
  },
  {
    method: 'GET',
    path: '/proxy/v1/key',
    id: 'getKey',
    summary: 'Show the limits and the spend of the key that is sent',
    tag: 'Keys',
    response: { Key: keySchema },
  },
  {
    method: 'GET',
    path: '/proxy/v1/usage',
    id: 'getUsage',
    summary: 'Show what the key that is sent has used, by day and model',
    tag: 'Keys',
    parameters: {
      from: {
        in: 'query',
        description: 'The first day in UTC. By default 30 days are shown, and at most 366.',
        schema: { type: 'string', format: 'date' },
      },
      to: {
        in: 'query',
        description: 'The last day in UTC, by default today.',
        schema: { type: 'string', format: 'date' },
      },
      by: {
        in: 'query',
        description: 'What is summed up apart: `day,model` by default, `day`, or `model`.',
        schema: { type: 'string', default: 'day,model' },
      },
    },
    response: { Usage: usageSchema },
  },
  {
    method: 'GET',
    path: '/proxy/v1/generation',
    id: 'getGeneration',
    summary: 'Show what one request of the key that is sent has used',
    tag: 'Keys',
    parameters: {
      id: {
        in: 'query',
        description: 'The id of a reply, or the `x-request-id` of its response.',
        schema: { type: 'string' },
      },
    },
    response: { Generation: generationSchema },
  },
  {
    method: 'POST',
    path: '/proxy/v1/key/revoke',
    id: 'revokeKey',
    summary: 'Revoke the key that is sent',
    tag: 'Keys',
    response: { Revoked: revokedSchema },
  },
] as const satisfies readonly Endpoint[];

/** Every endpoint of the proxy. */
export const endpoints: readonly Endpoint[] = rows;

export type EndpointId = (typeof rows)[number]['id'];

export const endpointPaths = rows.map(({ path }) => path);

export function requireEndpoint(id: EndpointId): Endpoint {
  const endpoint = endpoints.find((each) => each.id === id);
  if (endpoint === undefined) throw new TypeError(`There is no endpoint ${id}.`);
  return endpoint;
}

/** The path as the documentation writes it: `/proxy/v1/models/{id}`. */
export function toShownPath({ path }: Endpoint): string {
  return path.replace(/\[(?:\.{3})?(\w+)\]/g, '{$1}');
}
