import { createApiError, HttpError } from '#lib/http/errors/errors.ts';
import type { MarqueeEvent } from '../model/schema.ts';
import { findFormerEvent } from '../source/slugs/former-slugs.ts';
import { type EventsSnapshot, findEvent } from '../source/snapshot.ts';
import { findNearestEvents } from './nearest-events.ts';

/**
 * The event with this id or slug.
 * @throws HttpError 404; its hint has the new slug of a renamed event, or the most similar slug.
 */
export async function requireEvent(
  snapshot: EventsSnapshot,
  idOrSlug: string,
): Promise<MarqueeEvent> {
  return requireEventBy(snapshot, idOrSlug, (renamed) => {
    throw createRenamedError(renamed);
  });
}

/**
 * The event with this id, slug or former slug.
 * @throws HttpError 404
 */
export async function requireEventByAnySlug(
  snapshot: EventsSnapshot,
  idOrSlug: string,
): Promise<MarqueeEvent> {
  return requireEventBy(snapshot, idOrSlug, (renamed) => renamed);
}

async function requireEventBy(
  snapshot: EventsSnapshot,
  idOrSlug: string,
  onRenamed: (renamed: MarqueeEvent) => MarqueeEvent,
): Promise<MarqueeEvent> {
  const event = findEvent(snapshot, idOrSlug);
  if (event !== undefined) return event;
  const former = await findFormerEvent(snapshot, idOrSlug);
  if (former?.kind === 'renamed') return onRenamed(former.event);
  if (former?.kind === 'removed') throw createRemovedError(404);
  throw createUnknownError(snapshot, idOrSlug);
}

/** @param status 410 for a page, whose URL led to an event; 404 at the API, which has no other status for it. */
export function createRemovedError(status: 404 | 410): HttpError {
  return new HttpError(status, {
    code: 'not_found',
    message: 'The event that had this id or slug was removed.',
    hint: 'GET /api/v1/events lists the current ones.',
  });
}

function createRenamedError({ slug, id }: MarqueeEvent): HttpError {
  return createApiError('not_found', {
    message: 'No event has this slug any more.',
    hint: `The event was renamed: its slug is now \`${slug}\`, its id is still \`${id}\`.`,
  });
}

/** @returns a 404 with the most similar slug. */
export function createUnknownError(snapshot: EventsSnapshot, idOrSlug: string): HttpError {
  const [nearest] = findNearestEvents(snapshot.events, idOrSlug, 1);
  return createApiError('not_found', {
    message: 'No event has this id or slug.',
    hint:
      nearest === undefined
        ? 'Slugs change when an event is renamed; ids never do. GET /api/v1/events lists both.'
        : `Did you mean \`${nearest.slug}\`? Slugs change when an event is renamed; ids never do.`,
  });
}
