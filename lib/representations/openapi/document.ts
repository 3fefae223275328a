import { z } from 'zod';
import { toFrame } from '#lib/events/changes/change-stream.ts';
import { changeParameters } from '#lib/events/changes/parse-changes-query.ts';
import {
  calendarParameters,
  feedParameters,
  listParameters,
  type QueryParameter,
  toValueSchema,
} from '#lib/events/query/query-parameters.ts';
import {
  calendarRow,
  feedRows,
  feedTable,
  listRow,
} from '#lib/events/view/representation-table.ts';
import type { Site } from '#lib/events/view/site-urls.ts';
import {
  exampleChanges,
  exampleFeed,
  exampleItem,
  exampleList,
  toExampleErrors,
} from './examples.ts';
import { type JsonSchema, schemaRoot, toComponentSchemas, toInputSchema } from './schemas.ts';

export type Parameter = Readonly<{
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
export type Operation = Readonly<{
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
    paths: Object.fromEntries(
      listOperations().map(({ path, ...operation }) => [
        path,
        { get: toOperation(operation, site) },
      ]),
    ),
    components: { schemas: toComponentSchemas() },
  };
}

/** What differs between the operations. */
type OperationRow = Pick<Operation, 'operationId' | 'summary' | 'description' | 'parameters'> &
  Readonly<{
    path: string;
    tag: 'Events' | 'Feeds';
    success: string;
    content: Readonly<Record<string, Content>>;
    /** When it redirects, if it does. */
    redirect?: string;
    errors: readonly ErrorStatus[];
  }>;

function listOperations(): OperationRow[] {
  const idOrSlug = z.string().meta({
    description:
      'The event’s `id`, or its `slug` (case-insensitive). Prefer the id: it never changes.',
    example: exampleItem.data.id,
  });
  return [
    {
      path: listRow.path,
      operationId: 'listEvents',
      summary: 'List events',
      description: 'All events that match the filters.',
      tag: 'Events',
      parameters: toQuery(listParameters),
      success: 'The events.',
      content: { 'application/json': { schema: refer('EventList'), example: exampleList } },
      errors: [400, 406, 429, 500, 502],
    },
    {
      path: '/api/v1/events/{idOrSlug}',
      operationId: 'getEvent',
      summary: 'Get one event',
      tag: 'Events',
      parameters: [{ ...toParameter('path', 'idOrSlug', idOrSlug), required: true }],
      success: 'The event.',
      content: { 'application/json': { schema: refer('EventItem'), example: exampleItem } },
      redirect: 'The event was renamed, and this was its slug.',
      errors: [400, 404, 406, 429, 500, 502],
    },
    {
      path: '/api/v1/events/changes',
      operationId: 'listChanges',
      summary: 'List changes',
      description:
        'What was added, changed and removed, the oldest first. With `Accept: text/event-stream`, the response is a stream of new changes. Each of its events has an `id`; send the last one as `Last-Event-ID` to continue after a break.',
      tag: 'Events',
      parameters: toQuery(changeParameters),
      success: 'The changes.',
      content: {
        'application/json': { schema: refer('EventChangeList'), example: exampleChanges },
        'text/event-stream': toText(exampleChanges.data.map(toFrame).join('')),
      },
      errors: [400, 406, 429, 500, 502],
    },
    ...listFeedOperations(),
    {
      path: calendarRow.path,
      operationId: 'getEventsCalendar',
      summary: 'Events as an iCalendar feed',
      description: 'A calendar to subscribe to (RFC 5545). Accepts the same filters as the list.',
      parameters: toQuery(calendarParameters),
      content: { [calendarRow.mediaType]: toText() },
      ...feed,
    },
  ];
}

const feed = { tag: 'Feeds', success: 'The feed.', errors: [400, 429, 500, 502] } as const;

function listFeedOperations(): OperationRow[] {
  const bodies: Readonly<Record<string, Content>> = {
    [feedTable.rss.mediaType]: toText(exampleFeed),
    [feedTable.json.mediaType]: { schema: refer('JsonFeed') },
  };
  return feedRows.map(({ path, standard, mediaType, operationId }) => ({
    path,
    operationId,
    summary: `Latest announcements as ${standard}`,
    description:
      'The most recently announced events, newest first; without filters, regardless of their status.',
    parameters: toQuery(feedParameters),
    content: { [mediaType]: bodies[mediaType] ?? toText() },
    ...feed,
  }));
}

function toText(example?: string): Content {
  return { schema: { type: 'string' }, ...(example !== undefined && { example }) };
}

function toOperation(row: Omit<OperationRow, 'path'>, site: Site): Operation {
  const { tag, parameters, success, content, redirect, errors, ...names } = row;
  return {
    ...names,
    tags: [tag],
    security: [],
    parameters,
    responses: {
      200: { description: success, headers: responseHeaders, content },
      ...(redirect !== undefined && {
        308: { description: redirect, headers: { Location: toHeader('The item’s URL now.') } },
      }),
      304: { description: 'Not modified (`If-None-Match`, `If-Modified-Since`).' },
      ...toErrors(site, errors),
    },
  };
}

function toQuery(parameters: Readonly<Record<string, QueryParameter>>): Parameter[] {
  return Object.entries(parameters).map(([name, parameter]) => {
    const { description, defaultsTo } = parameter;
    const schema = toValueSchema(parameter).meta({
      description,
      ...(defaultsTo !== undefined && { default: defaultsTo }),
    });
    return toParameter('query', name, schema);
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

const errorDescriptions = {
  400: 'Invalid request; the hint says how to fix it.',
  404: 'No event has this id or slug.',
  406: 'The Accept header rules out the only available type.',
  429: 'Your network has too many event streams open.',
  500: 'The server is misconfigured or failed.',
  502: 'The events table could not be read.',
} as const;

type ErrorStatus = keyof typeof errorDescriptions;

function toErrors(site: Site, statuses: readonly ErrorStatus[]): Responses {
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
