import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { NodeRequest } from 'srvx/node';
import { corsHeaders } from '#lib/http/cors.ts';
import { parseTarget, toCanonicalPath } from '#lib/http/path.ts';
import { chooseEncoding } from '#lib/http/representations/content-encoding.ts';
import { toRequestId } from '#lib/http/request-id.ts';
import { createResponse } from '#lib/http/response.ts';
import type { Services } from '#lib/services.ts';
import { toCanonicalUrl } from '#lib/site/pages/canonical-url.ts';
import { classifyUrl, type UrlClass } from '#lib/site/pages/classify-url.ts';
import { redirectToJson } from '#lib/site/pages/redirect-to-json.ts';
import { respondNotAcceptable } from '#lib/site/pages/respond-not-acceptable.ts';
import type { RoutePath } from '#lib/site/pages/route-paths.ts';
import { withSpan } from '#lib/telemetry/spans.ts';
import {
  type ObservedRequest,
  observeRequest,
  toRoutePattern,
  traceRequest,
} from './observe-request.ts';
import { createErrorPage } from './rendering/error-page.ts';
import type { NextHandler } from './rendering/next-handler.ts';
import type { Pages } from './rendering/pages.ts';
import type { ResponseCache } from './response-cache.ts';
import type { Routes } from './route-table.ts';
import { createTextResponse, finishResponse, sendResponse } from './send-response.ts';
import type { StaticFiles } from './static-files.ts';

type RequestHandlerParts = Readonly<{
  services: Services;
  routes: Routes;
  pages: Pages;
  files: StaticFiles;
  cache: ResponseCache;
  /** In development Next serves pages and files itself, with reload; `proxy.ts` plans them. */
  developmentHandler: NextHandler | null;
}>;

/** A request whose URL has been made canonical. */
type Target = Readonly<{ url: UrlClass; path: string; canonicalUrl: string }>;

/** No response may depend on the Host header, so nothing behind this handler sees the client's. */
const host = 'localhost';

const pageMethods = 'GET, HEAD, OPTIONS';
const fileMethods = 'GET, HEAD';
/** Longest path of a page: a longer one would not fit into headers, and no slug is that long. */
const pagePathLengthMax = 1024;

/** Handles every request: from the response cache, a route handler, a page or a static file. */
export function createRequestHandler(parts: RequestHandlerParts): RequestListener {
  const { services, routes, pages, files, cache, developmentHandler } = parts;

  function handle(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    observed: ObservedRequest,
  ): Promise<void> | undefined {
    const target = readTarget(incoming);
    if (target instanceof Response) return sendOwn(incoming, outgoing, target);
    observed.url = target.url;
    const key = toCacheKey(incoming, target);
    observed.isCacheHit = cache.send(key, incoming, outgoing);
    if (observed.isCacheHit) return undefined;
    const { kind } = target.url;
    if (developmentHandler !== null && (kind === 'page' || kind === 'static')) {
      return developmentHandler(incoming, outgoing);
    }
    const request = new NodeRequest({ req: incoming, res: outgoing });
    observed.request = request;
    return withSpan(`route ${toRoutePattern(target.url)}`, {}, () => respond(request, target)).then(
      (response) => {
        const finished = isRoute(target.url) ? response : finishResponse(incoming, response);
        cache.store(key, incoming, finished);
        return sendResponse(outgoing, finished);
      },
    );
  }

  async function respond(request: Request, target: Target): Promise<Response> {
    const { url, path } = target;
    switch (url.kind) {
      case 'route':
        return runRoute(url.route, request, url.params);
      case 'markdown':
        return runRoute('/markdown/[[...path]]', request, { path: url.segments });
      case 'plain-text':
        return runRoute('/plain-text/[[...path]]', request, { path: url.segments });
      case 'calendar':
        return runRoute('/calendar/[event]', request, { event: url.event });
      case 'malformed':
        return createTextResponse(400, 'The URL contains malformed percent-encoding.');
      case 'static':
        return rejectMethod(request, fileMethods) ?? respondWithFile(request, path);
      case 'not-acceptable': {
        const accept = request.headers.get('accept');
        const { site } = services;
        return rejectMethod(request, pageMethods) ?? respondNotAcceptable({ path, accept, site });
      }
      case 'json':
        return rejectMethod(request, pageMethods) ?? redirectToJson(url.page, target.canonicalUrl);
      case 'page':
        return rejectMethod(request, pageMethods) ?? pages(request, url.page, target.canonicalUrl);
    }
  }

  function runRoute(
    path: RoutePath,
    request: Request,
    params: object,
  ): Response | Promise<Response> {
    const module = routes.get(path);
    // DELETE is supported nowhere, so its handler rejects unknown methods, too.
    const route = module?.[request.method] ?? module?.DELETE;
    if (route === undefined) throw new TypeError(`The route ${path} lacks DELETE.`);
    return route(request, { params: Promise.resolve(params) as Promise<never> });
  }

  function respondWithFile(request: Request, path: string): Promise<Response> | Response {
    const file = files.respond(request, path);
    if (file !== null) return file;
    return path.startsWith('/_next/')
      ? createTextResponse(404, 'There is no such file.')
      : pages(request, { kind: 'unknown' }, path);
  }

  return (incoming, outgoing) => {
    const observed = observeRequest(incoming, outgoing);
    const run = () => handle(incoming, outgoing, observed);
    Promise.try(traceRequest, incoming, outgoing, observed, run)
      .catch((error: unknown) => {
        services.log.error({ err: error }, 'a request failed');
        if (!outgoing.headersSent) return sendOwn(incoming, outgoing, createErrorPage(500));
        outgoing.destroy();
        return undefined;
      })
      .catch(() => outgoing.destroy());
  };
}

