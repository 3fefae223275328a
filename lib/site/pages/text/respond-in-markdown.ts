import { redirectRenamed, respondFromSnapshot } from '#lib/events/respond-from-snapshot.ts';
import { findNearestEvents } from '#lib/events/search/nearest-events.ts';
import type { EventsLoader } from '#lib/events/source/loader.ts';
import { pageUrl, type Site, toPageUrl } from '#lib/events/view/site-urls.ts';
import type { ErrorResponder } from '#lib/http/errors/catch-errors.ts';
import { type HttpError, toHttpError } from '#lib/http/errors/errors.ts';
import { createRepresentation, respondWith } from '#lib/http/representations/representation.ts';
import type { RepresentationStore } from '#lib/http/representations/representation-store.ts';
import { createResponse, type HeaderFields } from '#lib/http/response.ts';
import type { ModelLists } from '#lib/representations/listed-models.ts';
import {
  toErrorMarkdown,
  toNotFoundMarkdown,
  toUnavailableMarkdown,
} from '#lib/representations/markdown/pages/errors.ts';
import { toModelsMarkdown } from '#lib/representations/markdown/pages/models.ts';
import { parsePagePath } from '../classify-url.ts';
import { loadModels, type ModelsSource } from '../load-models.ts';
import { freshFor, modelsFreshMs } from '../plan-page.ts';
import { findMarkdownPage } from './markdown-page.ts';
import { respondWithText } from './respond-with-text.ts';

type Parts = Readonly<{
  site: Site;
  events: EventsLoader;
  models: ModelsSource;
  representations: RepresentationStore;
}>;

const vary = 'Accept';

/** Markdown may be sent as plain text, too. */
type TextType = 'text/markdown' | 'text/plain';

type MarkdownOptions = Readonly<{
  /** The page's own path. */
  path: string;
  type: TextType;
}>;

/**
 * Responds with a page as Markdown.
 * @throws HttpError 404 if there is no such page, 502 if its events cannot be read.
 */
export async function respondInMarkdown(
  request: Request,
  parts: Parts,
  { path, type }: MarkdownOptions,
): Promise<Response> {
  const { site, events, models } = parts;
  const contentType = `${type}; charset=utf-8`;
  const requested = parsePagePath(path);
  const page = findMarkdownPage(requested, { site, search: new URL(request.url).search });
  if (page.kind === 'text') {
    const { write } = page;
    return respondWithText(request, parts, {
      key: `${type} ${page.path}`,
      contentType,
      vary,
      headers: (body) => toHeaders(body, toPageUrl(site, page.path)),
      write,
    });
  }
  if (page.kind === 'models') {
    const lists = await loadModels(models);
    return respondWithModelLists(request, { site, lists, contentType });
  }
  const snapshot = await events.current();
  const redirect =
    requested.kind === 'event' &&
    redirectRenamed(snapshot, events, {
      slug: requested.slug,
      extension: type === 'text/markdown' ? '.md' : '',
    });
  if (redirect) return redirect;
  const { path: htmlPath, key = '', write } = page.toPage(snapshot);
  return respondFromSnapshot(request, parts, snapshot, {
    key: `${type} ${htmlPath} ${key}`,
    contentType,
    vary,
    headers: (body) => toHeaders(String(body), toPageUrl(site, htmlPath)),
    write,
  });
}

type ModelsOptions = Readonly<{ site: Site; lists: ModelLists; contentType: string }>;

function respondWithModelLists(
  request: Request,
  { site, lists, contentType }: ModelsOptions,
): Promise<Response> {
  const body = toModelsMarkdown(lists, { site });
  const representation = createRepresentation({
    contentType,
    body,
    vary,
    headers: toHeaders(body, pageUrl(site, 'models')),
    lastModifiedMs: lists.kind === 'listed' ? lists.readAtMs : Date.now(),
  });
  return respondWith(request, representation, freshFor(modelsFreshMs));
}

type ErrorParts = Pick<Parts, 'site' | 'events'>;
const nearestMax = 4;

/** An error as a Markdown page with the status of the error. */
export function createMarkdownErrorResponder(type: TextType): ErrorResponder<ErrorParts> {
  return (thrown, parts, request) => {
    const error = toHttpError(thrown);
    const response = createResponse({
      status: error.status,
      headers: [
        ['Content-Type', `${type}; charset=utf-8`],
        ['Cache-Control', 'no-store'],
        ['Vary', vary],
        ...Object.entries(error.headers),
      ],
      body: toErrorPage(error, parts, toShownPath(request)),
    });
    return { failure: error, response };
  };
}

// For display: `proxy.ts` rewrites the URL.
function toShownPath(request: Request): string {
  return (
    new URL(request.url).pathname
      .replace(/^\/(?:markdown|plain-text)(?=\/|$)/, '')
      .replace(/\.md$/, '') || '/'
  );
}

function toErrorPage(error: HttpError, { site, events }: ErrorParts, path: string): string {
  const isMonth = parsePagePath(path).kind === 'month';
  if (error.code === 'not_found' && !isMonth) {
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

function toHeaders(markdown: string, htmlUrl: string): HeaderFields {
  return [
    ['Link', `<${htmlUrl}>; rel="canonical"; type="text/html"`],
    ['X-Markdown-Tokens', String(estimateTokens(markdown))],
  ];
}

// About four characters a token in English prose.
function estimateTokens(text: string): number {
  return Math.ceil(text.length / 4);
}
