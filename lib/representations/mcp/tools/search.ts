import { z } from 'zod';
import { pick, pickSchemas } from '#lib/events/model/field-lists.ts';
import { searchLengthMax } from '#lib/events/query/query-parameters.ts';
import { correctSearch } from '#lib/events/search/correct-search.ts';
import { understandSearch } from '#lib/events/search/search-matcher.ts';
import { toMapLinks } from '#lib/events/view/city-marks.ts';
import { findClosest } from '#lib/events/view/closest-events.ts';
import { toAddress, toEventTitle, toPlace } from '#lib/events/view/event-facts.ts';
import { createDistances, findCenter, rankEvents } from '#lib/events/view/rank-events.ts';
import { eventPageUrl } from '#lib/events/view/site-urls.ts';
import { defineTool } from '../tool.ts';
import { distanceSchema } from './distance.ts';
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
    'Finds events by a question or by words, as people type them: days (`next weekend`, `before christmas`, `starts tomorrow morning`, `announced this week`), formats (`online`), project types, cities, countries, parts of the world, distances (`near Brussels`, `within 100 km of Ghent`, `closest to Lisbon`), organizers (`by Solder Society`), `free`, `for kids`, `from 16`, `for beginners`, `with places left`, `sold out`, `cancelled`, and words in the name, description, requirements, place or Slack channel. A name of an event wins over the other words: `is Harbour Hack full?` finds that event. `not` is understood before a condition (`not online`), and prices are (`under 10 euro`, `paid`, `cheap`). Questions may be in German, Spanish, French, Portuguese, Japanese, Korean, Chinese, Arabic, Turkish or Polish, too. Results match everything; if nothing does, `without` names the condition that was left out, and the results are what comes closest, with `isPartial`. `understood` says which conditions were recognized, and `ignored` which words no event has. The best match of the name comes first, then what is on or starts next, or what is nearest if a distance is asked for; what is full, cancelled or over comes after the others. `didYouMean` is the query with misspelled places corrected. Results have the dates, times, state, format, place, price and places left; pass the `id` of a result to `fetch` for more.',
  inputSchema: z.strictObject({
    query: z.string().trim().min(1).max(searchLengthMax).meta({
      description: 'What to look for, such as `robots in lisbon` or `online this weekend`.',
    }),
  }),
  outputSchema: z.object({
    without: z.string().nullable().meta({
      description:
        'The condition that no event meets together with the others, as it was typed: the results are without it. `null` if they match everything.',
    }),
    results: z.array(
      z.object({
        id: z.string().meta({ description: 'Pass it to `fetch`.' }),
        title: z.string(),
        url: z.url().meta({ description: 'The page to cite.' }),
        isPartial: z.boolean().meta({ description: 'Whether it misses a part of the query.' }),
        ...pickSchemas(resultFields),
        place: z.string().nullable().meta({ description: 'Where the event takes place.' }),
        address: z.string().nullable().meta({ description: 'The address of the place.' }),
        mapUrl: z.url().nullable().meta({ description: 'The place on a map.' }),
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
  async run({ query: q }, parts) {
    const snapshot = await parts.events.current();
    const query = { q };
    const found = rankEvents(snapshot, query);
    const closest = found.length > 0 ? null : findClosest(snapshot, query);
    const search = understandSearch(snapshot, q);
    const unknown = search.text.filter((word) => !search.isKnown(word));
    const center = findCenter(snapshot, query);
    const toDistance = closest?.toDistance ?? createDistances(center, snapshot);
    return {
      without: closest?.without ?? null,
      results: (closest?.events ?? found).slice(0, resultsMax).map((event) => {
        const distanceKm = toDistance(event);
        return {
          id: event.id,
          title: toEventTitle(event),
          url: eventPageUrl(parts.site, event.slug),
          isPartial: closest !== null,
          ...pick(event, resultFields),
          place: toPlace(event),
          address: toAddress(event),
          mapUrl: toMapLinks(event).find(({ name }) => name === 'OpenStreetMap')?.url ?? null,
          ...(distanceKm !== null && { distanceKm }),
        };
      }),
      understood: search.understood.map(({ label }) => label),
      ignored: unknown.map(({ typed }) => typed),
      didYouMean: search.corrected ?? correctSearch(search.words, unknown, snapshot.search),
      meta: toListMeta(found.length, snapshot, parts),
    };
  },
});
