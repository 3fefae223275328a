import { preflightHeaders } from '#lib/http/cors.ts';
import { HttpError } from '#lib/http/errors/errors.ts';
import { createResponse, type HeaderFields } from '#lib/http/response.ts';
import {
  createRoute,
  type ErrorResponder,
  type Handle,
  type Route,
  type RouteServices,
  toShownMethod,
} from '#lib/http/route.ts';
import { commonSecurityHeaders } from '#lib/http/security-headers.ts';
import type { AiProxy, HandledId } from './ai-proxy.ts';
import { type EndpointId, endpoints, requireEndpoint } from './endpoints.ts';
import { toMessagesErrorResponse, toOpenAiErrorResponse } from './error-response.ts';

/** The formats of error responses: OpenAI’s, that of Anthropic’s Messages API, and the one that a client knows. */
const errorResponders = {
  openai: toOpenAiErrorResponse,
  messages: toMessagesErrorResponse,
  ofClient: (thrown, services, request) =>
    request.headers.has('anthropic-version')
      ? toMessagesErrorResponse(thrown, services, request)
      : toOpenAiErrorResponse(thrown, services, request),
} as const satisfies Readonly<Record<string, ErrorResponder<unknown>>>;

/** Keys are sent in a header, without cookies, so any origin may use it. */
const proxyHeaders: HeaderFields = [
  ['Access-Control-Allow-Origin', '*'],
  [
    'Access-Control-Expose-Headers',
    [
      'Age, ETag, Request-Id, Retry-After, Retry-After-Ms, X-Request-Id, X-Should-Retry',
      'X-RateLimit-Limit-Requests, X-RateLimit-Remaining-Requests, X-RateLimit-Reset-Requests',
      'X-RateLimit-Limit-Tokens, X-RateLimit-Remaining-Tokens, X-RateLimit-Reset-Tokens',
      'X-Marquee-Budget-Warning, X-Marquee-Left-Out',
    ].join(', '),
  ],
  ...commonSecurityHeaders,
];

type ProxyServices = RouteServices & Readonly<{ aiProxy: Pick<AiProxy, 'respond'> }>;

/** Creates the route of an endpoint whose handler is in `generations.ts`. */
export function createHandledRoute<S extends ProxyServices>(
  getServices: () => S,
  id: HandledId,
): Route {
  return createEndpointRoute(getServices, id, (request, { aiProxy }) =>
    aiProxy.respond(id, request),
  );
}

/** Creates the route of an endpoint of the table. */
export function createEndpointRoute<S extends RouteServices>(
  getServices: () => S,
  id: EndpointId,
  handle: Handle<S>,
): Route {
  const { method, isOpen, errors } = requireEndpoint(id);
  return createProxyRoute(getServices, { [method]: handle }, isOpen ? 'ofClient' : errors);
}

/** Creates a route of the proxy: its headers, its errors, and a 404 without handlers. */
export function createProxyRoute<S extends RouteServices>(
  getServices: () => S,
  handlers: Readonly<Partial<Record<'GET' | 'POST', Handle<S>>>>,
  format: keyof typeof errorResponders = 'openai',
): Route {
  const isKnown = Object.keys(handlers).length > 0;
  return createRoute(getServices, handlers, {
    headers: proxyHeaders,
    toErrorResponse: errorResponders[format],
    // Anthropic’s clients read the id from a header of their own.
    ...(format === 'messages' && { idHeaders: ['X-Request-Id', 'Request-Id'] }),
    toPreflightHeaders,
    rejectMethod: methodNotAllowed,
    check: isKnown ? rejectWebSocket : rejectUnknownUrl,
  });
}

// SDKs send their own headers (x-stainless-…), new ones with each version: all are allowed.
function toPreflightHeaders(allowed: string, request: Request): HeaderFields {
  const requested = request.headers.get('access-control-request-headers');
  return [
    ...preflightHeaders(allowed, requested ?? 'Authorization, Content-Type'),
    ['Vary', 'Access-Control-Request-Headers'],
  ];
}

/**
 * 426: agents that try a WebSocket first (RFC 6455 §4.1) go on by HTTP at once, where any other status makes Codex try
 * five times more.
 */
function rejectWebSocket({ headers }: Request): void {
  if (!headers.has('sec-websocket-key')) return;
  throw new HttpError(426, {
    code: 'upgrade_required',
    message:
      'This server has no WebSockets. Send the request with POST: its reply can be streamed.',
    headers: { Connection: 'Upgrade, close', Upgrade: 'HTTP/1.1' },
  });
}

function methodNotAllowed(method: string, allowed: string): HttpError {
  const shown = toShownMethod(method, 'that method');
  return new HttpError(405, {
    code: 'method_not_allowed',
    message: `This endpoint does not support ${shown}. Use ${allowed}.`,
    headers: { Allow: allowed },
  });
}

const base = '/proxy/v1';
const plainRows = endpoints.filter(({ path }) => !path.includes('['));

/** What clients add to their base URL. Those of Anthropic bring the version. */
const addedPaths = plainRows.map(({ path, errors }) => {
  const added = path.slice(`${base}/`.length);
  return errors === 'messages' ? `(?:v1/)?${added}` : added;
});
const addedPattern = new RegExp(`/(${addedPaths.join('|')})/?$`);

const listFormat = new Intl.ListFormat('en-GB');
const pathsOf = (method: string) =>
  listFormat.format(plainRows.filter((row) => row.method === method).map(({ path }) => path));
const endpointsHint = `There is no such endpoint. The proxy has POST ${pathsOf('POST')}, and GET ${pathsOf('GET')}.`;

/** 404, with the base URL that the client wants where that is why nothing is there. */
function rejectUnknownUrl(request: Request, { site }: RouteServices): void {
  // A browser must be able to read the 404 that follows.
  if (request.method === 'OPTIONS') return;
  const added = addedPattern.exec(new URL(request.url).pathname)?.[1];
  const baseUrl = `${site.url}${added?.startsWith('v1/') ? '/proxy' : base}`;
  throw new HttpError(404, {
    code: 'unknown_url',
    message:
      added === undefined
        ? endpointsHint
        : `This URL is wrong: set the base URL of this client to ${baseUrl}, to which it adds /${added}.`,
  });
}

/** 404: no request runs without a connected client. */
export function rejectBatches(): never {
  throw new HttpError(404, {
    code: 'unknown_url',
    message:
      'This server has no batches: send each request to POST /proxy/v1/messages, several at a time.',
  });
}

/** The response at the proxy’s base URL. */
export function describeProxy(): Response {
  const body = JSON.stringify({
    base_urls: { openai: '/proxy/v1', anthropic: '/proxy' },
    documentation: '/docs/ai',
  });
  const headers: HeaderFields = [
    ['Content-Type', 'application/json; charset=utf-8'],
    ['Cache-Control', 'no-cache'],
  ];
  return createResponse({ status: 200, headers, body });
}
