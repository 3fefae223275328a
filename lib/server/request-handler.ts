import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { FastURL } from 'srvx';
import { NodeRequest } from 'srvx/node';
import { corsHeaders } from '#lib/http/cors.ts';
import { parseTarget, toCanonicalPath } from '#lib/http/path.ts';
import { createResponse, createTextResponse, setHeaders } from '#lib/http/response.ts';
import { toRequestId } from '#lib/http/route.ts';
import { toTransportHeaders } from '#lib/http/security-headers.ts';
import type { Services } from '#lib/services.ts';
import { type ClassifiedUrl, classifyUrl, toUnknownPage } from '#lib/site/pages/classify-url.ts';
import { pageMethods, respondToUrl } from '#lib/site/pages/respond-to-url.ts';
import { withSpan } from '#lib/telemetry/spans.ts';
import type { Routes } from './load-routes.ts';
import { type ObservedRequest, observeRequest, traceRequest } from './observe-request.ts';
import { createErrorPage } from './rendering/error-page.ts';
import type { NextHandler } from './rendering/next-handler.ts';
import type { Pages } from './rendering/pages.ts';
import type { ResponseCache } from './response-cache.ts';
import { finishResponse, sendResponse } from './send-response.ts';
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

/** Handles every request: from the response cache, a route handler, a page or a static file. */
export function createRequestHandler(parts: RequestHandlerParts): RequestListener {
  const { services, routes, pages, cache, developmentHandler } = parts;
  const transportHeaders = toTransportHeaders(services.site);

  async function handle(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    observed: ObservedRequest,
  ): Promise<void> {
    const target = readTarget(incoming);
    if (target instanceof Response) return sendOwn(incoming, outgoing, target);
    const { path, search } = target;
    const url = classifyUrl(path, search, incoming.headers.accept ?? null);
    observed.route = url.label;
    if (developmentHandler !== null && (url.kind === 'page' || url.kind === 'static')) {
      incoming.headers.host = 'localhost';
      return developmentHandler(incoming, outgoing);
    }
    const request = new NodeRequest({ req: incoming, res: outgoing });
    // No response may depend on the Host header.
    request._url = new FastURL(`http://localhost${path}${search}`);
    observed.request = request;
    const response = await withSpan(`route ${url.label}`, {}, () => respond(request, url));
    const finished = url.kind === 'route' ? response : finishResponse(incoming, response);
    setHeaders(finished, transportHeaders);
    const isPrivate = url.kind === 'page' && url.page.row.isPrivate === true;
    if (!isPrivate) cache.store(incoming, finished, url.label);
    return sendResponse(outgoing, finished);
  }

  /** Sends a response that no route and no page has made. */
  function sendOwn(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    response: Response,
  ): Promise<void> {
    setHeaders(response, transportHeaders);
    return sendResponse(outgoing, finishResponse(incoming, response));
  }

  async function respond(request: Request, url: ClassifiedUrl): Promise<Response> {
    const served = await respondToUrl(request, services, url);
    if (served instanceof Response) return served;
    switch (served.kind) {
      case 'route': {
        const route = await routes.load(served.route);
        return route(request, { params: Promise.resolve(served.params) });
      }
      case 'static':
        return respondWithFile(request, served.path, parts);
      case 'page':
        return pages(request, served.page);
    }
  }

  return (incoming, outgoing) => {
    const { headers } = incoming;
    headers['x-request-id'] = toRequestId(headers['x-request-id']);
    const observed = observeRequest(incoming, outgoing);
    const run = async () => {
      if (!hasOneHost(incoming)) return sendOwn(incoming, outgoing, createHostError());
      const label = cache.send(incoming, outgoing);
      if (label === null) return handle(incoming, outgoing, observed);
      observed.route = label;
      observed.isCacheHit = true;
      return undefined;
    };
    traceRequest(incoming, outgoing, observed, run)
      .catch((error: unknown) => {
        services.log.error({ err: error }, 'a request failed');
        if (outgoing.headersSent) throw error;
        return sendOwn(incoming, outgoing, createErrorPage(500));
      })
      .catch(() => outgoing.destroy());
  };
}

async function respondWithFile(
  request: Request,
  path: string,
  { files, pages }: Pick<RequestHandlerParts, 'files' | 'pages'>,
): Promise<Response> {
  const file = files.respond(request, path);
  if (file !== null) return file;
  return path.startsWith('/_next/')
    ? createTextResponse(404, 'There is no such file.')
    : pages(request, toUnknownPage(path));
}

function createHostError(): Response {
  return createTextResponse(400, 'A request has one Host header.', [['Connection', 'close']]);
}

/** Node uses the first one, proxies may use another: such a request is invalid (RFC 9112 §3.2). */
function hasOneHost({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts <= 1;
}

/** The canonical path of a request and its query, or the response that rejects it. */
function readTarget({ url, method }: IncomingMessage) {
  const target = parseTarget(url ?? '');
  if (target === null) return respondToBadTarget(url, method);
  const { search } = target;
  const path = toCanonicalPath(target.path);
  // A preflight must not be redirected (Fetch §4.8), and MCP clients do not follow the redirect of a POST.
  const isRedirected = path !== target.path && (method === 'GET' || method === 'HEAD');
  return isRedirected ? redirect(path + search) : { path, search };
}

function respondToBadTarget(url: string | undefined, method: string | undefined): Response {
  if (url !== '*' || method !== 'OPTIONS') {
    return createTextResponse(400, 'That is not a URL of this server.');
  }
  return createResponse({ status: 204, headers: [['Allow', pageMethods]], body: null });
}

function redirect(location: string): Response {
  return createResponse({
    status: 308,
    headers: [['Location', location], ...corsHeaders],
    body: '',
  });
}
