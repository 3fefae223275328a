import { z } from 'zod';
import { toFrame } from '#lib/events/changes/change-stream.ts';
import { changeParameters } from '#lib/events/changes/parse-changes-query.ts';
import {
  feedParameters,
  listParameters,
  type QueryParameter,
} from '#lib/events/query/query-parameters.ts';
import {
  exampleChanges,
  exampleFeed,
  exampleItem,
  exampleList,
  toExampleErrors,
} from './examples.ts';
import { type JsonSchema, schemaRoot, toComponentSchemas, toInputSchema } from './schemas.ts';

type Site = Readonly<{ name: string; url: string }>;

type Parameter = Readonly<{
  in: 'query' | 'path';
  name: string;
  schema: JsonSchema;
  required?: true;
  description: string | undefined;
}>;
type Content = Readonly<{ schema: JsonSchema; example?: unknown }>;
type Responses = Readonly<
  Record<
    string,
    Readonly<{ description: string; headers?: object; content?: Readonly<Record<string, Content>> }>
  >
>;
type Operation = Readonly<{
  operationId: string;
  summary: string;
  description?: string;
  tags: readonly string[];
  security: readonly [];
  parameters: readonly Parameter[];
  responses: Responses;
}>;

/** The OpenAPI 3.1 description of the events API, generated from the schemas and tables that validate requests. */
export function createOpenApiDocument(site: Site) {
  return {
    openapi: '3.1.1',
    info: {
      title: `${site.name} events`,
      version: '1.0.0',
      summary: 'Read-only access to all events of the directory.',
      description:
        'No API key required. Responses are at most five minutes behind the events table. ' +
        'Any web page may send requests (CORS). Every endpoint supports conditional requests.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: site.url }],
    security: [],
    tags: [
      { name: 'Events', description: 'Events as JSON.' },
      { name: 'Feeds', description: 'Events for feed readers and calendars.' },
    ],
    externalDocs: { url: `${site.url}/docs/api`, description: 'Documentation of the events API.' },
    paths: {
      '/api/v1/events': { get: listEvents(site) },
      '/api/v1/events/{idOrSlug}': { get: getEvent(site) },
      '/api/v1/events/changes': { get: listChanges(site) },
      '/api/v1/events/rss': { get: getEventsFeed(site) },
      '/api/v1/events/feed.json': { get: getEventsJsonFeed(site) },
      '/api/v1/events/calendar.ics': { get: getEventsCalendar(site) },
    },
    components: { schemas: toComponentSchemas() },
  };
}

function listEvents(site: Site): Operation {
  return {
    operationId: 'listEvents',
    summary: 'List events',
    description: 'All events that match the filters.',
    tags: ['Events'],
    security: [],
    parameters: toQuery(listParameters),
    responses: {
      200: {
        description: 'The events.',
        headers: responseHeaders,
        content: { 'application/json': { schema: refer('EventList'), example: exampleList } },
      },
      ...notModified,
      ...toErrors(site, 400, 406, 500, 502),
    },
  };
}

function getEvent(site: Site): Operation {
  const idOrSlug = z.string().meta({
    description:
      'The event’s `id`, or its `slug` (case-insensitive). Prefer the id: it never changes.',
    example: exampleItem.data.id,
  });
  return {
    operationId: 'getEvent',
    summary: 'Get one event',
    tags: ['Events'],
    security: [],
    parameters: [{ ...toParameter('path', 'idOrSlug', idOrSlug), required: true }],
    responses: {
      200: {
        description: 'The event.',
        headers: responseHeaders,
        content: { 'application/json': { schema: refer('EventItem'), example: exampleItem } },
      },
      ...notModified,
      ...toErrors(site, 400, 404, 406, 500, 502),
    },
  };
}

function listChanges(site: Site): Operation {
  return {
    operationId: 'listChanges',
    summary: 'List changes',
    description:
      'What was added, changed and removed, the oldest first. With `Accept: text/event-stream` it is a stream of what comes: each event’s `id` is the cursor, which `Last-Event-ID` continues.',
    tags: ['Events'],
    security: [],
    parameters: toQuery(changeParameters),
    responses: {
      200: {
        description: 'The changes.',
        headers: responseHeaders,
        content: {
          'application/json': { schema: refer('EventChangeList'), example: exampleChanges },
          'text/event-stream': {
            schema: { type: 'string' },
            example: exampleChanges.data.map(toFrame).join(''),
          },
        },
      },
      ...notModified,
      ...toErrors(site, 400, 406, 500, 502),
    },
  };
}

function getEventsFeed(site: Site): Operation {
  return {
    operationId: 'getEventsFeed',
    summary: 'Latest announcements as RSS 2.0',
    description:
      'The most recently announced events, newest first; without filters, regardless of their status.',
    tags: ['Feeds'],
    security: [],
    parameters: toQuery(feedParameters),
    responses: toFeedResponses(site, 'application/rss+xml', exampleFeed),
  };
}

function getEventsJsonFeed(site: Site): Operation {
  return {
    operationId: 'getEventsJsonFeed',
    summary: 'Latest announcements as JSON Feed 1.1',
    description: 'The same events as in the RSS feed.',
    tags: ['Feeds'],
    security: [],
    parameters: toQuery(feedParameters),
    responses: toFeedResponses(site, 'application/feed+json'),
  };
}

function getEventsCalendar(site: Site): Operation {
  return {
    operationId: 'getEventsCalendar',
    summary: 'Events as an iCalendar feed',
    description: 'A calendar to subscribe to (RFC 5545). Accepts the same filters as the list.',
    tags: ['Feeds'],
    security: [],
    parameters: toQuery(listParameters),
    responses: toFeedResponses(site, 'text/calendar'),
  };
}

function toFeedResponses(site: Site, mediaType: string, example?: string): Responses {
  const content: Content = {
    schema: { type: 'string' },
    ...(example !== undefined && { example }),
  };
  return {
    200: {
      description: 'The feed.',
      headers: responseHeaders,
      content: { [mediaType]: content },
    },
    ...notModified,
    ...toErrors(site, 400, 500, 502),
  };
}

function toQuery(parameters: Readonly<Record<string, QueryParameter>>): Parameter[] {
  return Object.entries(parameters).map(([name, parameter]) => {
    const { schema, many, choices, description, bounds, defaultsTo } = parameter;
    const one = choices
      ? z.enum(choices)
      : bounds
        ? z.int().min(bounds.min).max(bounds.max)
        : schema;
    const all = (many ? z.array(one) : one).meta({
      description,
      ...(defaultsTo !== undefined && { default: defaultsTo }),
    });
    return toParameter('query', name, all);
  });
}

function toParameter(place: Parameter['in'], name: string, type: z.ZodType): Parameter {
  const schema = toInputSchema(type);
  return { in: place, name, schema, description: schema.description };
}

function refer(id: string): JsonSchema {
  return { $ref: `${schemaRoot}${id}` };
}

const responseHeaders = {
  ETag: toHeader('Changes when the response changes.'),
  'Cache-Control': toHeader('How long the response may be cached.'),
  'X-Request-Id': toHeader('Include it when you report a problem.'),
};

function toHeader(description: string) {
  return { required: true, description, schema: { type: 'string', description } };
}

const notModified: Responses = {
  304: { description: 'Not modified (`If-None-Match`, `If-Modified-Since`).' },
};

const errorDescriptions = {
  400: 'Invalid request; the hint says how to fix it.',
  404: 'No event has this id or slug.',
  406: 'The Accept header rules out the only available type.',
  500: 'The server is misconfigured or failed.',
  502: 'The events table could not be read.',
} as const;

function toErrors(site: Site, ...statuses: readonly (keyof typeof errorDescriptions)[]): Responses {
  const examples = toExampleErrors(site.url);
  return Object.fromEntries(
    statuses.map((status) => {
      const example = examples.find((error) => error.status === status);
      const content: Content = {
        schema: refer('Error'),
        ...(example !== undefined && { example }),
      };
      return [
        status,
        { description: errorDescriptions[status], content: { 'application/json': content } },
      ];
    }),
  );
}
