import { atItsPlace } from '../model/at-its-place.ts';
import { isOn } from '../model/dates.ts';
import { parsePosition, toDistanceKm } from '../model/position.ts';
import type { EventFormat, MarqueeEvent } from '../model/schema.ts';
import { type EventsQuery, type SortOrder, withinDefaultKm } from '../query/events-query.ts';
import { factFilterNames } from '../query/fact-filters.ts';
import { feedLength } from '../query/query-parameters.ts';
import { isTonight, toDateRange } from '../query/quick-dates.ts';
import { listNameKeys, nameKinds } from '../source/name-index.ts';
import type { EventsSnapshot } from '../source/snapshot.ts';
import { isInTerritory, parseTerritory } from '../words/territories.ts';
import { placeKinds } from './find-place.ts';
import type { ParsedWords } from './parse-search.ts';
import { createPriceTest, type EventTest, understandSearch } from './search-matcher.ts';

/** Selects and sorts the events of a snapshot by a query. */
export function selectEvents(snapshot: EventsSnapshot, query: EventsQuery): MarqueeEvent[] {
  const { events, sorted } = snapshot;
  const matches = toMatcher(query, snapshot);
  const limit = query.limit ?? events.length;
  const selected: MarqueeEvent[] = [];
  const { sort = 'startDate', order = toDefaultOrder(query) } = query;
  for (const position of sorted[sort][order]) {
    if (selected.length >= limit) break;
    const event = events[position];
    if (event !== undefined && matches(event, position)) selected.push(event);
  }
  return selected;
}

/** Who asks for what is upcoming asks for what comes next. */
function toDefaultOrder({ sort = 'startDate', status = [] }: EventsQuery): SortOrder {
  return sort === 'startDate' && status.join() === 'upcoming' ? 'asc' : 'desc';
}

/**
 * Events as a query sees them. Who asks for a place, or for events in person, asks for the days on which people meet
 * there; who asks for online events, too, or for neither, asks for all days.
 */
export function toSeen(query: EventsQuery, snapshot: EventsSnapshot) {
  return createSeen(query, understandSearch(snapshot, query.q ?? ''), snapshot);
}

function createSeen(
  { format = [], city, country, near }: EventsQuery,
  { understood }: ParsedWords,
  { day }: EventsSnapshot,
) {
  const meanings = understood.filter(({ isNot }) => !isNot).map(({ meaning }) => meaning);
  const asksFor = (value: EventFormat) =>
    format.includes(value) ||
    meanings.some((meaning) => meaning.kind === 'format' && meaning.value === value);
  const namesPlace =
    (city ?? country ?? near) !== undefined || meanings.some(({ kind }) => placeKinds.has(kind));
  const asksForPlace = (namesPlace || asksFor('in-person')) && !asksFor('online');
  return (event: MarqueeEvent): MarqueeEvent => (asksForPlace ? atItsPlace(event, day) : event);
}

/** The latest announced events that match, newest first; of any status without a filter. */
export function selectLatest(snapshot: EventsSnapshot, query: EventsQuery): MarqueeEvent[] {
  return selectEvents(snapshot, {
    limit: feedLength,
    ...query,
    sort: 'announcedAt',
    order: 'desc',
  });
}

function toMatcher(query: EventsQuery, snapshot: EventsSnapshot): EventTest {
  const { id, status, state, projectType, format, when, from, to, maxPrice, q } = query;
  const tests: EventTest[] = [];
  const ids = new Set(id);
  if (id) tests.push((event) => ids.has(event.id));
  // As it is published: that of all days.
  if (status) {
    tests.push((_, position) => status.some((each) => snapshot.events[position]?.status === each));
  }
  if (state) tests.push((event) => state.includes(event.state));
  if (format) {
    tests.push((_, position) => {
      const known = snapshot.search.formats[position] ?? null;
      return known !== null && format.includes(known);
    });
  }
  if (projectType) {
    tests.push((event) => event.projectTypes.some((type) => projectType.includes(type)));
  }
  const days = when && toDateRange(when, snapshot.day);
  if (days) tests.push((event) => isOn(event, days));
  if (when === 'tonight') tests.push((event) => isTonight(event, snapshot.day));
  if (from || to) {
    const range = { from: from ?? '', to: to ?? '~' };
    tests.push((event) => isOn(event, range));
  }
  for (const name of factFilterNames) {
    const choice = query[name];
    if (choice) tests.push((_, position) => snapshot.search.facts[name][position] === choice);
  }
  if (maxPrice) tests.push(createPriceTest(maxPrice));
  tests.push(...toPlaceTests(query, snapshot));
  const search = understandSearch(snapshot, q ?? '');
  if (q) tests.push(search.test);
  const toSeenEvent = createSeen(query, search, snapshot);
  return (event, position) => {
    const seen = toSeenEvent(event);
    return tests.every((test) => test(seen, position));
  };
}

/** What a query says about where events are and who runs them. */
function toPlaceTests(query: EventsQuery, { names, search }: EventsSnapshot): EventTest[] {
  const tests: EventTest[] = [];
  for (const kind of nameKinds) {
    const name = query[kind];
    if (name === undefined) continue;
    const wanted = listNameKeys(name, kind);
    tests.push((_, position) => wanted.includes(names.keys[kind][position] ?? ''));
  }
  const { country, near, within = withinDefaultKm } = query;
  if (country !== undefined) {
    const territory = parseTerritory(country)?.territory ?? new Map();
    tests.push(({ state }, position) => {
      const country = search.countries[position] ?? null;
      const region = search.regions[position] ?? null;
      return state !== 'moved-online' && isInTerritory(territory, { country, region });
    });
  }
  const center = near === undefined ? null : parsePosition(near);
  if (center === null) return tests;
  tests.push((_, position) => {
    const place = search.positions[position] ?? null;
    return place !== null && toDistanceKm(center, place) <= within;
  });
  return tests;
}
