import { freshnessOfContent } from '#lib/events/respond-from-snapshot.ts';
import { requireEvent } from '#lib/events/search/select-events.ts';
import type { EventsLoader } from '#lib/events/source/loader.ts';
import { findAttachment } from '#lib/events/source/snapshot.ts';
import { createApiError } from '#lib/http/errors/errors.ts';
import { decodePathSegment } from '#lib/http/path.ts';
import { createRepresentation, respondWith } from '#lib/http/representations/representation.ts';
import type { OgImages } from './og-images.ts';

type Parts = Readonly<{
  ogImages: OgImages;
  events: EventsLoader;
}>;

const extension = '.jpg';
const siteImageMaxAgeSeconds = 86_400;

/**
 * Responds with the Open Graph image of an event. It is cached no longer than the event's data.
 * @param file the event's id or slug with `.jpg`.
 * @throws HttpError 404 for an unknown event or another extension.
 */
export async function respondWithEventOgImage(
  request: Request,
  parts: Parts,
  file: string,
): Promise<Response> {
  const name = decodePathSegment(file);
  if (!name.endsWith(extension)) {
    throw createApiError('not_found', {
      message: 'There is no such file.',
      hint: `The image of an event is \`{id}${extension}\`, in lower case.`,
    });
  }
  const snapshot = await parts.events.current();
  const event = requireEvent(snapshot, name.slice(0, -extension.length));
  const findOrigin = async (id: string) => findAttachment(snapshot, id);
  const representation = createRepresentation({
    contentType: 'image/jpeg',
    body: await parts.ogImages.loadEvent(event, findOrigin, request),
    lastModifiedMs: snapshot.changedAtMs,
  });
  return respondWith(request, representation, freshnessOfContent(snapshot, parts.events));
}

/** Responds with the Open Graph image of the site. */
export async function respondWithSiteOgImage(
  request: Request,
  { ogImages }: Pick<Parts, 'ogImages'>,
): Promise<Response> {
  const cacheControl = `public, max-age=${siteImageMaxAgeSeconds}`;
  return respondWith(request, await ogImages.loadSite(), () => cacheControl);
}
