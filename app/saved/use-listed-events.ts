import useSWR from 'swr';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import type { SavedEvent } from '#lib/events/saved/saved-events.ts';
import { readServerDay } from '../_components/live/server-day.ts';

const refreshMs = 60_000;

type ListedEvents = Readonly<{
  events: readonly MarqueeEvent[];
  today: string;
  /** What was asked for: ids without an event are gone. */
  ids: readonly string[];
}>;

/** The saved events as the API lists them now. */
export function useListedEvents(saved: readonly SavedEvent[], timeZone: string) {
  const ids = saved.map(({ id }) => id).sort();
  return useSWR<ListedEvents, Error>(
    ids.length === 0 ? null : `/api/v1/events?id=${ids.join(',')}`,
    async (url: string) => {
      const response = await fetch(url, { cache: 'no-cache' });
      if (!response.ok) throw new Error(`Loading events failed with status ${response.status}.`);
      const { data }: { data: MarqueeEvent[] } = await response.json();
      return { events: data, today: readServerDay(response.headers, timeZone), ids };
    },
    { keepPreviousData: true, refreshInterval: refreshMs },
  );
}
