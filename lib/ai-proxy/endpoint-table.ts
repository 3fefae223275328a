import type { z } from 'zod';
import * as schemas from './endpoint-schemas.ts';
import { chatRequestSchema } from './protocols/chat/schema.ts';

/** The schema of a body, under its name in OpenAPI. */
export type NamedSchema = Readonly<Record<string, z.ZodType>>;

/** An endpoint of the proxy. Its URL, its description and what clients are told about it follow from its row. */
export type EndpointRow = Readonly<{
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
}>;

type Parameter = Readonly<{
  in: 'path' | 'query';
  description: string;
  schema: object;
}>;

export const endpointTags = {
  Generate: 'Replies and vectors of models. Each is charged to the key.',
  Models: 'The models that you can use.',
  Keys: 'What a key may do, and how to revoke it.',
} as const;

/** In the order of the documentation. */
const rows = [
  {
    method: 'POST',
    path: '/proxy/v1/responses',
    id: 'createResponse',
    summary: 'Create a response, like OpenAI’s Responses API',
    tag: 'Generate',
    request: { ResponsesRequest: schemas.responsesRequestSchema },
    response: { Response: schemas.responseSchema },
    isStreamed: true,
  },
  {
    method: 'POST',
    path: '/proxy/v1/chat/completions',
    id: 'createChatCompletion',
    summary: 'Create a chat completion',
    tag: 'Generate',
    request: { ChatCompletionsRequest: chatRequestSchema },
    response: { ChatCompletion: schemas.chatCompletionSchema },
    isStreamed: true,
  },
  {
    method: 'POST',
    path: '/proxy/v1/messages',
    id: 'createMessage',
    summary: 'Create a message, like Anthropic’s Messages API',
    tag: 'Generate',
    request: { MessagesRequest: schemas.messagesRequestSchema },
    response: { Message: schemas.messageResponseSchema },
    isStreamed: true,
    errors: 'messages',
  },
  {
    method: 'POST',
    path: '/proxy/v1/messages/count_tokens',
    id: 'countMessageTokens',
    summary: 'Count the tokens of a prompt',
    tag: 'Generate',
    request: { CountTokensRequest: schemas.countTokensRequestSchema },
    response: { TokenCount: schemas.tokenCountSchema },
    errors: 'messages',
  },
  {
    method: 'POST',
    path: '/proxy/v1/responses/input_tokens',
    id: 'countInputTokens',
    summary: 'Count the tokens of a Responses request, if the service behind the model can',
    tag: 'Generate',
    request: { ResponsesRequest: schemas.responsesRequestSchema },
    response: { TokenCount: schemas.tokenCountSchema },
  },
  {
    method: 'POST',
    path: '/proxy/v1/responses/compact',
    id: 'compactResponse',
    summary: 'Make a conversation shorter, if the service behind the model can',
    tag: 'Generate',
    request: { ResponsesRequest: schemas.responsesRequestSchema },
    response: { CompactedResponse: schemas.compactedResponseSchema },
  },
  {
    method: 'POST',
    path: '/proxy/v1/embeddings',
    id: 'createEmbeddings',
    summary: 'Turn texts into vectors',
    tag: 'Generate',
    request: { EmbeddingsRequest: schemas.embeddingsRequestSchema },
    response: { EmbeddingList: schemas.embeddingListSchema },
  },
  {
    method: 'GET',
    path: '/proxy/v1/models',
    id: 'listModels',
    summary: 'List the language models: with a key, those that it may use',
    tag: 'Models',
    response: { ModelList: schemas.modelListSchema },
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
    response: { Model: schemas.modelSchema },
    isOpen: true,
  },
  {
    method: 'GET',
    path: '/proxy/v1/embeddings/models',
    id: 'listEmbeddingModels',
    summary: 'List the embedding models, with prices; with a key, those that it may use',
    tag: 'Models',
    response: { ModelList: schemas.modelListSchema },
    isOpen: true,
  },
  {
    method: 'GET',
    path: '/proxy/v1/key',
    id: 'getKey',
    summary: 'Show the limits and the spend of the key that is sent',
    tag: 'Keys',
    response: { Key: schemas.keySchema },
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
    response: { Usage: schemas.usageSchema },
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
    response: { Generation: schemas.generationSchema },
  },
  {
    method: 'POST',
    path: '/proxy/v1/key/revoke',
    id: 'revokeKey',
    summary: 'Revoke the key that is sent',
    tag: 'Keys',
    response: { Revoked: schemas.revokedSchema },
  },
] as const satisfies readonly EndpointRow[];

/** Every endpoint of the proxy. */
export const endpointTable: readonly EndpointRow[] = rows;

export type EndpointId = (typeof rows)[number]['id'];

export const endpointPaths = rows.map(({ path }) => path);

export function requireEndpoint(id: EndpointId): EndpointRow {
  const row = endpointTable.find((endpoint) => endpoint.id === id);
  if (row === undefined) throw new TypeError(`There is no endpoint ${id}.`);
  return row;
}

/** The path as the documentation writes it: `/proxy/v1/models/{id}`. */
export function toShownPath({ path }: EndpointRow): string {
  return path.replace(/\[(?:\.{3})?(\w+)\]/g, '{$1}');
}
