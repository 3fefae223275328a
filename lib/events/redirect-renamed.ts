import { toCacheControl } from '#lib/http/freshness.ts';
import { prepareResponse } from '#lib/http/prepared-response.ts';
import { findRenamed } from './store/former-slugs.ts';
import type { EventsLoader } from './store/loader.ts';
import type { EventsSnapshot } from './store/snapshot.ts';

type Asked = Readonly<{
  /** The slug that was asked for. */
  name: string;
  /** What its address ended in: `.md`, say, or nothing. */
  extension: string;
}>;

/**
 * Leads from the address of an event that was renamed to the one it has now, in the same form. It is kept
 * no longer than the events: the old name may be given to another one.
 * @returns null where no renamed event had that slug.
 */
export function redirectRenamed(
  snapshot: EventsSnapshot,
  events: EventsLoader,
  { name, extension }: Asked,
): Response | null {
  const event = findRenamed(snapshot, name);
  if (event === undefined) return null;
  return prepareResponse({
    status: 308,
    headers: [
      ...['Location', `/events/${event.slug}${extension}`, 'Content-Length', '0'],
      ...['Cache-Control', toCacheControl(events.freshSeconds(snapshot)), 'Vary', 'Accept'],
    ],
    body: null,
  });
}
