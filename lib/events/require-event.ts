import { closestMatch } from 'leven';
import { HttpError } from '#lib/http/errors.ts';
import type { MarqueeEvent } from './schema.ts';
import { type EventsSnapshot, findEvent } from './snapshot.ts';

const nameLengthMax = 80;
/** Comparing against every slug of a huge table would hold up everyone else. */
const comparedMax = 2000;

/**
 * The event with this id or slug.
 * @throws HttpError 404 with the nearest slug, where one is near.
 */
export function requireEvent(snapshot: EventsSnapshot, idOrSlug: string): MarqueeEvent {
  const event = findEvent(snapshot, idOrSlug);
  if (event !== undefined) return event;
  const nearest = findNearestSlug(snapshot, idOrSlug);
  throw new HttpError('not_found', {
    message: 'No event has that id or slug.',
    hint:
      nearest === undefined
        ? 'Slugs change when an event is renamed; ids never do. GET /api/v1/events lists both.'
        : `Did you mean \`${nearest}\`? Slugs change when an event is renamed; ids never do.`,
  });
}

function findNearestSlug(snapshot: EventsSnapshot, given: string): string | undefined {
  if (given.length > nameLengthMax) return undefined;
  const slugs = snapshot.events.slice(-comparedMax).map((event) => event.slug);
  return closestMatch(given.toLowerCase(), slugs, {
    maxDistance: Math.min(3, Math.floor(given.length / 3)),
  });
}
