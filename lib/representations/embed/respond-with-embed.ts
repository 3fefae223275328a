import { respondFromSnapshot } from '#lib/events/respond-from-snapshot.ts';
import { requireEvent } from '#lib/events/search/select-events.ts';
import { findRenamed } from '#lib/events/source/former-slugs.ts';
import type { EventsLoader } from '#lib/events/source/loader.ts';
import type { EventsSnapshot } from '#lib/events/source/snapshot.ts';
import { selectNext } from '#lib/events/view/select-views.ts';
import type { Site } from '#lib/events/view/site-urls.ts';
import { toHttpError } from '#lib/http/errors/errors.ts';
import type { RepresentationStore } from '#lib/http/representations/representation-store.ts';
import { createResponse, type HeaderFields } from '#lib/http/response.ts';
import type { ErrorResponder } from '#lib/http/route.ts';
import { toEmbedErrorHtml, toEmbedHtml } from './embed-page.ts';
import { type EmbedQuery, parseEmbedQuery } from './embed-query.ts';

type Parts = Readonly<{ site: Site; events: EventsLoader; representations: RepresentationStore }>;

const contentType = 'text/html; charset=utf-8';

// Nothing runs or loads in an embed, so any site may frame it: there is nothing to click but links.
const policy = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "base-uri 'none'",
  "form-action 'none'",
  'frame-ancestors *',
];
const headers: HeaderFields = [
  ['Content-Security-Policy', policy.join('; ')],
  ['Referrer-Policy', 'strict-origin-when-cross-origin'],
  ['X-Robots-Tag', 'noindex'],
];

/**
 * Responds with a list of events, or one event, for an `<iframe>`.
 * @throws HttpError 400 for an invalid query, 404 for an unknown event.
 */
export async function respondWithEmbed(request: Request, parts: Parts): Promise<Response> {
  const { site, events } = parts;
  const query = parseEmbedQuery(new URL(request.url).search);
  const snapshot = await events.current();
  const shown = selectShown(snapshot, query);
  return respondFromSnapshot(request, parts, snapshot, {
    key: `embed ${JSON.stringify(query)}`,
    contentType,
    headers: () => headers,
    write: () => toEmbedHtml(shown, { site, query, today: snapshot.day }),
  });
}

function selectShown(snapshot: EventsSnapshot, { event, filters }: EmbedQuery) {
  if (event === null) return selectNext(snapshot, filters);
  return [findRenamed(snapshot, event) ?? requireEvent(snapshot, event)];
}

/** An error as a page that any site may frame. */
export const toEmbedErrorResponse: ErrorResponder<Pick<Parts, 'site'>> = (thrown, { site }) => {
  const error = toHttpError(thrown);
  const response = createResponse({
    status: error.status,
    headers: [
      ['Content-Type', contentType],
      ['Cache-Control', 'no-store'],
      ...headers,
      ...Object.entries(error.headers),
    ],
    body: toEmbedErrorHtml(error, site),
  });
  return { failure: error, response };
};
