import type { Position } from '../model/position.ts';
import type { MarqueeEvent } from '../model/schema.ts';
import { joinableFirst } from '../model/status.ts';
import {
  type EventsQuery,
  expandFormats,
  type FilterName,
  formatQuery,
  withoutFilters,
  withSearch,
} from '../query/events-query.ts';
import { correctSearch } from '../search/correct-search.ts';
import { findNearPlace } from '../search/find-place.ts';
import { dropWords, joinTyped, type Meaning, type ParsedWords } from '../search/parse-search.ts';
import { understandSearch } from '../search/search-matcher.ts';
import type { Word } from '../search/search-words.ts';
import type { EventsSnapshot } from '../source/snapshot.ts';
import { findLargestCityIn } from '../words/cities.ts';
import { describeFilter } from '../words/filter-words.ts';
import { foldText } from '../words/fold-text.ts';
import { parseTerritory, type Territory } from '../words/territories.ts';
import { createDistances, findCenter, rankEvents, type ToDistance } from './rank-events.ts';
import { selectNext } from './select-views.ts';

/** What comes closest to a query that no event meets. */
export type Closest = Readonly<{
  /** The condition that was left out, as it was typed, or in words if it is a filter; null if names were misspelled. */
  without: string | null;
  /** The search with the nearest names in place of words that no event has; null without one. */
  didYouMean: string | null;
  /** What is on or coming up, in the order of `rankEvents`; if nothing is, what is over. */
  events: readonly MarqueeEvent[];
  /** How far they are from the place that was asked for; null for each without one. */
  toDistance: ToDistance;
}>;

/** How many are offered to those who have not asked for a number. */
export const closestMax = 3;

/**
 * The events that come closest to a query that no event meets: with names spelled right, or without one of its
 * conditions, or, if need be, without several. Null if there are none.
 */
export function findClosest(snapshot: EventsSnapshot, query: EventsQuery): Closest | null {
  const { q = '' } = query;
  const search = understandSearch(snapshot, q);
  const unknown = search.text.filter((word) => !search.isKnown(word));
  const didYouMean = correctSearch(search.words, unknown, snapshot.search);
  if (didYouMean === null) return findWithout(snapshot, query);
  const meant = withSearch(query, didYouMean);
  const found = rankAhead(snapshot, meant);
  return found === null ? findWithout(snapshot, meant) : { without: null, didYouMean, ...found };
}

function findWithout(snapshot: EventsSnapshot, query: EventsQuery): Closest | null {
  const { understood, text } = understandSearch(snapshot, query.q ?? '');
  const others = understood.length + text.length > saidMax ? [] : listOthers(snapshot, query);
  for (const { without, query: other } of others) {
    const found = rankAhead(snapshot, other);
    if (found !== null) return { without, didYouMean: null, ...found };
  }
  const dropped: string[] = [];
  let rest = query;
  for (const leaveOut of [leaveOutWords, ...conditions.map(createLeaveOut)]) {
    const other = leaveOut(snapshot, rest);
    if (other === null) continue;
    dropped.push(other.without);
    rest = other.query;
    const found = dropped.length > 1 ? rankAhead(snapshot, rest) : null;
    if (found !== null) return { without: dropped.join(', '), didYouMean: null, ...found };
  }
  return null;
}

function rankAhead(snapshot: EventsSnapshot, query: EventsQuery) {
  const found = rankEvents(snapshot, expandFormats(query));
  if (found.length === 0) return null;
  const center = findCenter(snapshot, query);
  const ahead = found.filter(({ status }) => status !== 'ended');
  // What has been on for months comes last, unless it is near.
  const next = center === null ? joinableFirst(selectNext(snapshot, query)) : ahead;
  return {
    events: next.length > 0 ? next : found,
    toDistance: createDistances(center, snapshot),
  };
}

/** A query without a condition. */
type Other = Readonly<{ without: string; query: EventsQuery }>;
type LeaveOut = (snapshot: EventsSnapshot, query: EventsQuery) => Other | null;

/** To bound the time that it takes. */
const droppedMax = 3;
/** Of a search that says more, which nobody asks, several conditions are left out at once. */
const saidMax = 8;

/** The query without one of its conditions, in the order in which people do without them. */
export function listOthers(snapshot: EventsSnapshot, query: EventsQuery): Other[] {
  const search = understandSearch(snapshot, query.q ?? '');
  const unknown = search.text.filter((word) => !search.isKnown(word));
  const last = search.text.slice(-droppedMax).toReversed();
  const others = [
    dropText(query, search, unknown),
    ...last.map((word) => dropText(query, search, [word])),
    leaveOutWords(snapshot, query),
    ...conditions.map((condition) => createLeaveOut(condition)(snapshot, query)),
  ].filter((other) => other !== null);
  return [...new Map(others.map((other) => [other.without, other])).values()];
}

