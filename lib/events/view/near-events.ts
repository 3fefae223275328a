import type { MarqueeEvent } from '../model/schema.ts';
import {
  type EventsQuery,
  expandFormats,
  type FilterName,
  formatQuery,
  withoutFilters,
  withSearch,
} from '../query/events-query.ts';
import { factFilterNames } from '../query/fact-filters.ts';
import { correctSearch } from '../search/correct-search.ts';
import { findMisspelled, nearMax } from '../search/nearest-events.ts';
import { dropMeanings, type Meaning } from '../search/parse-search.ts';
import { parseSearchOf } from '../search/search-matcher.ts';
import { selectEvents } from '../search/select-events.ts';
import type { EventsSnapshot } from '../source/snapshot.ts';
import { inDirectoryOrder } from './directory/sections.ts';
import { selectNext } from './select-views.ts';

/** A condition, as a filter of the query and as words of its search. */
type Condition = Readonly<{ filters: readonly FilterName[]; meanings: readonly Meaning['kind'][] }>;

const days: Condition = {
  filters: ['when', 'from', 'to', 'status'],
  meanings: ['days', 'when', 'status', 'partOfDay'],
};
const kinds: Condition = {
  filters: ['format', 'projectType', 'state', ...factFilterNames, 'maxPrice'],
  meanings: ['format', 'projectType', 'fact', 'age', 'beginners', 'state', 'full'],
};
const places: Condition = {
  filters: ['city', 'country', 'near'],
  meanings: ['city', 'country', 'region', 'worldPart', 'near'],
};

type FoundEvents = Readonly<{ title: string; events: readonly MarqueeEvent[] }>;

/**
 * Events to suggest for filters that match none: of a similar name, or the nearest in meaning, such as the same at
 * another time or elsewhere. What starts next comes first; what has been on for months comes last.
 */
export function findNearEvents(snapshot: EventsSnapshot, filters: EventsQuery): FoundEvents | null {
  const spelled = filters.q ? findMisspelled(snapshot.events, filters.q) : null;
  if (spelled !== null) return spelled;
  const q = correctSearch(filters.q ?? '', snapshot);
  const meant = q === null ? filters : withSearch(filters, q);
  // Past events last, but better than nothing of what was meant.
  const found = q === null ? [] : inDirectoryOrder(selectEvents(snapshot, expandFormats(meant)));
  if (found.length > 0) {
    return { title: `Did you mean “${q}”?`, events: found.slice(0, nearMax) };
  }
  for (const { title, filters: near } of toNearFilters(snapshot, meant)) {
    const events = selectNext(snapshot, near).slice(0, nearMax);
    if (events.length > 0) return { title, events };
  }
  return null;
}

type NearFilters = Readonly<{ title: string; filters: EventsQuery }>;

/** Filters to try when nothing matches, the nearest first; equal ones once. */
export function toNearFilters(snapshot: EventsSnapshot, filters: EventsQuery): NearFilters[] {
  const anyDay = without(snapshot, filters, days);
  const anyPlace = without(snapshot, anyDay, places);
  const understood = toUnderstoodOnly(snapshot, filters);
  const candidates = [
    { title: 'On other days', filters: anyDay },
    { title: 'In other places', filters: anyPlace },
    { title: 'Other kinds of events', filters: without(snapshot, anyDay, kinds) },
    ...(understood === null
      ? []
      : [{ title: `Only “${understood}”`, filters: withSearch(filters, understood) }]),
    { title: 'What else is on', filters: withSearch(filters, '') },
    { title: 'On now and coming up', filters: {} },
  ];
  const tried = new Set([formatQuery(filters)]);
  return candidates.filter((candidate) => {
    const key = formatQuery(candidate.filters);
    if (tried.has(key)) return false;
    tried.add(key);
    return true;
  });
}

/** The words of a search that are understood; null if those are all or none. */
function toUnderstoodOnly(snapshot: EventsSnapshot, { q = '' }: EventsQuery): string | null {
  const { understood, text, chips } = parseSearchOf(snapshot, q);
  return understood.length === 0 || text.length === 0 ? null : (chips.at(-1)?.rest ?? null);
}

function without(
  snapshot: EventsSnapshot,
  query: EventsQuery,
  { filters, meanings }: Condition,
): EventsQuery {
  const others = withoutFilters(query, ...filters);
  const { q } = query;
  return q ? withSearch(others, dropMeanings(parseSearchOf(snapshot, q), meanings)) : others;
}
