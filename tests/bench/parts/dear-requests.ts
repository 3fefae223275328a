import { findEvent } from '../servers/events-table.ts';

/** A request that misses every cache; `path` gives another URL each time. */
export type DearRequest = Readonly<{
  name: string;
  toPath: () => string;
  headers?: Readonly<Record<string, string>>;
  /** Sent by POST. */
  body?: Uint8Array;
}>;

const html = { Accept: 'text/html', 'Accept-Encoding': 'br' };
const badKey = {
  Authorization: `Bearer mq_${'x'.repeat(49)}`,
  'Content-Type': 'application/json',
};

/** What costs a server most, among what anybody may request. */
export async function toDearRequests(url: string): Promise<readonly DearRequest[]> {
  const event = await findEvent(url);
  const response = await fetch(`${url}/api/v1/events`);
  const { data } = (await response.json()) as { data: { id: string; slug: string }[] };
  const next = createCounter();
  const toEvent = () => data[next() % data.length] ?? event;
  return [
    { name: 'search page', toPath: () => `/?q=${next()}`, headers: html },
    { name: 'month view', toPath: () => `/calendar?q=${next()}`, headers: html },
    { name: 'event page', toPath: () => `/events/${toEvent().slug}`, headers: html },
    { name: 'unknown slug', toPath: () => `/events/${crypto.randomUUID()}`, headers: html },
    {
      name: 'slug with a typo',
      toPath: () => `/events/${toEvent().slug}-x${next()}`,
      headers: html,
    },
    { name: 'Open Graph image', toPath: () => `/media/og/${toEvent().id}.jpg` },
    { name: 'list as JSON', toPath: () => `/api/v1/events?q=${next()}` },
    {
      name: 'list as a calendar',
      toPath: () => `/api/v1/events/calendar.ics?from=${toDay(next())}`,
    },
    {
      name: '4 MB with a bad key',
      toPath: () => '/proxy/v1/chat/completions',
      headers: badKey,
      body,
    },
  ];
}

const body = Buffer.alloc(4 * 1024 * 1024 - 100, 'x');

function createCounter(): () => number {
  let count = 0;
  return () => count++;
}

// From the first day of the calendar on: all events, under another URL.
function toDay(number: number): string {
  return new Date(Date.UTC(1900, 0, 1 + (number % 30_000))).toISOString().slice(0, 10);
}
