import { z } from 'zod';
import { isCalendarDate } from '#lib/events/model/dates.ts';
import { pickSchemas, plainFields } from '#lib/events/model/field-lists.ts';
import { eventSchema, type MarqueeEvent } from '#lib/events/model/schema.ts';
import { type EventsQuery, expandFormats } from '#lib/events/query/events-query.ts';
import { parseEventsQuery } from '#lib/events/query/parse-query.ts';
import {
  listParameters,
  type QueryParameter,
  searchLengthMax,
  toValueSchema,
} from '#lib/events/query/query-parameters.ts';
import { foldText } from '#lib/events/search/fold-text.ts';
import { parseDays } from '#lib/events/search/parse-days.ts';
import { requireEvent } from '#lib/events/search/require-event.ts';
import { createMatchScore } from '#lib/events/search/search-matcher.ts';
import { selectEvents } from '#lib/events/search/select-events.ts';
import type { EventsSnapshot } from '#lib/events/source/snapshot.ts';
import { inDirectoryOrder } from '#lib/events/view/directory/sections.ts';
import { toEventTitle, toPlace } from '#lib/events/view/event-facts.ts';
import { toPublished } from '#lib/events/view/events-json.ts';
import { eventPageUrl } from '#lib/events/view/site-urls.ts';
import { createApiError } from '#lib/http/errors/errors.ts';
import { toEventPageMarkdown } from '../markdown/pages/event.ts';
import { eventItemSchema, eventListSchema } from '../openapi/schemas.ts';
import { defineTool, type Tool } from './tool.ts';

/** Events of a call without `limit`: a whole table would fill a model's context. */
const limitDefault = 20;

/** Without what tells a model nothing. */
const listedEventSchema = z.object(pickSchemas(plainFields));
const { count, generatedAt } = eventListSchema.shape.meta.shape;

/** Arguments that mean what people mean, where the API's parameters are exact. */
const describedAnew: Readonly<Record<string, string>> = {
  format:
    'How people can join: `online` means “can be joined online”, `in-person` “can be attended in person”; both include events that are both. `both` alone means only those.',
  order:
    'Sort order. Default: `asc`, so that the next event comes first, if `when`, `from` or `status` without `ended` asks for what is on or coming up; else `desc`.',
};

