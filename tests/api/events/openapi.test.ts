import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { eventSchema } from '#lib/events/model/schema.ts';
import { toRss } from '#lib/representations/feeds/rss.ts';
import { createOpenApiDocument } from '#lib/representations/openapi/document.ts';
import { exampleEvent, exampleFeed, exampleList } from '#lib/representations/openapi/examples.ts';
import {
  errorSchema,
  eventChangeListSchema,
  eventItemSchema,
  eventListSchema,
} from '#lib/representations/openapi/schemas.ts';
import { send } from '../../support/clients/http-client.ts';
import { expectCommonHeaders } from '../../support/responses/api-responses.ts';
import { documentedOperations } from '../../support/responses/documented-responses.ts';
import { siteUrl } from '../../support/servers/marquee-server.ts';
import { shareServer } from '../../support/servers/running-server.ts';
import { testSite as site } from '../../support/test-site.ts';

const server = shareServer();

test('the document is valid OpenAPI 3.1, all its references resolve, and it is the one that the code generates', async () => {
  const response = await send(server, '/api/v1/openapi.json');
  expectCommonHeaders(response);
  expect(response.header('content-type')).toBe('application/json; charset=utf-8');
  const document = JSON.parse(response.text);
  expect(document).toEqual(createOpenApiDocument(site));
  const validator = new Validator();
  const result = await validator.validate(document);
  expect(result.errors).toBeUndefined();
  expect(result.valid).toBe(true);
  expect(validator.version).toBe('3.1');
  expect(() => validator.resolveRefs()).not.toThrow();
});

test('it is version 1.0.0, needs no credentials, and has the public URL', () => {
  const { info, security, servers } = createOpenApiDocument(site);
  expect(info.version).toBe('1.0.0');
  for (const list of [security, ...documentedOperations.map((one) => one.security)]) {
    expect(list).toEqual([]);
  }
  expect(servers).toEqual([{ url: siteUrl }]);
});

test.each([
  ['listEvents', '/api/v1/events', ['200', '400', '500', '502']],
  ['getEvent', '/api/v1/events/{idOrSlug}', ['200', '404', '500', '502']],
  ['listChanges', '/api/v1/events/changes', ['200', '400', '406', '500', '502']],
  ['getEventsFeed', '/api/v1/events/rss', ['200', '400', '500', '502']],
])('%s is GET %s with all of its responses', (operationId, path, statuses) => {
  const found = documentedOperations.find((operation) => operation.operationId === operationId);
  expect(found?.path).toBe(path);
  expect(Object.keys(found?.responses ?? {})).toEqual(expect.arrayContaining(statuses));
});

const schemaOfReference: Readonly<Record<string, z.ZodType>> = {
  '#/components/schemas/EventList': eventListSchema,
  '#/components/schemas/EventItem': eventItemSchema,
  '#/components/schemas/EventChangeList': eventChangeListSchema,
  '#/components/schemas/Error': errorSchema,
};

test('every example matches its schema', () => {
  let examples = 0;
  for (const { operationId, responses } of documentedOperations) {
    for (const [status, { description, content = {} }] of Object.entries(responses)) {
      const where = `${operationId} ${status}`;
      expect(description, where).not.toBe('');
      for (const { schema, example } of Object.values(content)) {
        if (example === undefined) continue;
        examples += 1;
        const parsed = z.object({ $ref: z.string() }).safeParse(schema);
        const check = parsed.success ? schemaOfReference[parsed.data.$ref] : z.string();
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
