import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, inject, test } from 'vitest';
import type { z } from 'zod';
import type { Endpoint } from '#lib/ai-proxy/endpoint.ts';
import { endpoints, errorSchemas, requireEndpoint } from '#lib/ai-proxy/endpoints.ts';
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
const calls: Readonly<Record<string, object>> = {
  createResponse: { model, input: 'Hello' },
  createChatCompletion: { model, messages },
  createMessage: { model, messages, max_tokens: 100 },
  countMessageTokens: { model, messages },
  createEmbeddings: { model: 'lantern-demo/embed-large', input: 'Hello' },
};

function call({ method, path }: Endpoint, body: object | undefined) {
  return fetch(url + path.replace('[...id]', model), {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
  });
}

test.each(endpoints.map(({ method, path }) => [path, method] as const))(
  'the route at %s takes %s',
  async (path, method) => {
    const response = await fetch(url + path.replace('[...id]', model), { method: 'OPTIONS' });
    const allowed = method === 'GET' ? 'GET, HEAD, OPTIONS' : 'POST, OPTIONS';
    expect([response.status, response.headers.get('allow')]).toEqual([204, allowed]);
  },
);

// A revoked key would end the other tests, the simulated models lack the last two, and key-view.test.ts has a generation.
const left = ['revokeKey', 'getGeneration', 'countInputTokens', 'compactResponse'];
const callable = endpoints.filter(({ id }) => !left.includes(id));

test.each(callable.map((row) => [row.id, row] as const))(
  'the response of %s is as the document says',
  async (id, row) => {
    const response = await call(row, calls[id]);
    const body = await response.json();
    expect(response.status, JSON.stringify(body)).toBe(200);
    for (const schema of Object.values<z.ZodType>(row.response)) {
      expect(schema.safeParse(body).error).toBeUndefined();
    }
  },
);

test.each(['createChatCompletion', 'createMessage'] as const)(
  'an error of %s is as the document says',
  async (id) => {
    const row = requireEndpoint(id);
    const body = await (await call(row, { model })).json();
    for (const schema of Object.values<z.ZodType>(errorSchemas[row.errors ?? 'openai'])) {
      expect(schema.safeParse(body).error).toBeUndefined();
    }
  },
);
