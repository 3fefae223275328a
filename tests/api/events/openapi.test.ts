import { Validator } from '@seriousme/openapi-schema-validator';
import { beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { eventSchema } from '#lib/events/model/schema.ts';
import { toRss } from '#lib/representations/feeds/rss.ts';
import { exampleEvent, exampleFeed, exampleList } from '#lib/representations/openapi/examples.ts';
import {
  errorSchema,
  eventChangeListSchema,
  eventItemSchema,
  eventListSchema,
} from '#lib/representations/openapi/schemas.ts';
import { send } from '../../support/clients/http-client.ts';
import { expectCommonHeaders } from '../../support/responses/api-responses.ts';
import { siteUrl } from '../../support/servers/marquee-server.ts';
import { shareServer } from '../../support/servers/running-server.ts';

const contentSchema = z.object({
  schema: z.unknown(),
  example: z.unknown().optional(),
});

const operationSchema = z.object({
  operationId: z.string(),
  security: z.array(z.unknown()),
  parameters: z
    .array(z.object({ name: z.string(), in: z.string(), required: z.boolean().optional() }))
    .optional(),
  responses: z.record(
    z.string(),
    z.object({
      description: z.string().min(1),
      content: z.record(z.string(), contentSchema).optional(),
    }),
  ),
});

const documentSchema = z.object({
  openapi: z.string(),
  info: z.object({ title: z.string(), version: z.string() }),
  servers: z.array(z.object({ url: z.string() })),
  security: z.array(z.unknown()),
  paths: z.record(z.string(), z.record(z.string(), operationSchema)),
  components: z.object({ schemas: z.record(z.string(), z.record(z.string(), z.unknown())) }),
});

const server = shareServer();
let document: z.infer<typeof documentSchema>;
let json: Record<string, unknown>;

beforeAll(async () => {
  const response = await send(server, '/api/v1/openapi.json');
  expectCommonHeaders(response);
  expect(response.header('content-type')).toBe('application/json; charset=utf-8');
  json = JSON.parse(response.text);
  document = documentSchema.parse(json);
});

function operations() {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
}

function operationOf(id: string) {
  const found = operations().find(({ operation }) => operation.operationId === id);
  if (found === undefined) throw new Error(`No operation ${id}`);
  return found;
}

test('the document is valid OpenAPI 3.1, and all its references resolve', async () => {
  const validator = new Validator();
  const result = await validator.validate(structuredClone(json));
  expect(result.errors).toBeUndefined();
  expect(result.valid).toBe(true);
  expect(validator.version).toBe('3.1');
  expect(() => validator.resolveRefs()).not.toThrow();
});

test('it is version 1.0.0, needs no credentials, and has the public URL', () => {
  expect(document.info.version).toBe('1.0.0');
  expect(document.security).toEqual([]);
  for (const { operation } of operations()) expect(operation.security).toEqual([]);
  expect(document.servers).toEqual([{ url: siteUrl }]);
});

test.each([
  ['listEvents', '/api/v1/events', ['200', '400', '500', '502']],
  ['getEvent', '/api/v1/events/{idOrSlug}', ['200', '404', '500', '502']],
  ['listChanges', '/api/v1/events/changes', ['200', '400', '406', '500', '502']],
  ['getEventsFeed', '/api/v1/events/rss', ['200', '400', '500', '502']],
])('%s is GET %s with all of its responses', (operationId, path, statuses) => {
  const found = operationOf(operationId);
  expect(found.path).toBe(path);
  expect(found.method).toBe('get');
  expect(Object.keys(found.operation.responses)).toEqual(expect.arrayContaining(statuses));
});

const schemaOfReference: Readonly<Record<string, z.ZodType>> = {
  '#/components/schemas/EventList': eventListSchema,
  '#/components/schemas/EventItem': eventItemSchema,
  '#/components/schemas/EventChangeList': eventChangeListSchema,
  '#/components/schemas/Error': errorSchema,
};

test('every example matches its schema', () => {
  let examples = 0;
  for (const { operation } of operations()) {
    for (const [status, { content = {} }] of Object.entries(operation.responses)) {
      for (const { schema, example } of Object.values(content)) {
        if (example === undefined) continue;
        examples += 1;
        const parsed = z.object({ $ref: z.string() }).safeParse(schema);
        const check = parsed.success ? schemaOfReference[parsed.data.$ref] : z.string();
        const where = `${operation.operationId} ${status}`;
        expect(check?.parse(example), where).toEqual(example);
        if (parsed.data?.$ref.endsWith('Error')) {
          expect(errorSchema.parse(example).status, where).toBe(Number(status));
        }
      }
    }
  }
  expect(examples).toBeGreaterThan(10);
  expect(exampleList.meta.count).toBe(exampleList.data.length);
  expect(eventSchema.parse(exampleEvent)).toEqual(exampleEvent);
});

test('the example feed is an excerpt of the feed of the example event', async () => {
  const site = { name: 'Marquee', url: 'https://events.example' };
  const real = await toRss([exampleEvent], {
    site,
    selfUrl: `${site.url}/api/v1/events/rss`,
    changedAtMs: Date.parse('2026-11-21T09:30:00.000Z'),
  });
  const realLines = real.split('\n').map((line) => line.trim());
  // An ellipsis marks omitted lines; the others are in the same order.
  let position = -1;
  for (const line of exampleFeed.split('\n').map((text) => text.trim())) {
    if (line === '…') continue;
    const found = realLines.indexOf(line, position + 1);
    expect(found, `“${line}” in its place in:\n${real}`).toBeGreaterThan(position);
    position = found;
  }
});

test('every URL in the document responds', async () => {
  for (const { path } of operations()) {
    const filled = path.replace('{idOrSlug}', 'nobody');
    const { status } = await send(server, filled);
    expect(status, path).toBe(path === filled ? 200 : 404);
  }
});
