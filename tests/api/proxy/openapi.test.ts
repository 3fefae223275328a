import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, inject, test } from 'vitest';
import type { z } from 'zod';
import {
  type ProxyResponseName,
  proxyResponseSchemas,
} from '#lib/representations/openapi/proxy-schemas.ts';
import { model } from '../../support/clients/client-fixtures.ts';

const { url, key } = inject('servers').native;

type Operation = Readonly<{
  operationId: string;
  tags: readonly string[];
  security?: readonly object[];
  requestBody?: object;
  responses: Record<string, object>;
}>;

async function loadDocument() {
  const response = await fetch(`${url}/proxy/v1/openapi.json`);
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
  return response.json();
}

test('the proxy’s OpenAPI document is valid, and every reference leads somewhere', async () => {
  const document = await loadDocument();
  const { valid, errors } = await new Validator().validate(document);
  expect({ valid, errors }).toEqual({ valid: true, errors: undefined });
  const schemas = Object.keys(document.components.schemas);
  const named = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g)];
  expect(new Set(named.map(([, name]) => name))).toEqual(new Set(schemas));
});

// What Redocly’s recommended rules ask for, besides.
test('operations have ids of their own, described tags, and a client error', async () => {
  const document = await loadDocument();
  const tags = document.tags.map(({ name }: { name: string }) => name);
  const items: Record<string, Operation>[] = Object.values(document.paths);
  const operations = items.flatMap((methods) => Object.values(methods));
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
  for (const { tags: own, responses } of operations) {
    expect(tags).toEqual(expect.arrayContaining([...own]));
    expect(Object.keys(responses).some((status) => status.startsWith('4'))).toBe(true);
  }
});

test('the document shows what lists of a request have', async () => {
  const { components } = await loadDocument();
  const { properties } = components.schemas.MessagesRequest;
  expect(properties.messages.items.properties.role.enum).toEqual(['user', 'assistant', 'system']);
  expect(components.schemas.ChatCompletionsRequest.required).toEqual(['model', 'messages']);
});

const messages = [{ role: 'user', content: 'Name three constellations.' }];
const calls: readonly (readonly [ProxyResponseName, string, object | null])[] = [
  ['Response', '/responses', { model, input: 'Hello' }],
  ['ChatCompletion', '/chat/completions', { model, messages }],
  ['Message', '/messages', { model, messages, max_tokens: 100 }],
  ['TokenCount', '/messages/count_tokens', { model, messages }],
  ['EmbeddingList', '/embeddings', { model: 'lantern-demo/embed-large', input: 'Hello' }],
  ['ModelList', '/models', null],
  ['ModelList', '/embeddings/models', null],
  ['Model', `/models/${model}`, null],
  ['Key', '/key', null],
  ['Error', '/chat/completions', { model }],
  ['MessagesError', '/messages', { model }],
];

test.each(calls)('%s of %s is as the document says', async (name, path, body) => {
  const response = await fetch(`${url}/proxy/v1${path}`, {
    method: body === null ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: body === null ? null : JSON.stringify(body),
  });
  const schema: z.ZodType = proxyResponseSchemas[name];
  expect(schema.safeParse(await response.json()).error).toBeUndefined();
});
