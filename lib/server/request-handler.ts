import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { NodeRequest } from 'srvx/node';
import { chooseEncoding } from '#lib/http/content-encoding.ts';
import { corsHeaders } from '#lib/http/cors.ts';
import { parseTarget, toCanonicalPath } from '#lib/http/path.ts';
import { createResponse } from '#lib/http/response.ts';
import { toCanonicalUrl } from '#lib/pages/canonical-url.ts';
import { classifyUrl, type UrlClass } from '#lib/pages/classify-url.ts';
import { respondNotAcceptable } from '#lib/pages/respond-not-acceptable.ts';
import type { Services } from '#lib/services.ts';
import { createErrorPage } from './error-page.ts';
import type { NextHandler } from './next-handler.ts';
import type { Pages } from './pages.ts';
import type { ResponseCache } from './response-cache.ts';
import type { RouteModule, Routes } from './route-table.ts';
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

/** No response may depend on the Host header, so nothing behind this handler sees the client's. */
const host = 'localhost';

const pageMethods = 'GET, HEAD, OPTIONS';
const fileMethods = 'GET, HEAD';

/** Handles every request: from the response cache, a route handler, a page or a static file. */
export function createRequestHandler(parts: RequestHandlerParts): RequestListener {
  const { services, routes, pages, files, cache, developmentHandler } = parts;

  function handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> | undefined {
    const { method = 'GET', headers } = incoming;
    const target = parseTarget(incoming.url ?? '');
    if (target === null) return sendOwn(incoming, outgoing, respondToBadTarget(incoming));
    const path = toCanonicalPath(target.path);
    // A preflight must not be redirected (Fetch §4.8).
    if (path !== target.path && method !== 'OPTIONS') {
      return sendOwn(incoming, outgoing, redirect(path + target.search));
    }
    headers.host = host;
    incoming.url = path + target.search;
    const url = classifyUrl(path, headers.accept ?? null);
    const canonicalUrl =
      url.kind === 'page' || (url.kind === 'route' && url.route.startsWith('/markdown'))
        ? toCanonicalUrl(path, target.search)
        : incoming.url;
    const key = toCacheKey(incoming, url, canonicalUrl);
    if (cache.send(key, incoming, outgoing)) return undefined;
    if (developmentHandler !== null && (url.kind === 'page' || url.kind === 'static')) {
      return developmentHandler(incoming, outgoing);
    }
    return respond(new NodeRequest({ req: incoming, res: outgoing }), url, path, canonicalUrl).then(
      (response) => {
        const finished = url.kind === 'route' ? response : finishResponse(incoming, response);
        cache.store(key, incoming, finished);
        return sendResponse(outgoing, finished);
      },
    );
  }

  async function respond(
    request: Request,
    url: UrlClass,
    path: string,
    canonicalUrl: string,
  ): Promise<Response> {
    const { method } = request;
    if (url.kind === 'route') return runRoute(routes.get(url.route), request, url.params);
    if (url.kind === 'malformed') {
      return createTextResponse(400, 'The URL contains a malformed percent escape.');
    }
    const methods = url.kind === 'static' ? fileMethods : pageMethods;
    if (method === 'OPTIONS' && methods === pageMethods) return respondToOptions(methods);
    if (method !== 'GET' && method !== 'HEAD') {
      return createTextResponse(405, `Use ${methods}.`, [['Allow', methods]]);
    }
    if (url.kind === 'not-acceptable') {
      const accept = request.headers.get('accept');
      return respondNotAcceptable({ path, accept, site: services.site });
    }
    if (url.kind === 'page') return pages(request, url.page, canonicalUrl);
    const file = files.respond(request, path);
    if (file !== null) return file;
    // What browsers ask for by themselves needs no page.
    return path.startsWith('/_next/')
      ? createTextResponse(404, 'There is no such file.')
      : pages(request, { kind: 'unknown' }, path);
  }

  return (incoming, outgoing) => {
    Promise.try(handle, incoming, outgoing).catch((error: unknown) => {
      services.log.error({ err: error }, 'a request failed');
      if (outgoing.headersSent) outgoing.destroy();
      else void sendOwn(incoming, outgoing, createErrorPage(500));
    });
  };
}

// Everything that a response is selected by. Encodings are few, so spellings of the header share an entry.
function toCacheKey({ headers }: IncomingMessage, url: UrlClass, canonicalUrl: string): string {
  const encoding = chooseEncoding(headers['accept-encoding'] ?? null);
  const accept = url.kind === 'route' ? (headers.accept ?? '') : url.kind;
  return `${canonicalUrl}\n${accept}\n${encoding}`;
}

function runRoute(
  module: RouteModule | undefined,
  request: Request,
  params: object,
): Response | Promise<Response> {
  // Every route handler rejects the methods that it does not support; any of those does for unknown ones.
  const route = module?.[request.method] ?? module?.DELETE;
  if (route === undefined) throw new TypeError('A route handler lacks DELETE.');
  return route(request, { params: Promise.resolve(params) as Promise<never> });
}

function sendOwn(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  response: Response,
): Promise<void> {
  return sendResponse(outgoing, finishResponse(incoming, response));
}

function respondToBadTarget({ url, method }: IncomingMessage): Response {
  if (url === '*' && method === 'OPTIONS') return respondToOptions(pageMethods);
  return createTextResponse(400, 'That is not a URL of this server.');
}

function respondToOptions(methods: string): Response {
  return createResponse({ status: 204, headers: [['Allow', methods]], body: null });
}

function redirect(location: string): Response {
  return createResponse({
    status: 308,
    headers: [['Location', location], ...corsHeaders],
    body: '',
  });
}
