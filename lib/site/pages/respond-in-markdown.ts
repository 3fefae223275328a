import { respondFromSnapshot, type SnapshotParts } from '#lib/events/respond-from-snapshot.ts';
import { findNearestEvents } from '#lib/events/search/nearest-events.ts';
import { findNearestGroups } from '#lib/events/search/nearest-names.ts';
import { untilNoticeEnds } from '#lib/events/view/site-notice.ts';
import { pageUrl, type Site, toPageUrl } from '#lib/events/view/site-urls.ts';
import { respondToRead } from '#lib/http/api-route.ts';
import { type HttpError, toHttpError } from '#lib/http/errors/errors.ts';
import { createRepresentation, respondWith } from '#lib/http/representations/representation.ts';
import { createResponse, type HeaderFields } from '#lib/http/response.ts';
import type { RouteServices } from '#lib/http/route.ts';
import type { ModelLists } from '#lib/representations/listed-models.ts';
import {
  toErrorMarkdown,
  toNotFoundMarkdown,
  toUnavailableMarkdown,
} from '#lib/representations/markdown/pages/errors.ts';
import { toModelsMarkdown } from '#lib/representations/markdown/pages/models.ts';
import type { Page } from './classify-url.ts';
import { loadModels, type ModelsSource } from './load-models.ts';
import { noSuchPage } from './markdown-page.ts';
import { freshFor, modelsFreshMs, nearestMax } from './plan-page.ts';
import { respondWithText } from './respond-with-text.ts';

export type MarkdownParts = RouteServices &
  SnapshotParts &
  Readonly<{
    site: Site;
    models: ModelsSource;
    /** Null without a mail server. */
    mail: object | null;
  }>;

const vary = 'Accept';

/** Markdown may be sent as plain text, too. */
type TextType = 'text/markdown' | 'text/plain';

/** Responds with a page as Markdown, also to a page that does not exist. */
export function respondInMarkdown(
  request: Request,
  parts: MarkdownParts,
  page: Page,
  type: TextType,
): Promise<Response> {
  return respondToRead(request, parts, () => respond(request, parts, page, type), {
    toErrorResponse: (thrown) => respondWithError(toHttpError(thrown), parts, page, type),
  });
}

async function respond(
  request: Request,
  parts: MarkdownParts,
  page: Page,
  type: TextType,
): Promise<Response> {
  const { site, events, models, mail } = parts;
  const { notice = null } = site;
  const contentType = `${type}; charset=utf-8`;
  const found = page.row.findMarkdown?.(page, site, { sendsMails: mail !== null });
  if (found === undefined) throw noSuchPage();
  if (found.kind === 'text') {
    const { path, write } = found;
    return respondWithText(request, parts, {
      key: `${type} ${path}`,
      contentType,
      vary,
      headers: (body) => toHeaders(body, toPageUrl(site, path)),
      notice,
      write,
    });
  }
  if (found.kind === 'models') {
    const lists = await loadModels(models);
    return respondWithModelLists(request, { site, lists, contentType });
  }
  const snapshot = await events.current();
  const shown = await found.toPage(snapshot, events, type === 'text/markdown' ? '.md' : '');
  if (shown instanceof Response) return shown;
  const { path, key = '', write } = shown;
  return respondFromSnapshot(request, parts, snapshot, {
    key: `${type} ${path} ${key}`,
    contentType,
    vary,
    headers: (body) => toHeaders(String(body), toPageUrl(site, path)),
    notice,
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
  const { notice = null } = site;
  return respondWith(request, representation, untilNoticeEnds(freshFor(modelsFreshMs), notice));
}

/** An error as a Markdown page with the status of the error. */
function respondWithError(failure: HttpError, parts: MarkdownParts, page: Page, type: TextType) {
  const response = createResponse({
    status: failure.status,
    headers: [
      ['Content-Type', `${type}; charset=utf-8`],
      ['Cache-Control', 'no-store'],
      ['Vary', vary],
      ...Object.entries(failure.headers),
    ],
    body: toErrorPage(failure, parts, page),
  });
  return { failure, response };
}

function toErrorPage(
  error: HttpError,
  { site, events }: MarkdownParts,
  { row, path, name }: Page,
): string {
  const names = row.findMarkdown === undefined ? 'page' : row.names;
  if (error.code === 'not_found' && names !== undefined) {
    const snapshot = events.peek();
    const known = names === 'event' ? (snapshot?.events ?? []) : [];
    const nearest = findNearestEvents(known, name, nearestMax);
    const isGroup = names !== 'event' && names !== 'page';
    const groups = isGroup && snapshot ? findNearestGroups(snapshot, names, name) : [];
    return toNotFoundMarkdown({ site, path, nearest, groups, isRemoved: error.status === 410 });
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
