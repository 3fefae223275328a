import { roundPosition } from '../model/position.ts';
import type { EventFormat, EventState, EventStatus, ProjectType } from '../model/schema.ts';
import { type FactChoice, type FactFilter, factFilterNames } from './fact-filters.ts';
import type { QuickDates } from './quick-dates.ts';

/** How the directory shows events: as posters, or as a compact list. */
export type DirectoryLayout = 'posters' | 'list';

export const sortKeys = ['startDate', 'announcedAt', 'name', 'price'] as const;
export type SortKey = (typeof sortKeys)[number];
export type SortOrder = 'asc' | 'desc';

type FactFilters = Readonly<{ [Name in FactFilter]?: FactChoice<Name> }>;

/** What a URL selects: filters, and what else the API's list or a page takes. Only what was sent is there. */
export type EventsQuery = FactFilters &
  Readonly<{
    id?: readonly string[];
    status?: readonly EventStatus[];
    state?: readonly EventState[];
    projectType?: readonly ProjectType[];
    format?: readonly EventFormat[];
    q?: string;
    when?: QuickDates;
    from?: string;
    to?: string;
    city?: string;
    /** Its code, or the name of a country, a state or a part of the world. */
    country?: string;
    organizer?: string;
    series?: string;
    /** `10`, or `10EUR` for prices in one currency. */
    maxPrice?: string;
    /** `latitude,longitude`. */
    near?: string;
    /** In km; only with `near`. */
    within?: number;
    sort?: SortKey;
    order?: SortOrder;
    limit?: number;
    /** Of the calendar. */
    alarms?: 'true';
    /** Of the directory, from 1. */
    page?: number;
    view?: DirectoryLayout;
    /** Of the month view: `YYYY-MM`; the current month without it, `invalid` for anything that is no month. */
    month?: string | undefined;
  }>;

/** The distance from `near` without `within`. */
export const withinDefaultKm = 50;

/** The parameters that filter events, in their canonical order, so that equal filters give equal URLs. */
export const filterNames = [
  'status',
  'state',
  'format',
  'projectType',
  'q',
  'when',
  'from',
  'to',
  'city',
  'country',
  'organizer',
  'series',
  ...factFilterNames,
  'maxPrice',
  'near',
  'within',
] as const;
export type FilterName = (typeof filterNames)[number];

const names = [...filterNames, 'id', 'sort', 'order', 'limit', 'page', 'view', 'month'] as const;
const listNames: ReadonlySet<FilterName> = new Set(['status', 'state', 'format', 'projectType']);

/** A query as a URL has it, with its `?`; empty for the first page of posters without filters. */
export function formatQuery(query: EventsQuery): string {
  const search = new URLSearchParams();
  for (const name of names) {
    const value = formatValue(query[name]);
    const isDefault =
      (name === 'page' && value === '1') || (name === 'view' && value === 'posters');
    if (value !== '' && !isDefault) search.set(name, value);
  }
  // A comma needs no escape in a query (RFC 3986 §3.4) and is easier to read.
  const text = search.toString().replaceAll('%2C', ',');
  return text === '' ? '' : `?${text}`;
}

/** A parameter as a URL or a form has it: several values are separated by commas. */
export function formatValue(value: EventsQuery[keyof EventsQuery]): string {
  return [value ?? []].flat().join(',').trim();
}

/** The query that selects a page's events in the API's list, a feed or a calendar. */
export function formatListQuery(query: EventsQuery): string {
  return formatQuery(expandFormats(query));
}

/**
 * The formats that visitors mean: looking for in-person or online events includes those that are both. Pages expand
 * the filter; the API's `format` matches exactly.
 */
export function expandFormats(query: EventsQuery): EventsQuery {
  const { format = [] } = query;
  const isExpanded = format.includes('in-person') || format.includes('online');
  return isExpanded ? { ...query, format: [...new Set([...format, 'both' as const])] } : query;
}

/** Reads the filters of a page’s URL or of a form without validation, which the server does. */
export function readFilters(values: URLSearchParams | FormData): EventsQuery {
  const filters: Record<string, string | readonly string[]> = {};
  for (const name of filterNames) {
    const text = String(values.get(name) ?? '').trim();
    if (text !== '') filters[name] = listNames.has(name) ? text.split(',') : text;
  }
  if (typeof filters.near === 'string') filters.near = roundPosition(filters.near);
  return filters as EventsQuery;
}

/** Whether the first day is after the last. */
export function isReversed({ from, to }: Pick<EventsQuery, 'from' | 'to'>): boolean {
  return Boolean(from && to && from > to);
}

/** A query without the named parameters, and those that need them. */
export function withoutFilters(query: EventsQuery, ...names: FilterName[]): EventsQuery {
  const dropped = names.includes('near') ? [...names, 'within'] : names;
  return Object.fromEntries(
    Object.entries(query).filter(([name]) => !dropped.some((droppedName) => droppedName === name)),
  );
}

/** A query with another search text; empty text removes the search. */
export function withSearch(query: EventsQuery, q: string): EventsQuery {
  return q === '' ? withoutFilters(query, 'q') : { ...query, q };
}

/** The only filter that can have several values on a page. */
const many: FilterName = 'projectType';
/** Ways to choose days, which exclude each other. */
const days: readonly FilterName[] = ['when', 'from', 'to'];

/** Whether a filter has a value, alone or among others. */
export function hasFilter(filters: EventsQuery, name: FilterName, value: string): boolean {
  return valuesOf(filters, name).includes(value);
}

/** Filters with one value turned on, or off if it was on. */
export function toggleFilter(filters: EventsQuery, name: FilterName, value: string): EventsQuery {
  const values = valuesOf(filters, name);
  const others = name === many ? values.filter((other) => other !== value) : [];
  const next = values.includes(value) ? others : [...others, value];
  const rest = withoutFilters(filters, ...(days.includes(name) ? days : [name]));
  if (next.length === 0) return rest;
  // Sorted, so that equal filters give equal URLs.
  return { ...rest, [name]: isText(name) ? next[0] : next.sort() };
}

function valuesOf(filters: EventsQuery, name: FilterName): string[] {
  return [filters[name] ?? []].flat().map(String);
}

function isText(name: FilterName): boolean {
  return !listNames.has(name);
}
