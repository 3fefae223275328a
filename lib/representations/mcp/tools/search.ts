import { z } from 'zod';
import { eventSchema, type MarqueeEvent } from '#lib/events/model/schema.ts';
import { searchLengthMax } from '#lib/events/query/query-parameters.ts';
import { createMatchScore } from '#lib/events/search/search-matcher.ts';
import { requireEvent, selectEvents } from '#lib/events/search/select-events.ts';
import type { EventsSnapshot } from '#lib/events/source/snapshot.ts';
import { toSections } from '#lib/events/view/directory/sections.ts';
import { toEventTitle, toPlace } from '#lib/events/view/event-facts.ts';
import { eventPageUrl } from '#lib/events/view/site-urls.ts';
import { toEventPageMarkdown } from '../../markdown/pages/event.ts';
import { defineTool } from './tool.ts';

const resultsMax = 20;

/** Search in the form that ChatGPT's connectors require. */
export const search = defineTool({
  name: 'search',
  title: 'Search events',
  description:
    'Finds events by a question or by words, as people type them: days (`next weekend`, `5 december`), formats (`online`), project types, cities, countries, and words in the name, description, requirements, place or Slack channel. Events that match everything win; if there are none, those that match most of it. Current and upcoming events come first. Results have the dates, state, format and place; pass the `id` of a result to `fetch` for more.',
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
        format: eventSchema.shape.format,
        place: z.string().nullable().meta({ description: 'Where the event takes place.' }),
      }),
    ),
  }),
  async run({ query }, { site, events }) {
    const snapshot = await events.current();
    const found = selectEvents(snapshot, { q: query });
    const ranked = found.length > 0 ? inOrder(found) : selectByMostWords(snapshot, query);
    return {
      results: ranked.slice(0, resultsMax).map((event) => ({
        id: event.id,
        title: toEventTitle(event),
        url: eventPageUrl(site, event.slug),
        status: event.status,
        state: event.state,
        startDate: event.startDate,
        endDate: event.endDate,
        format: event.format,
        place: toPlace(event),
      })),
    };
  },
});

function inOrder(events: readonly MarqueeEvent[]): MarqueeEvent[] {
  const { onNow, comingUp, openEnded, past } = toSections(events);
  return [...onNow, ...comingUp, ...openEnded, ...past];
}

// Questions have words that no event contains.
function selectByMostWords(snapshot: EventsSnapshot, query: string): MarqueeEvent[] {
  const score = createMatchScore(query, snapshot);
  const byScore = Map.groupBy(snapshot.events.entries(), ([position, event]) =>
    score(event, position),
  );
  return [...byScore]
    .filter(([points]) => points > 0)
    .sort(([a], [b]) => b - a)
    .flatMap(([, entries]) => inOrder(entries.map(([, event]) => event)));
}

/** One event as a document, in the form that ChatGPT's connectors require. */
export const fetchEvent = defineTool({
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
    const event = requireEvent(snapshot, id);
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