function leaveOutWords(snapshot: EventsSnapshot, query: EventsQuery): Other | null {
  const search = understandSearch(snapshot, query.q ?? '');
  return dropText(query, search, search.text);
}

function dropText(query: EventsQuery, { words }: ParsedWords, text: readonly Word[]): Other | null {
  if (text.length === 0) return null;
  return toAsked(joinTyped(text), withSearch(query, dropWords(words, new Set(text))));
}

/** Without all that was asked, everything is on. */
function toAsked(without: string, query: EventsQuery): Other | null {
  return formatQuery(query) === '' ? null : { without, query };
}

/** As filters of a query, and as words of its search. */
type Condition = Readonly<{
  filters: readonly FilterName[];
  meanings: readonly Meaning['kind'][];
  /** What is asked instead. */
  toWider?: (
    rest: EventsQuery,
    asked: Readonly<{ snapshot: EventsSnapshot; query: EventsQuery; meanings: readonly Meaning[] }>,
  ) => EventsQuery;
}>;

/** Half of the Earth's circumference. */
const anywhereKm = 20_000;

/** Wherever people meet, so that the nearest place and the days there count. */
const toWherever: Condition['toWider'] = (rest, { snapshot, query, meanings }) => {
  const center = findCenter(snapshot, query) ?? findCenterOfPlace(snapshot, query, meanings);
  if (center === null) return rest;
  return { ...rest, near: `${center.latitude},${center.longitude}`, within: anywhereKm };
};

/** Where a city is, or the largest city of a country. */
function findCenterOfPlace(
  { search: { vocabulary } }: EventsSnapshot,
  query: EventsQuery,
  meanings: readonly Meaning[],
): Position | null {
  const city = meanings.find((meaning) => meaning.kind === 'city')?.value ?? query.city;
  if (city !== undefined) return findNearPlace(foldText(city), vocabulary)?.center ?? null;
  const named = query.country === undefined ? null : parseTerritory(query.country);
  const territories = meanings.flatMap((meaning) => (isTerritory(meaning) ? [meaning.value] : []));
  const [first = null] = territories[0] ?? named?.territory ?? [];
  return first && findLargestCityIn(first[0], first[1]);
}

type TerritoryMeaning = Extract<Meaning, Readonly<{ value: Territory }>>;

function isTerritory(meaning: Meaning): meaning is TerritoryMeaning {
  return meaning.kind === 'country' || meaning.kind === 'region' || meaning.kind === 'worldPart';
}

const conditions: readonly Condition[] = [
  { filters: ['price', 'maxPrice'], meanings: ['price'] },
  { filters: ['audience'], meanings: ['age', 'beginners', 'fact'] },
  {
    filters: ['city', 'country', 'near'],
    meanings: ['city', 'country', 'region', 'worldPart', 'near'],
    toWider: toWherever,
  },
  {
    filters: ['when', 'from', 'to', 'status'],
    meanings: ['days', 'when', 'status', 'partOfDay'],
    // On other days, all that is ahead.
    toWider: (rest) => (formatQuery(rest) === '' ? { status: ['ongoing', 'upcoming'] } : rest),
  },
  {
    filters: ['format', 'projectType', 'state', 'hasPlaces', 'organizer', 'series'],
    meanings: ['format', 'projectType', 'state', 'full', 'organizer', 'series', 'text'],
  },
];

function createLeaveOut({ filters, meanings, toWider }: Condition): LeaveOut {
  return (snapshot, query) => {
    const { words, understood } = understandSearch(snapshot, query.q ?? '');
    const meant = understood.filter(({ meaning }) => meanings.includes(meaning.kind));
    const own = new Set(meant.flatMap((found) => [...found.own]));
    const typed = joinTyped(words.filter((word) => own.has(word)));
    const without = [...describeFilters(query, filters), typed].filter(Boolean).join(', ');
    if (without === '') return null;
    const left = withoutFilters(query, ...filters);
    const rest = own.size === 0 ? left : withSearch(left, dropWords(words, own));
    const asked = { snapshot, query, meanings: meant.map(({ meaning }) => meaning) };
    return toAsked(without, toWider?.(rest, asked) ?? rest);
  };
}

function describeFilters(query: EventsQuery, names: readonly FilterName[]): string[] {
  return names.flatMap((name) => {
    const values = [query[name] ?? []].flat().map(String);
    return values.length === 0 ? [] : [describeFilter(name, values)];
  });
}

/** What was left out, as a title: `Closest, without “Paris”: from 263 km away`. */
export function describeClosest({ without, didYouMean, events, toDistance }: Closest): string {
  if (without === null) return `Did you mean “${didYouMean}”?`;
  const [first] = events;
  const km = first === undefined ? null : toDistance(first);
  return `Closest, without “${without}”${km === null ? '' : `: from ${Math.round(km)} km away`}`;
}
