import { closestMatch } from 'leven';
import { HttpError } from '#lib/http/errors.ts';
import type { MarqueeEvent } from '../model/schema.ts';
import { findRenamed } from '../store/former-slugs.ts';
import { type EventsSnapshot, findEvent } from '../store/snapshot.ts';

const nameLengthMax = 80;
/** Comparing against every slug of a huge table would hold up everyone else. */
const comparedMax = 2000;

/**
 * The event with this id or slug.
 * @throws HttpError 404 with its new slug, where it was renamed, or the nearest, where one is near.
 */
export function requireEvent(snapshot: EventsSnapshot, idOrSlug: string): MarqueeEvent {
  const event = findEvent(snapshot, idOrSlug);
  if (event !== undefined) return event;
  const renamed = findRenamed(snapshot, idOrSlug);
  if (renamed !== undefined) {
    throw new HttpError('not_found', {
      message: 'This event was renamed and has a new slug.',
      hint: `Its slug is now \`${renamed.slug}\`. Its id is still \`${renamed.id}\`.`,
    });
  }
  const nearest = findNearestSlug(snapshot, idOrSlug);
  throw new HttpError('not_found', {
    message: 'No event has this id or slug.',
    hint:
      nearest === undefined
        ? 'Slugs change when an event is renamed, ids never do. GET /api/v1/events lists both.'
        : `Did you mean \`${nearest}\`? Slugs change when an event is renamed, ids never do.`,
  });
}

function findNearestSlug(snapshot: EventsSnapshot, given: string): string | undefined {
  if (given.length > nameLengthMax) return undefined;
  const slugs = snapshot.events.slice(-comparedMax).map((event) => event.slug);
  return closestMatch(given.toLowerCase(), slugs, {
    maxDistance: Math.min(3, Math.floor(given.length / 3)),
  });
}
