import { z } from 'zod';
import { pickSchemas, plainFields } from '#lib/events/model/field-lists.ts';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { joinableFirst } from '#lib/events/model/status.ts';
import { type EventsQuery, expandFormats } from '#lib/events/query/events-query.ts';
import { parseEventsQuery } from '#lib/events/query/parse-query.ts';
import {
  listParameters,
  type QueryParameter,
  toValueSchema,
} from '#lib/events/query/query-parameters.ts';
import { selectEvents } from '#lib/events/search/select-events.ts';
import { closestMax, findClosest } from '#lib/events/view/closest-events.ts';
import { toPublished } from '#lib/events/view/events-json.ts';
import { byDistance, createDistances } from '#lib/events/view/rank-events.ts';
import { createApiError } from '#lib/http/errors/errors.ts';
import { eventListSchema } from '../../openapi/schemas.ts';
import { defineTool } from '../tool.ts';
import { distanceSchema, toCenter } from './distance.ts';
import { limitDefault, listMetaSchemas, requireDates, toListMeta } from './today.ts';

/** Without what tells a model nothing. */
const plainEventSchema = z.object(pickSchemas(plainFields));
const listedEventSchema = plainEventSchema.extend({ distanceKm: distanceSchema.optional() });
const { count, generatedAt } = eventListSchema.shape.meta.shape;

/** Arguments that mean what people mean, where the API's parameters are exact. */
const describedAnew: Readonly<Record<string, string>> = {
  near: 'Only events near this place, the nearest first unless `sort` is sent: the name of a city, or `latitude,longitude` in degrees. `within` says how near. Each event has `distanceKm`.',
  limit: `Maximum number of events to return. Default: ${limitDefault}.`,
  format:
    'How people can join: `online` means “can be joined online”, `in-person` “can be attended in person”; both include events that are both. `both` alone means only those.',
  order:
    'Sort order. Default: `asc`, so that the next event comes first, if `when`, `from` or `status` without `ended` asks for what is on or coming up; else `desc`.',
};

/** The list of the API, by the same parameters. */
export const listEvents = defineTool({
  name: 'list_events',
  title: 'List events',
  description: `Lists events by status, dates, format, project types, words, city, country or part of the world, organizer, series, price, ages, places left, or distance from a place: what is on this weekend (\`when: weekend\`), what can be joined online (\`format: online\`), what comes next (\`status: upcoming\`, \`limit: 1\`). With \`when\`, \`from\` or a \`status\` other than \`ended\`, events are sorted by start date, the earliest first, and \`limit\` takes the first ones; what is full, cancelled or over comes after the others. Otherwise the latest come first. Events have the fields of \`GET /api/v1/events\`, without the styling of their posters. Returns ${limitDefault} events if \`limit\` is left out; \`meta.total\` says how many match.`,
  inputSchema: z.strictObject(
    Object.fromEntries(
      Object.entries(listParameters).map(([name, parameter]) => [
        name,
        toArgument(name, parameter),
      ]),
    ),
  ),
  outputSchema: z.object({
    without: z.string().nullable().meta({
      description:
        'If no event matches: the condition that was left out to find what is in `closest`; else `null`.',
    }),
    data: z.array(listedEventSchema),
    closest: z.array(listedEventSchema).optional().meta({
      description: 'What comes closest if no event matches: the same events without one condition.',
    }),
    meta: z.object({
      count,
      ...listMetaSchemas,
      generatedAt,
    }),
  }),
  async run(input, parts) {
    const snapshot = await parts.events.current();
    requireDates(input, snapshot.day);
    const center = toCenter(input.near, snapshot);
    const near = center && `${center.latitude},${center.longitude}`;
    const located = near === null ? input : { ...input, near };
    const { limit = limitDefault, ...query } = parseArguments(located);
    const isNextFirst = asksWhatIsNext(query);
    const ordering = isNextFirst ? ({ order: 'asc' } as const) : {};
    const matching = selectEvents(snapshot, { ...expandFormats(query), ...ordering });
    const toDistance = createDistances(center, snapshot);
    const isByDistance = center !== null && query.sort === undefined;
    const ordered = isByDistance ? byDistance(matching, toDistance) : matching;
    const shown = isByDistance || isNextFirst ? joinableFirst(ordered) : ordered;
    const toListed = (event: MarqueeEvent, distance: Readonly<{ distanceKm?: number | null }>) => ({
      ...plainEventSchema.parse(toPublished(event, snapshot.signedUrls)),
      ...distance,
    });
    const data = shown
      .slice(0, limit)
      .map((event) => toListed(event, center === null ? {} : { distanceKm: toDistance(event) }));
    const closest = matching.length > 0 ? null : findClosest(snapshot, query);
    return {
      without: closest?.without ?? null,
      data,
      ...(closest && {
        closest: closest.events
          .slice(0, closestMax)
          .map((event) => toListed(event, { distanceKm: closest.toDistance(event) })),
      }),
      meta: {
        count: data.length,
        ...toListMeta(matching.length, snapshot, parts),
        generatedAt: snapshot.generatedAt,
      },
    };
  },
});

// Lists and numbers, where the URL of the API has text. Texts are checked by the API's rules, whose messages help more.
function toArgument(name: string, parameter: QueryParameter) {
  const { defaultsTo } = parameter;
  const described = describedAnew[name];
  const description = described ?? parameter.description;
  return toArgumentSchema(parameter)
    .meta({
      description:
        defaultsTo === undefined || described !== undefined
          ? description
          : `${description} Default: \`${defaultsTo}\`.`,
    })
    .optional();
}

function toArgumentSchema(parameter: QueryParameter): z.ZodType {
  const { many, choices, value } = parameter;
  if (choices === undefined && value === undefined && !many) return z.string();
  const schema = toValueSchema(parameter);
  const single = toValueSchema({ ...parameter, many: false });
  return many ? z.union([single, schema], { error: `must be ${parameter.takes}` }) : schema;
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

// Who asks for what is coming wants what comes next, and can be joined.
function asksWhatIsNext({ order, sort = 'startDate', when, from, status }: EventsQuery): boolean {
  const isAhead = when !== undefined || from !== undefined || status?.includes('ended') === false;
  return order === undefined && sort === 'startDate' && isAhead;
}
