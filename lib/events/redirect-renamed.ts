import { createResponse, toCacheControl } from '#lib/http/response.ts';
import { findRenamed } from './source/former-slugs.ts';
import type { EventsLoader } from './source/loader.ts';
import type { EventsSnapshot } from './source/snapshot.ts';

type RenamedOptions = Readonly<{
  /** The slug in the URL. */
  slug: string;
  /** The extension after it, such as `.md`; may be empty. */
  extension: string;
}>;

/**
 * Redirects from a former slug to the current one, in the same representation. Cached no longer than the
 * events, since another event may get the old name.
 * @returns null if no renamed event had that slug.
 */
export function redirectRenamed(
  snapshot: EventsSnapshot,
  events: EventsLoader,
  { slug, extension }: RenamedOptions,
): Response | null {
  const event = findRenamed(snapshot, slug);
  if (event === undefined) return null;
  return createResponse({
    status: 308,
    headers: [
      ['Location', `/events/${event.slug}${extension}`],
      ['Cache-Control', toCacheControl(events.freshSeconds(snapshot))],
      ['Vary', 'Accept'],
    ],
    body: '',
  });
}
