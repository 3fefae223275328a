import useSWR from 'swr';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { readServerDay } from '../_components/live/server-day.ts';

const listPath = '/api/v1/events';
const refreshMs = 60_000;
const focusPauseMs = 5_000;

/** A list from the API, with the server's day. */
export type LiveEvents = Readonly<{
  events: readonly MarqueeEvent[];
  today: string;
  /** The query string of this list: the previous one while the next is loading. */
  search: string;
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
    {
      keepPreviousData: true,
      // The page was rendered from the same events.
      revalidateOnMount: false,
      refreshInterval: refreshMs,
      focusThrottleInterval: focusPauseMs,
    },
  );
}

// `no-cache` revalidates: mostly a 304.
async function loadEvents(url: string, timeZone: string): Promise<LiveEvents> {
  const response = await fetch(url, { cache: 'no-cache' });
  if (!response.ok) throw new Error(`Loading events failed with status ${response.status}.`);
  const { data }: { data: MarqueeEvent[] } = await response.json();
  const today = readServerDay(response.headers, timeZone);
  return { events: data, today, search: url.slice(listPath.length) };
}
