import type { EventsQuery } from './events-query.ts';

/** The filters of the directory's address: those of the list that choose events. */
export type Filters = Pick<EventsQuery, 'status' | 'format' | 'projectType' | 'q' | 'from' | 'to'>;

/** In the order in which addresses hold them, so that equal filters give equal addresses. */
export const filterNames = ['status', 'format', 'projectType', 'q', 'from', 'to'] as const;
export type FilterName = (typeof filterNames)[number];

/** Filters as addresses and forms hold them: texts, several values with commas between them. */
export type FilterTexts = Readonly<Partial<Record<FilterName, string>>>;

type FilterValues = Readonly<Partial<Record<FilterName, string | readonly string[]>>>;

/**
 * Filters as the query of an address, with its `?`; empty where none is on.
 * @param page number of the page of a long list; the first goes unsaid.
 */
export function toSearch(filters: FilterValues, page = 1): string {
  const search = new URLSearchParams();
  for (const name of filterNames) {
    const value = [filters[name] ?? []].flat().join(',').trim();
    if (value !== '') search.set(name, value);
  }
  if (page > 1) search.set('page', String(page));
  // A comma needs no escape in a query (RFC 3986 §3.4), and an address is read by people.
  const text = search.toString().replaceAll('%2C', ',');
  return text === '' ? '' : `?${text}`;
}

/** The filters that the query of an address holds, unchecked. */
export function readFilterTexts(search: string): FilterTexts {
  const given = new URLSearchParams(search);
  const texts: Partial<Record<FilterName, string>> = {};
  for (const name of filterNames) {
    const text = given.get(name);
    if (text) texts[name] = text;
  }
  return texts;
}
