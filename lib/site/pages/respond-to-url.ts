import { formatListQuery, readFilters } from '#lib/events/query/events-query.ts';
import { requireNoQuery } from '#lib/events/query/parse-query.ts';
import { requireEventOrRedirect, respondFromSnapshot } from '#lib/events/respond-from-snapshot.ts';
import { requireEventByAnySlug } from '#lib/events/search/require-event.ts';
import {
  eventLinks,
  listTextRepresentations,
  type PageRepresentation,
  toLink,
} from '#lib/events/view/link-headers.ts';
import { respondToRead } from '#lib/http/api-route.ts';
import { respondWithApiError, toApiErrorBody } from '#lib/http/errors/api-error.ts';
import { createApiError } from '#lib/http/errors/errors.ts';
import { acceptQuality } from '#lib/http/representations/accept.ts';
import { createResponse, createTextResponse } from '#lib/http/response.ts';
import { toEventICalendar } from '#lib/representations/feeds/icalendar.ts';
import { toNotAcceptableMarkdown } from '#lib/representations/markdown/pages/errors.ts';
import { type ClassifiedUrl, type Page, pagePathLengthMax } from './classify-url.ts';
import { unknownPage } from './page-table.ts';
import { type MarkdownParts, respondInMarkdown } from './respond-in-markdown.ts';

/** A page as HTML, a route or a file, which `npm start` and `next start` each serve in their way. */
type ServedUrl = Extract<
  ClassifiedUrl,
  Readonly<{ kind: 'page' } | { kind: 'route' } | { kind: 'static' }>
>;

export const pageMethods = 'GET, HEAD, OPTIONS';

/** Responds, in the same way under `npm start` and under `next start`, unless the URL is for them to serve. */
export async function respondToUrl(
  request: Request,
  parts: MarkdownParts,
  url: ClassifiedUrl,
): Promise<Response | ServedUrl> {
  const isUnknown = 'page' in url && url.page.row === unknownPage;
  // MCP clients that look for a sign-in send `POST /register`.
  if (isUnknown && rejectMethod(request, pageMethods)?.status === 405) {
    return respondWithApiError(nothingHere, parts.site.url);
  }
  switch (url.kind) {
    case 'route':
      return url;
    case 'page':
      return rejectMethod(request, pageMethods) ?? url;
    case 'static':
      return rejectMethod(request, 'GET, HEAD') ?? url;
    case 'markdown':
      return respondInMarkdown(request, parts, url.page, 'text/markdown');
    case 'plain-text':
      return respondInMarkdown(request, parts, url.page, 'text/plain');
    case 'calendar':
      return respondWithCalendar(request, parts, url.slug);
    case 'malformed':
      return createTextResponse(400, 'The URL contains malformed percent-encoding, or a NUL.');
    case 'too-long':
      return createTextResponse(
        414,
        `Pages have paths of at most ${pagePathLengthMax} characters.`,
      );
    case 'json':
      return rejectMethod(request, pageMethods) ?? redirectToJson(request, parts, url.page);
    case 'not-acceptable':
      return rejectMethod(request, pageMethods) ?? respondNotAcceptable(request, parts, url.page);
  }
}

/** The response to a method that a page or file does not have, or to OPTIONS; null for GET and HEAD. */
function rejectMethod({ method }: Request, allowed: string): Response | null {
  if (method === 'GET' || method === 'HEAD') return null;
  if (method !== 'OPTIONS' || !allowed.includes('OPTIONS')) {
    return createTextResponse(405, `Use ${allowed}.`, [['Allow', allowed]]);
  }
  return createResponse({ status: 204, headers: [['Allow', allowed]], body: null });
}

/** One event as a calendar file: `GET /events/{slug}.ics`. */
function respondWithCalendar(
  request: Request,
  parts: MarkdownParts,
  slug: string,
): Promise<Response> {
  return respondToRead(request, parts, async () => {
    const { site, events } = parts;
    requireNoQuery(request.url);
    const snapshot = await events.current();
    const event = await requireEventOrRedirect(snapshot, events, {
      slug,
      toPath: (current) => `/events/${current}.ics`,
    });
    if (event instanceof Response) return event;
    return respondFromSnapshot(request, parts, snapshot, {
      key: `calendar of ${event.id}`,
      contentType: 'text/calendar; charset=utf-8',
      headers: () => [
        eventLinks(site, event),
        ['Content-Disposition', `inline; filename="${event.slug}.ics"`],
      ],
      write: () =>
        toEventICalendar(event, {
          site,
          today: snapshot.day,
          revisions: snapshot.history.revisions,
        }),
    });
  });
}

/**
 * Redirects a client that prefers JSON from a page to the API (RFC 9110 §15.4.4): to an item that exists, or to the
 * list with the filters of the page.
 */
function redirectToJson(
  request: Request,
  parts: MarkdownParts,
  { row, name, url }: Page,
): Promise<Response> {
  return respondToRead(request, parts, async () => {
    if (row.names === 'event') {
      const { slug } = await requireEventByAnySlug(await parts.events.current(), name);
      return respondSeeOther(`/api/v1/events/${slug}`);
    }
    const [, query = ''] = url.split('?');
    const filters = readFilters(new URLSearchParams(query));
    return respondSeeOther(`/api/v1/events${formatListQuery(filters)}`);
  });
}

function respondSeeOther(path: string): Response {
  return createResponse({
    status: 303,
    headers: [
      ['Location', path],
      ['Cache-Control', 'no-store'],
      ['Vary', 'Accept'],
    ],
    body: '',
  });
}

const message = 'The Accept header rules out every representation of this page.';

/**
 * Lists the representations of a page for a client that accepts none of them (RFC 9110 §15.5.7): as JSON if
 * it accepts that, else as Markdown. For a client that reads JSON, a URL that nothing has is a 404: MCP clients
 * look for `/.well-known/oauth-protected-resource`, and take any other status for a server that is broken.
 */
function respondNotAcceptable(
  request: Request,
  { site }: MarkdownParts,
  { row, path, name }: Page,
): Response {
  // Without checking that an event exists: its URLs give a 404 if not.
  const representations =
    row.listRepresentations?.(site, name) ?? listTextRepresentations(site, path);
  const isJson = acceptQuality(request.headers.get('accept'), 'application/json') > 0;
  if (isJson && row === unknownPage) return respondWithApiError(nothingHere, site.url);
  return createResponse({
    status: 406,
    headers: [
      ['Content-Type', `${isJson ? 'application/json' : 'text/markdown'}; charset=utf-8`],
      ['Cache-Control', 'no-store'],
      ['Vary', 'Accept'],
      ['Link', toLinks(representations)],
    ],
    body: isJson
      ? toJson(representations, site.url)
      : toNotAcceptableMarkdown({ site, message, representations }),
  });
}

const nothingHere = createApiError('not_found', {
  message: 'There is nothing at this URL.',
  hint: 'GET /api/v1/events has the events.',
  headers: { Vary: 'Accept' },
});

function toJson(representations: readonly PageRepresentation[], siteUrl: string): string {
  const hint =
    'Send `Accept: text/html` or `text/markdown`, or request the URL of a representation.';
  const error = createApiError('not_acceptable', { message, hint });
  return `${JSON.stringify({ ...toApiErrorBody(error, siteUrl), representations })}\n`;
}

function toLinks(representations: readonly PageRepresentation[]): string {
  return representations.map(({ type, url }) => toLink(url, 'alternate', type)).join(', ');
}
