import useSWR from 'swr';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { readServerDay } from '../../_components/live/server-day.ts';

const refreshMs = 60_000;
const focusPauseMs = 5_000;

type LiveEvent = Readonly<{
  /** null: it is no longer listed. */
  event: MarqueeEvent | null;
  today: string;
}>;

/** An event from the API, loaded when the tab gets the focus, and once a minute. */
export function useLiveEvent(id: string, timeZone: string) {
  return useSWR<LiveEvent, Error>(
    `/api/v1/events/${encodeURIComponent(id)}`,
    (url: string) => loadEvent(url, timeZone),
    {
      // The page was rendered from the same event.
      revalidateOnMount: false,
      refreshInterval: refreshMs,
      focusThrottleInterval: focusPauseMs,
    },
  );
}

// `no-cache` revalidates: mostly a 304.
async function loadEvent(url: string, timeZone: string): Promise<LiveEvent> {
  const response = await fetch(url, { cache: 'no-cache' });
  const today = readServerDay(response.headers, timeZone);
  if (response.status === 404) return { event: null, today };
  if (!response.ok) throw new Error(`Loading the event failed with status ${response.status}.`);
  const { data }: { data: MarqueeEvent } = await response.json();
  return { event: data, today };
}