/** Makes the URL of a request canonical, in place, or returns the response that rejects it. */
function readTarget(incoming: IncomingMessage): Target | Response {
  const { method, headers } = incoming;
  headers['x-request-id'] = toRequestId(headers['x-request-id']);
  const given = parseTarget(incoming.url ?? '');
  if (given === null) return respondToBadTarget(incoming);
  const path = toCanonicalPath(given.path);
  // A preflight must not be redirected (Fetch §4.8).
  if (path !== given.path && method !== 'OPTIONS') return redirect(path + given.search);
  headers.host = host;
  incoming.url = path + given.search;
  const url = classifyUrl(path, headers.accept ?? null);
  if (url.kind === 'route' || url.kind === 'calendar') {
    return { url, path, canonicalUrl: incoming.url };
  }
  if (url.kind === 'static') return { url, path, canonicalUrl: path };
  if (path.length > pagePathLengthMax) {
    return createTextResponse(414, `Pages have paths of at most ${pagePathLengthMax} characters.`);
  }
  const canonicalUrl = 'page' in url ? toCanonicalUrl(url.page, path, given.search) : path;
  return { url, path, canonicalUrl };
}

function isRoute({ kind }: UrlClass): boolean {
  return kind === 'route' || kind === 'markdown' || kind === 'plain-text' || kind === 'calendar';
}

// Everything that selects a response. Encodings are few, so all spellings of Accept-Encoding share entries.
function toCacheKey({ headers }: IncomingMessage, { url, canonicalUrl }: Target): string {
  const encoding = chooseEncoding(headers['accept-encoding'] ?? null);
  const accept = url.kind === 'route' ? (headers.accept ?? '') : url.kind;
  // Anthropic’s clients get lists of models in another format.
  const style = headers['anthropic-version'] === undefined ? '' : 'anthropic';
  return `${canonicalUrl}\n${accept}\n${encoding}\n${style}`;
}

function sendOwn(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  response: Response,
): Promise<void> {
  return sendResponse(outgoing, finishResponse(incoming, response));
}

/** @returns null for GET and HEAD. */
function rejectMethod({ method }: Request, allowed: string): Response | null {
  if (method === 'GET' || method === 'HEAD') return null;
  if (method === 'OPTIONS' && allowed.includes('OPTIONS')) return respondToOptions(allowed);
  return createTextResponse(405, `Use ${allowed}.`, [['Allow', allowed]]);
}

function respondToBadTarget({ url, method }: IncomingMessage): Response {
  if (url === '*' && method === 'OPTIONS') return respondToOptions(pageMethods);
  return createTextResponse(400, 'That is not a URL of this server.');
}

function respondToOptions(allowed: string): Response {
  return createResponse({ status: 204, headers: [['Allow', allowed]], body: null });
}

function redirect(location: string): Response {
  return createResponse({
    status: 308,
    headers: [['Location', location], ...corsHeaders],
    body: '',
  });
}
