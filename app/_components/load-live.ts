import { createTimeZone } from '#lib/events/model/zoned-time.ts';

/** What the API says now. */
export type Live<T> = Readonly<{
  /** null: there is no such thing any more. */
  data: T | null;
  /** Of the server, in the site's time zone: statuses depend on it, and the visitor's clock may be wrong. */
  today: string;
}>;

/** Loads from the events API. `no-cache` revalidates: mostly a 304. */
export async function loadLive<T>(url: string, timeZone: string): Promise<Live<T>> {
  const response = await fetch(url, { cache: 'no-cache' });
  const sentAt = Date.parse(response.headers.get('date') ?? '');
  const today = createTimeZone(timeZone).dayAt(Number.isNaN(sentAt) ? Date.now() : sentAt);
  if (response.status === 404) return { data: null, today };
  if (!response.ok) throw new Error(`Loading ${url} failed with status ${response.status}.`);
  return { data: (await response.json()).data, today };
}
