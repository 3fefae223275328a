import { z } from 'zod';
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiResponsesObject,
} from 'zod-openapi';
import {
  feedParameters,
  listParameters,
  type QueryParameter,
} from '#lib/events/query/events-query.ts';
import { exampleFeed, exampleItem, exampleList, toExampleErrors } from './examples.ts';
import { errorSchema, eventItemSchema, eventListSchema } from './schemas.ts';

type Site = Readonly<{ name: string; url: string }>;

/** The OpenAPI 3.1 description of the events API, made from the schemas and tables that check requests. */
export function createOpenApiDocument(site: Site): ReturnType<typeof createDocument> {
  return createDocument({
    openapi: '3.1.1',
    info: {
      title: `${site.name} events`,
      version: '1.0.0',
      summary: 'All events of the directory, read-only.',
      description:
        'Needs no key. What it answers is never more than five minutes behind the table of events. ' +
        'Requests may come from any web page. Every answer can be asked for with `If-None-Match`.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: site.url }],
    security: [],
    tags: [{ name: 'Events' }, { name: 'Feeds' }],
    externalDocs: { url: `${site.url}/docs/api`, description: 'The same, to read.' },
    paths: {
      '/api/v1/events': { get: listEvents(site) },
      '/api/v1/events/{idOrSlug}': { get: getEvent(site) },
      '/api/v1/events/rss': { get: getEventsFeed(site) },
      '/api/v1/events/feed.json': { get: getEventsJsonFeed(site) },
      '/api/v1/events/calendar.ics': { get: getEventsCalendar(site) },
    },
  });
}

function listEvents(site: Site): ZodOpenApiOperationObject {
  return {
    operationId: 'listEvents',
    summary: 'List events',
    description: 'Every event that the filters leave, with the styling of its card.',
    tags: ['Events'],
    security: [],
    requestParams: { query: toQuerySchema(listParameters) },
    responses: {
      200: {
        description: 'The events.',
        headers: answerHeaders,
        content: { 'application/json': { schema: eventListSchema, example: exampleList } },
      },
      ...notModified,
      ...toErrors(site, 400, 406, 500, 502),
    },
  };
}

function getEvent(site: Site): ZodOpenApiOperationObject {
  const idOrSlug = z.string().meta({
    description: 'An event’s `id`, or its `slug` in any case. Prefer the id: it survives a rename.',
    example: exampleItem.data.id,
  });
  return {
    operationId: 'getEvent',
    summary: 'Get one event',
    tags: ['Events'],
    security: [],
    requestParams: { path: z.object({ idOrSlug }) },
    responses: {
      200: {
        description: 'The event.',
        headers: answerHeaders,
        content: { 'application/json': { schema: eventItemSchema, example: exampleItem } },
      },
      ...notModified,
      ...toErrors(site, 400, 404, 406, 500, 502),
    },
  };
}

function getEventsFeed(site: Site): ZodOpenApiOperationObject {
  return {
    operationId: 'getEventsFeed',
    summary: 'Latest announcements as RSS 2.0',
    description: 'The events that were added last, newest first, whatever state they are in.',
    tags: ['Feeds'],
    security: [],
    requestParams: { query: toQuerySchema(feedParameters) },
    responses: toFeedResponses(site, 'application/rss+xml', exampleFeed),
  };
}

function getEventsJsonFeed(site: Site): ZodOpenApiOperationObject {
  return {
    operationId: 'getEventsJsonFeed',
    summary: 'Latest announcements as JSON Feed 1.1',
    tags: ['Feeds'],
    security: [],
    requestParams: { query: toQuerySchema(feedParameters) },
    responses: toFeedResponses(site, 'application/feed+json'),
  };
}

function getEventsCalendar(site: Site): ZodOpenApiOperationObject {
  return {
    operationId: 'getEventsCalendar',
    summary: 'Events as a calendar to subscribe to',
    description: 'iCalendar (RFC 5545). Takes the filters of the list.',
    tags: ['Feeds'],
    security: [],
    requestParams: { query: toQuerySchema(listParameters) },
    responses: toFeedResponses(site, 'text/calendar'),
  };
}

function toFeedResponses(
  site: Site,
  mediaType: string,
  example?: string,
): ZodOpenApiResponsesObject {
  const content = { schema: z.string(), ...(example !== undefined && { example }) };
  return {
    200: {
      description: 'The document.',
      headers: answerHeaders,
      content: { [mediaType]: content },
    },
    ...notModified,
    ...toErrors(site, 400, 500, 502),
  };
}

// What a caller writes, not what the check makes of it.
function toQuerySchema(parameters: Readonly<Record<string, QueryParameter>>) {
  const shape: Record<string, z.ZodType> = {};
  for (const [name, parameter] of Object.entries(parameters)) {
    const { schema, many, choices, description, bounds, defaultsTo } = parameter;
    const one = choices
      ? z.enum(choices)
      : bounds
        ? z.int().min(bounds.min).max(bounds.max)
        : schema;
    shape[name] = (many ? z.array(one) : one)
      .optional()
      .meta({ description, ...(defaultsTo !== undefined && { default: defaultsTo }) });
  }
  return z.object(shape);
}

const answerHeaders = z.object({
  ETag: z.string().meta({ description: 'Changes when the answer does.' }),
  'Cache-Control': z.string().meta({ description: 'For how long the answer may be kept.' }),
  'X-Request-Id': z.string().meta({ description: 'Name it when you report a problem.' }),
});

const notModified: ZodOpenApiResponsesObject = {
  304: { description: 'The caller has it already (`If-None-Match`, `If-Modified-Since`).' },
};

const errorDescriptions = {
  400: 'The request was not understood; the hint says what to change.',
  404: 'No event has that id or slug.',
  406: 'The Accept header rules out the one form there is.',
  500: 'The server has no credentials for its table, or failed.',
  502: 'The table could not be read.',
} as const;

function toErrors(
  site: Site,
  ...statuses: readonly (keyof typeof errorDescriptions)[]
): ZodOpenApiResponsesObject {
  const examples = toExampleErrors(site.url);
  return Object.fromEntries(
    statuses.map((status) => {
      const example = examples.find((error) => error.status === status);
      const content = { schema: errorSchema, ...(example !== undefined && { example }) };
      return [
        status,
        { description: errorDescriptions[status], content: { 'application/json': content } },
      ];
    }),
  );
}
