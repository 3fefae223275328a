import { createApiError } from '#lib/http/errors/errors.ts';
import type { MarqueeEvent } from '../model/schema.ts';
import { findRenamed } from '../source/former-slugs.ts';
import { type EventsSnapshot, findEvent } from '../source/snapshot.ts';
import { findNearestEvents } from './nearest-events.ts';

/**
 * The event with this id or slug.
 * @throws HttpError 404; its hint has the new slug of a renamed event, or the most similar slug.
 */
export function requireEvent(snapshot: EventsSnapshot, idOrSlug: string): MarqueeEvent {
  const event = findEvent(snapshot, idOrSlug);
  if (event !== undefined) return event;
  const renamed = findRenamed(snapshot, idOrSlug);
  if (renamed !== undefined) {
    throw createApiError('not_found', {
      message: 'No event has this slug any more.',
      hint: `The event was renamed: its slug is now \`${renamed.slug}\`, its id is still \`${renamed.id}\`.`,
    });
  }
  const [nearest] = findNearestEvents(snapshot.events, idOrSlug, 1);
  throw createApiError('not_found', {
    message: 'No event has this id or slug.',
    hint:
      nearest === undefined
        ? 'Slugs change when an event is renamed; ids never do. GET /api/v1/events lists both.'
        : `Did you mean \`${nearest.slug}\`? Slugs change when an event is renamed; ids never do.`,
  });
}
