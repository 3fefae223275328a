import useSWR from 'swr';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { createTimeZone } from '#lib/events/model/time-zone.ts';

const listPath = '/api/v1/events';
const refreshMs = 60_000;
const focusPauseMs = 5_000;

/** A list as the API gave it, on the server's day. */
export type LiveEvents = Readonly<{
  events: readonly MarqueeEvent[];
  today: string;
  /** The query that these events answer: while others are awaited, not the one that is asked. */
  search: string;
}>;

type LiveOptions = Readonly<{
  /** The query of the list, with its `?`, or empty. */
  search: string;
  /** The zone in which the server takes its day. */
  timeZone: string;
  isOn: boolean;
}>;

/**
 * Events from the API: asked for when filters change, when the tab is looked at again, and once a
 * minute. Until an answer is there, the one before it stays.
 */
export function useLiveEvents({ search, timeZone, isOn }: LiveOptions) {
  return useSWR<LiveEvents, Error>(
    isOn ? `${listPath}${search}` : null,
    (address: string) => loadEvents(address, timeZone),
    {
      keepPreviousData: true,
      // The page has just been made from the same events.
      revalidateOnMount: false,
      refreshInterval: refreshMs,
      focusThrottleInterval: focusPauseMs,
    },
  );
}

// `no-cache`: the server is asked whether anything changed, and mostly answers that nothing did.
async function loadEvents(address: string, timeZone: string): Promise<LiveEvents> {
  const response = await fetch(address, { cache: 'no-cache' });
  if (!response.ok) throw new Error(`The list of events answered ${response.status}.`);
  const { data }: { data: MarqueeEvent[] } = await response.json();
  // The visitor's clock may be wrong; the server's day is the one that statuses go by.
  const sentAt = Date.parse(response.headers.get('date') ?? '');
  const today = createTimeZone(timeZone).dayAt(Number.isNaN(sentAt) ? Date.now() : sentAt);
  return { events: data, today, search: address.slice(listPath.length) };
}
