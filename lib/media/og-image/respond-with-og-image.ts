import { requireEvent } from '#lib/events/query/require-event.ts';
import { respondFromSnapshot } from '#lib/events/respond-from-snapshot.ts';
import type { EventsLoader } from '#lib/events/store/loader.ts';
import { findAttachment } from '#lib/events/store/snapshot.ts';
import { HttpError } from '#lib/http/errors.ts';
import { decodePathSegment } from '#lib/http/path.ts';
import { respondWith } from '#lib/http/representation.ts';
import type { RepresentationStore } from '#lib/http/representation-store.ts';
import type { Cards } from './og-images.ts';

type Parts = Readonly<{
  cards: Cards;
  events: EventsLoader;
  representations: RepresentationStore;
}>;

const extension = '.jpg';
const siteCardSeconds = 86_400;

/**
 * Answers with the card of an event. It shows what the event says, so it may be kept no longer than that.
 * @param file the event's id or slug, and `.jpg`.
 * @throws HttpError 404 where there is no such event or file.
 */
export async function respondWithEventImage(
  request: Request,
  parts: Parts,
  file: string,
): Promise<Response> {
  const name = decodePathSegment(file);
  if (!name.endsWith(extension)) {
    throw new HttpError('not_found', {
      message: 'There is no such file.',
      hint: `An event’s card is at its id and \`${extension}\`, in lower case.`,
    });
  }
  const snapshot = await parts.events.current();
  const event = requireEvent(snapshot, name.slice(0, -extension.length));
  const findOrigin = async (id: string) => findAttachment(snapshot, id);
  return respondFromSnapshot(request, parts, snapshot, {
    key: `card ${event.id}`,
    contentType: 'image/jpeg',
    write: () => parts.cards.drawEvent(event, findOrigin),
  });
}

/** Answers with the card of the site as a whole. */
export async function respondWithSiteImage(
  request: Request,
  { cards }: Pick<Parts, 'cards'>,
): Promise<Response> {
  const cacheControl = `public, max-age=${siteCardSeconds}`;
  return respondWith(request, await cards.drawSite(), () => cacheControl);
}
