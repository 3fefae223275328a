import useSWR from 'swr';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { type EventsQuery, formatQuery, readFilters } from '#lib/events/query/events-query.ts';
import type { NearEvents } from '#lib/events/search/nearest-events.ts';
import type { SearchChip, SearchContext } from '#lib/events/search/parse-search.ts';
import { findNearEvents } from '#lib/events/view/directory/near-events.ts';
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

/** Suggestions, loaded once nothing matches; until then those that the server found. */
export function useNearEvents(
  filters: EventsQuery,
  { isOn, rendered }: Readonly<{ isOn: boolean; rendered: NearEvents | null }>,
): NearEvents | null {
  const { data } = useSWR(isOn ? `near ${formatQuery(filters)}` : null, () =>
    findNearEvents(filters, {
      // Mostly in the browser's cache, and short where filters apply in the tab.
      all: () => loadList({}),
      find: loadList,
    }),
  );
  return data ?? rendered;
}

type SearchChipsOptions = Readonly<{
  /** The search that the server understood. */
  rendered: Readonly<{ q: string; chips: readonly SearchChip[] }>;
  context: SearchContext;
}>;

const noChips: readonly SearchChip[] = [];

/** What is understood of a search. The parser is loaded with the first search that is typed in this tab. */
export function useSearchChips(q: string, { rendered, context }: SearchChipsOptions) {
  const isTyped = q.trim() !== rendered.q.trim() && q.trim() !== '';
  const { data } = useSWR(isTyped ? `search ${context.today} ${q}` : null, async () => {
    const { parseSearch } = await import('#lib/events/search/parse-search.ts');
    return parseSearch(q, context).chips;
  });
  if (q.trim() === '') return noChips;
  return isTyped ? (data ?? noChips) : rendered.chips;
}

async function loadList(query: EventsQuery): Promise<readonly MarqueeEvent[]> {
  const response = await fetch(`${listPath}${formatQuery(query)}`);
  if (!response.ok) throw new Error(`Loading events failed with status ${response.status}.`);
  return (await response.json()).data;
}
