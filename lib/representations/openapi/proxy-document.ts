import { type Endpoint, endpointTags } from '#lib/ai-proxy/endpoint.ts';
import { endpoints, errorSchemas, toShownPath } from '#lib/ai-proxy/endpoints.ts';
import type { Site } from '#lib/events/view/site-urls.ts';
import { refer, toProxySchemas } from './proxy-schemas.ts';

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
    security: anyKey,
    tags: Object.entries(endpointTags).map(([name, description]) => ({ name, description })),
    externalDocs: { url: `${site.url}/docs/ai`, description: 'Documentation of the AI proxy.' },
    paths: Object.fromEntries(endpoints.map((row) => [toShownPath(row), toPathItem(row)])),
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

const anyKey = [{ key: [] }, { messagesKey: [] }];

function toPathItem(row: Endpoint) {
  const { method, id, summary, tag, parameters, request, isOpen } = row;
  return {
    [method.toLowerCase()]: {
      operationId: id,
      summary,
      tags: [tag],
      ...(isOpen && { security: [{}, ...anyKey] }),
      ...(parameters !== undefined && { parameters: toParameters(parameters) }),
      ...(request !== undefined && {
        requestBody: {
          required: true,
          content: { 'application/json': { schema: refer(request) } },
        },
      }),
      responses: toResponses(row),
    },
  };
}

function toParameters(parameters: NonNullable<Endpoint['parameters']>): object[] {
  return Object.entries(parameters).map(([name, { in: place, description, schema }]) => ({
    in: place,
    name,
    ...(place === 'path' && { required: true }),
    description,
    schema,
  }));
}

function toResponses({ parameters, request, response, isStreamed, isOpen, errors }: Endpoint) {
  const schema = refer(errorSchemas[errors ?? 'openai']);
  const toError = (description: string) => ({
    description,
    content: { 'application/json': { schema } },
  });
  const places = Object.values(parameters ?? {}).map((parameter) => parameter.in);
  const namesModel = request !== undefined || places.includes('path');
  const isChecked = request !== undefined || places.includes('query');
  const stream = { 'text/event-stream': { schema: { type: 'string' } } };
  return {
    200: {
      description: isStreamed ? 'The reply; a stream with `"stream": true`.' : 'The result.',
      content: { 'application/json': { schema: refer(response) }, ...(isStreamed && stream) },
    },
    ...(isChecked && { 400: toError('An invalid field, which the message names.') }),
    401: toError(isOpen ? 'The API key that is sent is not valid.' : 'No valid API key.'),
    ...(request !== undefined && {
      402: toError('A budget is spent: the message says which, and until when.'),
      403: toError('The key may not use this model.'),
    }),
    ...(namesModel && { 404: toError('There is no such model.') }),
    429: toError('Too many requests: see `Retry-After`.'),
    405: toError('The endpoint does not support this method.'),
    default: toError('Another error: see the documentation.'),
  };
}
