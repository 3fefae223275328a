import useSWR from 'swr';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { type EventsQuery, readFilters } from '#lib/events/query/events-query.ts';
import type { SearchNotes } from '#lib/events/view/search-notes.ts';
import { liveOptions, loadLive } from '../_components/load-live.ts';

const listPath = '/api/v1/events';

/** A list from the API, with the server's day. */
export type LiveEvents = Readonly<{
  events: readonly MarqueeEvent[];
  today: string;
  /** The query string of this list: the previous one while the next is loading. */
  search: string;
  /** The same as filters. */
  filters: EventsQuery;
}>;

type LiveOptions = Readonly<{
  /** The query string of the list, with its `?`, or empty. */
  search: string;
  /** The time zone of the server's day. */
  timeZone: string;
  isOn: boolean;
}>;

/**
 * Events from the API, loaded when filters change, when the tab gets the focus, and once a minute.
 * The previous list stays until the next one has loaded.
 */
export function useLiveEvents({ search, timeZone, isOn }: LiveOptions) {
  return useSWR<LiveEvents, Error>(
    isOn ? `${listPath}${search}` : null,
    (url: string) => loadEvents(url, timeZone),
    { ...liveOptions, keepPreviousData: true },
  );
}

async function loadEvents(url: string, timeZone: string): Promise<LiveEvents> {
  const { data, today } = await loadLive<MarqueeEvent[]>(url, timeZone);
  const search = url.slice(listPath.length);
  const filters = readFilters(new URLSearchParams(search));
  return { events: data ?? [], today, search, filters };
}

type SearchNotesOptions = Readonly<{
  isOn: boolean;
  /** What the page was rendered with. */
  rendered: Readonly<{ search: string; notes: SearchNotes }>;
}>;

/** What the server says about filters. Until it has, chips of another search are no longer true. */
export function useSearchNotes(
  search: string,
  { isOn, rendered }: SearchNotesOptions,
): SearchNotes {
  const isRendered = search === rendered.search;
  const isNeeded = isOn && !isRendered && search !== '';
  const { data } = useSWR(isNeeded ? `/search-notes${search}` : null, loadNotes);
  return isRendered ? rendered.notes : (data ?? noNotes);
}

const noNotes: SearchNotes = { chips: [], periodStart: null, nearCity: null, near: null };

async function loadNotes(url: string): Promise<SearchNotes> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`Loading ${url} failed with status ${response.status}.`);
  return (await response.json()).data;
}