/** The list of the API, by the same parameters. */
const listEvents = defineTool({
  name: 'list_events',
  title: 'List events',
  description: `Lists events by status, dates, format, project types, words, city, country, organizer, series or distance from a point: what is on this weekend (\`when: weekend\`), what can be joined online (\`format: online\`), what comes next (\`status: upcoming\`, \`limit: 1\`). With \`when\`, \`from\` or a \`status\` other than \`ended\`, events are sorted by start date, the earliest first, and \`limit\` takes the first ones; otherwise the latest come first. Events have the fields of \`GET /api/v1/events\`, without the styling of their posters. Returns ${limitDefault} events if \`limit\` is left out; \`meta.total\` says how many match.`,
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
    const snapshot = await events.current();
    requireDates(input, snapshot.day);
    const { limit = limitDefault, ...query } = parseArguments(input);
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
  const { many, choices, bounds } = parameter;
  if (choices === undefined && bounds === undefined && !many) return z.string();
  const schema = toValueSchema(parameter);
  const single = toValueSchema({ ...parameter, many: false });
  return many ? z.union([single, schema], { error: `must be ${parameter.takes}` }) : schema;
}

/** Models pass on what people say, `next weekend`: the error has the days to send, as of today. */
function requireDates(input: Readonly<Record<string, unknown>>, today: string): void {
  for (const name of ['from', 'to']) {
    const text = String(input[name] ?? '');
    const words = foldText(text).split(/\s+/).filter(Boolean);
    const named = isCalendarDate(text) ? null : parseDays(words, today);
    if (named === null || named.days.isYearly || named.count < words.length) continue;
    const { from, to } = named.days;
    throw createApiError('bad_request', {
      message: `\`${name}\` must be a date, as \`YYYY-MM-DD\`. Today is ${today}.`,
      hint: `For “${words.join(' ')}”, send \`"from": "${from}", "to": "${to}"\`.`,
    });
  }
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

const getEvent = defineTool({
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
    const event = await requireEvent(snapshot, id);
    return {
      data: toPublished(event, snapshot.signedUrls),
      meta: { generatedAt: snapshot.generatedAt },
    };
  },
});

const resultsMax = 20;

/** Search in the form that ChatGPT's connectors require. */
const search = defineTool({
  name: 'search',
  title: 'Search events',
  description:
    'Finds events by a question or by words, as people type them: days (`next weekend`, `5 december`), formats (`online`), project types, cities, countries, and words in the name, description, requirements, place or Slack channel. Events that match everything win; if there are none, those that match most of it. Current and upcoming events come first. Results have the dates, times, state, format and place; pass the `id` of a result to `fetch` for more.',
  inputSchema: z.strictObject({
    query: z.string().trim().min(1).max(searchLengthMax).meta({
      description: 'What to look for, such as `robots in lisbon` or `online this weekend`.',
    }),
  }),
  outputSchema: z.object({
    results: z.array(
      z.object({
        id: z.string().meta({ description: 'Pass it to `fetch`.' }),
        title: z.string(),
        url: z.url().meta({ description: 'The page to cite.' }),
        status: eventSchema.shape.status,
        state: eventSchema.shape.state,
        startDate: eventSchema.shape.startDate,
        endDate: eventSchema.shape.endDate,
        startsAt: eventSchema.shape.startsAt,
        endsAt: eventSchema.shape.endsAt,
        format: eventSchema.shape.format,
        place: z.string().nullable().meta({ description: 'Where the event takes place.' }),
      }),
    ),
  }),
  async run({ query }, { site, events }) {
    const snapshot = await events.current();
    const found = selectEvents(snapshot, { q: query });
    const ranked = found.length > 0 ? inDirectoryOrder(found) : selectByMostWords(snapshot, query);
    return {
      results: ranked.slice(0, resultsMax).map((event) => ({
        id: event.id,
        title: toEventTitle(event),
        url: eventPageUrl(site, event.slug),
        status: event.status,
        state: event.state,
        startDate: event.startDate,
        endDate: event.endDate,
        startsAt: event.startsAt,
        endsAt: event.endsAt,
        format: event.format,
        place: toPlace(event),
      })),
    };
  },
});

// Questions have words that no event contains.
function selectByMostWords(snapshot: EventsSnapshot, query: string): MarqueeEvent[] {
  const score = createMatchScore(query, snapshot);
  const byScore = Map.groupBy(snapshot.events.entries(), ([position, event]) =>
    score(event, position),
  );
  return [...byScore]
    .filter(([points]) => points > 0)
    .sort(([a], [b]) => b - a)
    .flatMap(([, entries]) => inDirectoryOrder(entries.map(([, event]) => event)));
}

/** One event as a document, in the form that ChatGPT's connectors require. */
const fetchEvent = defineTool({
  name: 'fetch',
  title: 'Read an event',
  description:
    'Returns the whole page of an event as Markdown, by the `id` of a search result. For its data, use `get_event`.',
  inputSchema: z.strictObject({
    id: z.string().min(1).max(200).meta({ description: 'An event’s id or slug.' }),
  }),
  outputSchema: z.object({
    id: z.string(),
    title: z.string(),
    text: z.string().meta({ description: 'The page as Markdown.' }),
    url: z.url().meta({ description: 'The page to cite.' }),
    metadata: z.record(z.string(), z.string()).meta({ description: 'Status, dates and place.' }),
  }),
  async run({ id }, { site, events }) {
    const snapshot = await events.current();
    const event = await requireEvent(snapshot, id);
    return {
      id: event.id,
      title: toEventTitle(event),
      text: toEventPageMarkdown(event, { site, snapshot }),
      url: eventPageUrl(site, event.slug),
      metadata: toMetadata(event),
    };
  },
});

function toMetadata(event: MarqueeEvent): Record<string, string> {
  const { status, startDate, endDate, startsAt, endsAt, format, price } = event;
  const organizer = event.organizer?.name ?? null;
  const dates = { status, startDate, endDate, startsAt, endsAt };
  const facts = { ...dates, format, place: toPlace(event), organizer, price };
  return Object.fromEntries(
    Object.entries(facts).filter((fact): fact is [string, string] => fact[1] !== null),
  );
}

/** All tools, in the order of `tools/list`. */
export const tools: readonly Tool[] = [search, fetchEvent, listEvents, getEvent];
