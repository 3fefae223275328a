import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { type EventsQuery, readFilters } from '#lib/events/query/events-query.ts';
import type { SearchNotes } from '#lib/events/view/search-notes.ts';
import { loadLive } from '../_components/load-live.ts';

// Loaded with the first list: a page has its own.

/** A list from the API, with the server's day. */
export type LiveEvents = Readonly<{
  events: readonly MarqueeEvent[];
  today: string;
  /** The query string of this list: the previous one while the next is loading. */
  search: string;
  /** The same as filters. */
  filters: EventsQuery;
}>;

export async function loadEvents(url: string, timeZone: string): Promise<LiveEvents> {
  const { data, today } = await loadLive<MarqueeEvent[]>(url, timeZone);
  const search = toSearch(url);
  const filters = readFilters(new URLSearchParams(search));
  return { events: data ?? [], today, search, filters };
}

export async function loadNotes(url: string): Promise<{ search: string; notes: SearchNotes }> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`Loading ${url} failed with status ${response.status}.`);
  return { search: toSearch(url), notes: (await response.json()).data };
}

function toSearch(path: string): string {
  const start = path.indexOf('?');
  return start === -1 ? '' : path.slice(start);
}
