import { z } from 'zod';
import { eventSchema } from '#lib/events/model/schema.ts';
import { type EventsQuery, expandFormats } from '#lib/events/query/events-query.ts';
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

/** Arguments that mean what people mean, where the API's parameters are exact. */
const describedAnew: Readonly<Record<string, string>> = {
  format:
    'How people can join: `online` means “can be joined online”, `in-person` “can be attended in person”; both include events that are both. `both` alone means only those.',
  order:
    'Sort order. Default: `asc`, so that the next event comes first, if `when`, `from` or `status` without `ended` asks for what is on or coming up; else `desc`.',
};

/** The list of the API, by the same parameters. */
export const listEvents = defineTool({
  name: 'list_events',
  title: 'List events',
  description: `Lists events by status, dates, format, project types, words, city, country, organizer, series or distance from a point: what is on this weekend (\`when: weekend\`), what can be joined online (\`format: online\`), what comes next (\`status: upcoming\`, \`limit: 1\`). With \`when\`, \`from\` or a status that is not over, events are sorted by start date, the earliest first, and \`limit\` takes the first ones; otherwise the latest come first. Events have the fields of \`GET /api/v1/events\`, without the styling of their posters. Returns ${limitDefault} events if \`limit\` is left out; \`meta.total\` says how many match.`,
  inputSchema: z.strictObject(
    Object.fromEntries(
      Object.entries(listParameters).map(([name, parameter]) => [
        name,
        toArgument(name, parameter),
      ]),
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
    const matching = selectEvents(snapshot, withOrder(expandFormats(query)));
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
function toArgument(
  name: string,
  { schema, many, choices, bounds, defaultsTo, ...parameter }: QueryParameter,
) {
  const described = describedAnew[name];
  const description = described ?? parameter.description;
  const value = choices === undefined ? schema : z.enum(choices);
  const argument = bounds === undefined ? value : z.int().min(bounds.min).max(bounds.max);
  return (many ? z.array(argument) : argument)
    .meta({
      description:
        defaultsTo === undefined || described !== undefined
          ? description
          : `${description} Default: \`${defaultsTo}\`.`,
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

// Who asks for what is coming wants what comes next.
function withOrder(query: EventsQuery): EventsQuery {
  const { order, sort = 'startDate', when, from, status } = query;
  const isAhead = when !== undefined || from !== undefined || status?.includes('ended') === false;
  return order === undefined && sort === 'startDate' && isAhead
    ? { ...query, order: 'asc' }
    : query;
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
