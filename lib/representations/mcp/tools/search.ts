import { z } from 'zod';
import { pick, pickSchemas } from '#lib/events/model/field-lists.ts';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { joinableFirst } from '#lib/events/model/status.ts';
import { searchLengthMax } from '#lib/events/query/query-parameters.ts';
import { correctSearch } from '#lib/events/search/correct-search.ts';
import type { Meaning } from '#lib/events/search/parse-search.ts';
import { createRelevance } from '#lib/events/search/relevance.ts';
import {
  createMatchScore,
  findUnknownWords,
  parseSearchOf,
} from '#lib/events/search/search-matcher.ts';
import { selectEvents } from '#lib/events/search/select-events.ts';
import type { EventsSnapshot } from '#lib/events/source/snapshot.ts';
import { inDirectoryOrder } from '#lib/events/view/directory/sections.ts';
import { toEventTitle, toPlace } from '#lib/events/view/event-facts.ts';
import { eventPageUrl } from '#lib/events/view/site-urls.ts';
import { defineTool } from '../tool.ts';
import { byDistance, createDistances, distanceSchema } from './distance.ts';
import { listMetaSchemas, toListMeta } from './today.ts';

const resultsMax = 20;

const resultFields = [
  'status',
  'state',
  'startDate',
  'endDate',
  'startsAt',
  'endsAt',
  'inPerson',
  'format',
  'price',
  'placesLeft',
] as const;

/** Search in the form that ChatGPT's connectors require. */
export const search = defineTool({
  name: 'search',
  title: 'Search events',
  description:
    'Finds events by a question or by words, as people type them: days (`next weekend`, `before christmas`, `starts tomorrow morning`, `announced this week`), formats (`online`), project types, cities, countries, parts of the world, distances (`near Brussels`, `within 100 km of Ghent`, `closest to Lisbon`), organizers (`by Solder Society`), `free`, `for kids`, `from 16`, `for beginners`, `with places left`, `sold out`, `cancelled`, and words in the name, description, requirements, place or Slack channel. Results match everything; if nothing does, those that match most of it, with `isPartial`. `understood` says which conditions were recognized, and `ignored` which words no event has. The best match of the name comes first, then what is on or starts next, or what is nearest if a distance is asked for; what is full, cancelled or over comes after the others. `didYouMean` is the query with misspelled places corrected. Results have the dates, times, state, format, place, price and places left; pass the `id` of a result to `fetch` for more.',
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
        isPartial: z.boolean().meta({ description: 'Whether it misses a part of the query.' }),
        ...pickSchemas(resultFields),
        place: z.string().nullable().meta({ description: 'Where the event takes place.' }),
        distanceKm: distanceSchema.optional(),
      }),
    ),
    understood: z.array(z.string()).meta({
      description: 'Conditions that were recognized in the query, in words.',
    }),
    ignored: z.array(z.string()).meta({
      description:
        'Words of the query that no event has. Try others, or `list_events` without `q`.',
    }),
    didYouMean: z.string().nullable().meta({
      description: 'The query with the nearest names in place of words that no event has.',
    }),
    meta: z.object(listMetaSchemas),
  }),
  async run({ query }, parts) {
    const snapshot = await parts.events.current();
    const found = selectEvents(snapshot, { q: query });
    const isPartial = found.length === 0;
    const { understood } = parseSearchOf(snapshot, query);
    const center = understood.map(({ meaning }) => meaning).find(isNear)?.value.center ?? null;
    const toDistance = createDistances(center, snapshot);
    const ranked = isPartial
      ? selectByMostWords(snapshot, query)
      : inDirectoryOrder(found, createRelevance(query));
    const ordered = center === null ? ranked : byDistance(ranked, toDistance);
    return {
      results: joinableFirst(ordered)
        .slice(0, resultsMax)
        .map((event) => ({
          id: event.id,
          title: toEventTitle(event),
          url: eventPageUrl(parts.site, event.slug),
          isPartial,
          ...pick(event, resultFields),
          place: toPlace(event),
          ...(center !== null && { distanceKm: toDistance(event) }),
        })),
      understood: understood.map(({ label }) => label),
      ignored: findUnknownWords(query, snapshot),
      didYouMean: correctSearch(query, snapshot),
      meta: toListMeta(found.length, snapshot, parts),
    };
  },
});

const isNear = (meaning: Meaning) => meaning.kind === 'near';

// Questions have words that no event contains.
function selectByMostWords(snapshot: EventsSnapshot, query: string): MarqueeEvent[] {
  const score = createMatchScore(query, snapshot);
  const relevance = createRelevance(query);
  const byScore = Map.groupBy(snapshot.events.entries(), ([position, event]) =>
    score(event, position),
  );
  return [...byScore]
    .filter(([points]) => points > 0)
    .sort(([a], [b]) => b - a)
    .flatMap(([, entries]) =>
      inDirectoryOrder(
        entries.map(([, event]) => event),
        relevance,
      ),
    );
}
