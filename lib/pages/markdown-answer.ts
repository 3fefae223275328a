import { findNearestEvents } from '#lib/events/query/nearest-events.ts';
import { redirectRenamed } from '#lib/events/redirect-renamed.ts';
import { respondFromSnapshot } from '#lib/events/respond-from-snapshot.ts';
import type { EventsLoader } from '#lib/events/store/loader.ts';
import { pageUrl, type Site, toPageUrl } from '#lib/events/view/site-urls.ts';
import type { ErrorResponder } from '#lib/http/catch-errors.ts';
import { type HttpError, toHttpError } from '#lib/http/errors.ts';
import { toCacheControl } from '#lib/http/freshness.ts';
import { decodePathSegment } from '#lib/http/path.ts';
import { prepareResponse } from '#lib/http/prepared-response.ts';
import { createRepresentation, respondWith } from '#lib/http/representation.ts';
import type { RepresentationStore } from '#lib/http/representation-store.ts';
import {
  toErrorMarkdown,
  toNotFoundMarkdown,
  toUnavailableMarkdown,
} from '#lib/markdown/pages/errors.ts';
import { toModelsMarkdown } from '#lib/markdown/pages/models.ts';
import type { ModelLists } from '#lib/playground/model-lists.ts';
import { findMarkdownPage } from './markdown-page.ts';
import { toPageAddress } from './page-address.ts';
import { respondWithText } from './text-answer.ts';

type Parts = Readonly<{ site: Site; events: EventsLoader; representations: RepresentationStore }>;

type Asked = Readonly<{
  segments: readonly string[];
  /** Reads the lists of models; asked by their page alone. */
  loadModels: () => Promise<ModelLists>;
}>;

const contentType = 'text/markdown; charset=utf-8';
/** The form was chosen by the Accept header, wherever the address does not end in `.md`. */
const vary = 'Accept';

/**
 * Answers with the Markdown twin of a page.
 * @throws HttpError 404 where there is no such page, 502 where its events cannot be read.
 */
export async function respondInMarkdown(
  request: Request,
  parts: Parts,
  { segments, loadModels }: Asked,
): Promise<Response> {
  const { site, events } = parts;
  const page = findMarkdownPage(segments, { site, search: new URL(request.url).search });
  if (page.kind === 'text') {
    const { path, write } = page;
    return respondWithText(request, parts, {
      key: `markdown ${path}`,
      contentType,
      vary,
      headers: (body) => toHeaders(body, toPageUrl(site, path)),
      write,
    });
  }
  if (page.kind === 'models') return answerWithModels(request, site, await loadModels());
  const snapshot = await events.current();
  const address = toPageAddress(segments.map(decodePathSegment));
  const moved =
    address.kind === 'event' &&
    redirectRenamed(snapshot, events, { name: address.slug, extension: '.md' });
  if (moved) return moved;
  const { path, key = '', write } = page.toPage(snapshot);
  return respondFromSnapshot(request, parts, snapshot, {
    key: `markdown ${path} ${key}`,
    contentType,
    vary,
    headers: (body) => toHeaders(String(body), toPageUrl(site, path)),
    write,
  });
}

/** Models come and go by themselves, so their page is kept for a short while only. */
const modelsKeptMs = 60_000;

function answerWithModels(request: Request, site: Site, lists: ModelLists): Promise<Response> {
  const body = toModelsMarkdown(lists, { site });
  const representation = createRepresentation({
    contentType,
    body,
    vary,
    headers: toHeaders(body, pageUrl(site, 'models')),
    lastModifiedMs: lists.kind === 'listed' ? lists.readAtMs : Date.now(),
  });
  const holdsUntilMs = Date.now() + modelsKeptMs;
  return respondWith(request, representation, () => {
    const seconds = Math.floor((holdsUntilMs - Date.now()) / 1000);
    return seconds < 0 ? null : toCacheControl(seconds);
  });
}

type ErrorParts = Pick<Parts, 'site' | 'events'>;
const nearestMax = 4;

/** An error as a Markdown page with the error's own status. */
export const toMarkdownErrorResponse: ErrorResponder<ErrorParts> = (thrown, parts, request) => {
  const error = toHttpError(thrown);
  const body = Buffer.from(toErrorPage(error, parts, toAskedPath(request)));
  const headers = ['Content-Type', contentType, 'Cache-Control', 'no-store', 'Vary', vary];
  headers.push('Content-Length', String(body.length), ...Object.entries(error.headers).flat());
  return { failure: error, response: prepareResponse({ status: error.status, headers, body }) };
};

// The address that was asked for, whichever way the request came here.
function toAskedPath(request: Request): string {
  const { pathname } = new URL(request.url);
  return pathname.replace(/^\/markdown(?=\/|$)/, '').replace(/\.md$/, '') || '/';
}

function toErrorPage(error: HttpError, { site, events }: ErrorParts, path: string): string {
  if (error.code === 'not_found') {
    const [, slug] = /^\/events\/([^/]+)$/.exec(path) ?? [];
    const known = slug === undefined ? [] : (events.peek()?.events ?? []);
    return toNotFoundMarkdown({
      site,
      path,
      nearest: findNearestEvents(known, slug ?? '', nearestMax),
    });
  }
  if (error.code === 'upstream_error') return toUnavailableMarkdown({ site });
  return toErrorMarkdown({ site, message: error.message, hint: error.hint });
}

function toHeaders(markdown: string, htmlUrl: string): string[] {
  return [
    'Link',
    `<${htmlUrl}>; rel="canonical"; type="text/html"`,
    'X-Markdown-Tokens',
    String(estimateTokens(markdown)),
  ];
}

// About four characters a token in English prose: an estimate, as the header's name for it says.
function estimateTokens(text: string): number {
  return Math.ceil(text.length / 4);
}
