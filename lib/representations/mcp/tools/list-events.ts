import { z } from 'zod';
import { eventSchema } from '#lib/events/model/schema.ts';
import type { EventsQuery } from '#lib/events/query/events-query.ts';
import { parseEventsQuery } from '#lib/events/query/parse-query.ts';
import { listParameters, type QueryParameter } from '#lib/events/query/query-parameters.ts';
import { requireEvent, selectEvents } from '#lib/events/search/select-events.ts';
import { toPublished } from '#lib/events/view/events-json.ts';
import { createApiError } from '#lib/http/errors/errors.ts';
import { eventItemSchema, eventListSchema } from '../../openapi/schemas.ts';
import { defineTool } from './tool.ts';

/** Events of a call without `limit`: a whole table would fill a model's context. */
const limitDefault = 20;

/** How a poster looks takes half of an event's JSON, and tells a model nothing. */
const styling = { background: true, theme: true, pictures: true, logoUrl: true } as const;

const listedEventSchema = eventSchema.omit(styling);
const { count, generatedAt } = eventListSchema.shape.meta.shape;

/** The list of the API, by the same parameters. */
export const listEvents = defineTool({
  name: 'list_events',
  title: 'List events',
  description: `Lists events by status, dates, format, project types or words, as \`GET /api/v1/events\` does, without the styling of their posters. Returns ${limitDefault} events if \`limit\` is left out; \`meta.total\` says how many match.`,
  inputSchema: z.strictObject(
    Object.fromEntries(
      Object.entries(listParameters).map(([name, parameter]) => [name, toArgument(parameter)]),
    ),
  ),
  outputSchema: z.object({
    data: z.array(listedEventSchema),
    meta: z.object({
      count,
      total: z.int().min(0).meta({ description: 'Number of events that match.' }),
      generatedAt,
    }),
  }),
  async run(input, { events }) {
    const { limit = limitDefault, ...query } = parseArguments(input);
    const snapshot = await events.current();
    const matching = selectEvents(snapshot, query);
    const data = matching
      .slice(0, limit)
      .map((event) => listedEventSchema.parse(toPublished(event, snapshot.signedUrls)));
    return {
      data,
      meta: { count: data.length, total: matching.length, generatedAt: snapshot.generatedAt },
    };
  },
});

// Lists and numbers, where the URL of the API has text.
function toArgument({ schema, many, choices, bounds, description, ...more }: QueryParameter) {
  const value = choices === undefined ? schema : z.enum(choices);
  const argument = bounds === undefined ? value : z.int().min(bounds.min).max(bounds.max);
  return (many ? z.array(argument) : argument)
    .meta({
      description:
        more.defaultsTo === undefined
          ? description
          : `${description} Default: \`${more.defaultsTo}\`.`,
    })
    .optional();
}

// Checks what holds between arguments, with the API's messages.
function parseArguments(input: Readonly<Record<string, unknown>>): EventsQuery {
  const search = new URLSearchParams(
    Object.entries(input).map(([name, value]) => [name, String(value)]),
  );
  const result = parseEventsQuery(search, listParameters);
  if (!result.ok) throw createApiError('bad_request', result.problem);
  return result.query;
}

export const getEvent = defineTool({
  name: 'get_event',
  title: 'Get an event',
  description:
    'Returns all data of one event, as `GET /api/v1/events/{idOrSlug}` does: dates, format, place, project types, links, requirements, description and styling.',
  inputSchema: z.strictObject({
    id: z
      .string()
      .min(1)
      .max(200)
      .meta({ description: 'An event’s id or slug. Ids never change; slugs do on a rename.' }),
  }),
  outputSchema: eventItemSchema,
  async run({ id }, { events }) {
    const snapshot = await events.current();
    const event = requireEvent(snapshot, id);
    return {
      data: toPublished(event, snapshot.signedUrls),
      meta: { generatedAt: snapshot.generatedAt },
    };
  },
});
