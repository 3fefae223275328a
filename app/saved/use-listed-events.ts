import useSWR from 'swr';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { liveOptions } from '../_components/live-data.tsx';
import { loadLive } from '../_components/load-live.ts';

type ListedEvents = Readonly<{
  events: readonly MarqueeEvent[];
  today: string;
  /** What was asked for: ids without an event are gone. */
  ids: readonly string[];
}>;

/** Events by their ids, as the API lists them now. */
export function useListedEvents(unsorted: readonly string[], timeZone: string) {
  const ids = unsorted.toSorted();
  return useSWR<ListedEvents, Error>(
    ids.length === 0 ? null : `/api/v1/events?id=${ids.join(',')}`,
    async (url: string) => {
      const { data, today } = await loadLive<MarqueeEvent[]>(url, timeZone);
      return { events: data ?? [], today, ids };
    },
    liveOptions,
  );
}
