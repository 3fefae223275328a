import type { EventFormat } from '../model/schema.ts';
import type { EventsQuery } from './events-query.ts';

/** The filters in the directory's URL. */
export type Filters = Pick<EventsQuery, FilterName>;

/** In their canonical order, so that equal filters give equal URLs. */
export const filterNames = [
  'status',
  'state',
  'format',
  'projectType',
  'q',
  'when',
  'from',
  'to',
] as const;
export type FilterName = (typeof filterNames)[number];

/** Filters as in URLs and forms: several values are separated by commas. */
export type FilterTexts = Readonly<Partial<Record<FilterName, string>>>;

export type FilterValues = Readonly<Partial<Record<FilterName, string | readonly string[]>>>;

/**
 * Filters as a URL's query with its `?`; empty without filters.
 * @param page page number; 1 is left out.
 */
export function toSearch(filters: FilterValues, page = 1): string {
  const search = new URLSearchParams();
  for (const name of filterNames) {
    const value = [filters[name] ?? []].flat().join(',').trim();
    if (value !== '') search.set(name, value);
  }
  if (page > 1) search.set('page', String(page));
  // A comma needs no escape in a query (RFC 3986 §3.4) and is easier to read.
  const text = search.toString().replaceAll('%2C', ',');
  return text === '' ? '' : `?${text}`;
}

/**
 * The formats that visitors mean: looking for in-person or online events includes those that are both. Pages expand
 * the filter; the API's `format` matches exactly.
 */
export function expandFormats<Format extends string>(
  formats: readonly Format[],
): (Format | EventFormat)[] {
  const isExpanded = formats.some((format) => format === 'in-person' || format === 'online');
  return isExpanded ? [...new Set([...formats, 'both' as const])] : [...formats];
}

/** Converts a page's filters to those of `selectEvents`. */
export function toListFilters(filters: Filters): Filters {
  const { format } = filters;
  return format === undefined ? filters : { ...filters, format: expandFormats(format) };
}

/** The query that selects a page's events in the API's list, a feed or a calendar. */
export function toListSearch(filters: FilterValues): string {
  const formats = [filters.format ?? []].flat().flatMap((text) => text.split(','));
  return toSearch({ ...filters, format: expandFormats(formats) });
}

/** The filters of a URL's query, not validated. */
export function readFilterTexts(search: string): FilterTexts {
  const parameters = new URLSearchParams(search);
  const texts: Partial<Record<FilterName, string>> = {};
  for (const name of filterNames) {
    const text = parameters.get(name);
    if (text) texts[name] = text;
  }
  return texts;
}
