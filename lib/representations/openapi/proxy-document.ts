import type { Site } from '#lib/events/view/site-urls.ts';
import {
  type ProxyRequestName,
  type ProxyResponseName,
  refer,
  toProxySchemas,
} from './proxy-schemas.ts';

type ProxyOperation = Readonly<{
  method: 'get' | 'post';
  path: string;
  id: string;
  summary: string;
  tag: keyof typeof tags;
  request?: ProxyRequestName;
  response: ProxyResponseName;
  isStreamed?: true;
  isOpen?: true;
}>;

const tags = {
  Generate: 'Replies and vectors of models. Each is charged to the key.',
  Models: 'The models that you can use.',
  Keys: 'What a key may do, and how to revoke it.',
} as const;

/** Every endpoint of the proxy: the tables of the documentation list them in this order. */
export const proxyOperations: readonly ProxyOperation[] = [
  {
    method: 'post',
    path: '/proxy/v1/responses',
    id: 'createResponse',
    summary: 'Create a response, like OpenAI’s Responses API',
    tag: 'Generate',
    request: 'ResponsesRequest',
    response: 'Response',
    isStreamed: true,
  },
  {
    method: 'post',
    path: '/proxy/v1/chat/completions',
    id: 'createChatCompletion',
    summary: 'Create a chat completion',
    tag: 'Generate',
    request: 'ChatCompletionsRequest',
    response: 'ChatCompletion',
    isStreamed: true,
  },
  {
    method: 'post',
    path: '/proxy/v1/messages',
    id: 'createMessage',
    summary: 'Create a message, like Anthropic’s Messages API',
    tag: 'Generate',
    request: 'MessagesRequest',
    response: 'Message',
    isStreamed: true,
  },
  {
    method: 'post',
    path: '/proxy/v1/messages/count_tokens',
    id: 'countMessageTokens',
    summary: 'Count the tokens of a prompt',
    tag: 'Generate',
    request: 'CountTokensRequest',
    response: 'TokenCount',
  },
  {
    method: 'post',
    path: '/proxy/v1/responses/input_tokens',
    id: 'countInputTokens',
    summary: 'Count the tokens of a Responses request, if the service behind the model can',
    tag: 'Generate',
    request: 'ResponsesRequest',
    response: 'TokenCount',
  },
  {
    method: 'post',
    path: '/proxy/v1/responses/compact',
    id: 'compactResponse',
    summary: 'Make a conversation shorter, if the service behind the model can',
    tag: 'Generate',
    request: 'ResponsesRequest',
    response: 'CompactedResponse',
  },
  {
    method: 'post',
    path: '/proxy/v1/embeddings',
    id: 'createEmbeddings',
    summary: 'Turn texts into vectors',
    tag: 'Generate',
    request: 'EmbeddingsRequest',
    response: 'EmbeddingList',
  },
  {
    method: 'get',
    path: '/proxy/v1/models',
    id: 'listModels',
    summary: 'List the language models',
    tag: 'Models',
    response: 'ModelList',
    isOpen: true,
  },
  {
    method: 'get',
    path: '/proxy/v1/models/{id}',
    id: 'getModel',
    summary: 'Describe one model',
    tag: 'Models',
    response: 'Model',
    isOpen: true,
  },
  {
    method: 'get',
    path: '/proxy/v1/embeddings/models',
    id: 'listEmbeddingModels',
    summary: 'List the embedding models, with prices',
    tag: 'Models',
    response: 'ModelList',
    isOpen: true,
  },
  {
    method: 'get',
    path: '/proxy/v1/key',
    id: 'getKey',
    summary: 'Show the limits and the spend of the key that is sent',
    tag: 'Keys',
    response: 'Key',
  },
  {
    method: 'post',
    path: '/proxy/v1/key/revoke',
    id: 'revokeKey',
    summary: 'Revoke the key that is sent',
    tag: 'Keys',
    response: 'Revoked',
  },
];

/** The OpenAPI 3.1 description of the AI proxy, from the schemas that check its requests. */
export function createProxyDocument(site: Site) {
  return {
    openapi: '3.1.1',
    info: {
      title: `${site.name} AI proxy`,
      version: '1.0.0',
      summary: 'Many models with one API key.',
      description:
        'Compatible with OpenAI’s and Anthropic’s clients. Fields that are not listed are passed on to the service ' +
        'behind the model. A field that is null counts as left out.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: site.url }],
    security: [{ key: [] }, { messagesKey: [] }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    externalDocs: { url: `${site.url}/docs/ai`, description: 'Documentation of the AI proxy.' },
    paths: Object.fromEntries(
      proxyOperations.map((operation) => [operation.path, toPathItem(operation)]),
    ),
    components: {
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', description: 'An API key: `mq_…`.' },
        messagesKey: {
          type: 'apiKey',
          in: 'header',
          name: 'x-api-key',
          description: 'The same, as Anthropic’s clients send it.',
        },
      },
      schemas: toProxySchemas(),
    },
  };
}

function toPathItem(operation: ProxyOperation) {
  const { method, path, id, summary, tag, request, isOpen } = operation;
  const modelId = {
    in: 'path',
    name: 'id',
    required: true,
    description: 'The id of a model, such as `lantern/wick-3`; its slash may be encoded or not.',
    schema: { type: 'string' },
  };
  return {
    [method]: {
      operationId: id,
      summary,
      tags: [tag],
      ...(isOpen && { security: [] }),
      ...(path.endsWith('{id}') && { parameters: [modelId] }),
      ...(request !== undefined && {
        requestBody: {
          required: true,
          content: { 'application/json': { schema: refer(request) } },
        },
      }),
      responses: toResponses(operation),
    },
  };
}

function toResponses({ path, request, response, isStreamed, isOpen }: ProxyOperation) {
  const error = path.startsWith('/proxy/v1/messages') ? 'MessagesError' : 'Error';
  const toError = (description: string) => ({
    description,
    content: { 'application/json': { schema: refer(error) } },
  });
  const stream = { 'text/event-stream': { schema: { type: 'string' } } };
  return {
    200: {
      description: isStreamed ? 'The reply; a stream with `"stream": true`.' : 'The result.',
      content: { 'application/json': { schema: refer(response) }, ...(isStreamed && stream) },
    },
    ...(request !== undefined && { 400: toError('An invalid field, which the message names.') }),
    ...(isOpen !== true && { 401: toError('No valid API key.') }),
    ...(request !== undefined && {
      402: toError('A budget is spent: the message says which, and until when.'),
      403: toError('The key may not use this model.'),
    }),
    ...((request !== undefined || path.endsWith('{id}')) && {
      404: toError('There is no such model.'),
    }),
    ...(isOpen !== true && { 429: toError('Too many requests: see `Retry-After`.') }),
    405: toError('The endpoint does not support this method.'),
    default: toError('Another error: see the documentation.'),
  };
}
