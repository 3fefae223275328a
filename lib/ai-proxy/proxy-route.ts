import { catchErrors, type RouteServices } from '#lib/http/catch-errors.ts';
import { createResponse, type HeaderFields } from '#lib/http/response.ts';
import { commonSecurityHeaders } from '#lib/http/security-headers.ts';
import { toOpenAiErrorResponse } from './error-response.ts';
import { ProxyError } from './proxy-error.ts';

type Method = 'GET' | 'HEAD' | 'OPTIONS' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
type Handler<S> = (request: Request, services: S) => Response | Promise<Response>;
type RouteHandler = (request: Request) => Promise<Response>;

/** Keys are sent in a header, without cookies, so any origin may use it. */
const proxyHeaders: HeaderFields = [
  ['Access-Control-Allow-Origin', '*'],
  [
    'Access-Control-Expose-Headers',
    [
      'Age, ETag, Retry-After, X-Marquee-Upstream, X-Request-Id, X-Should-Retry',
      'X-RateLimit-Limit-Requests, X-RateLimit-Remaining-Requests, X-RateLimit-Reset-Requests',
      'X-RateLimit-Limit-Tokens, X-RateLimit-Remaining-Tokens, X-RateLimit-Reset-Tokens',
    ].join(', '),
  ],
  ...commonSecurityHeaders,
];

/**
 * Creates the handlers of one route of the proxy: OpenAI's error format, CORS, HEAD for every GET,
 * OPTIONS, and 405 for other methods.
 */
export function createProxyRoute<S extends RouteServices>(
  getServices: () => S,
  handlers: Readonly<Partial<Record<'GET' | 'POST', Handler<S>>>>,
): Readonly<Record<Method, RouteHandler>> {
  const own = Object.keys(handlers);
  const allowed = [...own, ...(handlers.GET === undefined ? [] : ['HEAD']), 'OPTIONS'].join(', ');

  function toRoute(handle: Handler<S>): RouteHandler {
    return (request) => {
      const services = getServices();
      const options = {
        request,
        services,
        toErrorResponse: toOpenAiErrorResponse,
        headers: proxyHeaders,
      };
      return catchErrors(options, () => handle(request, services));
    };
  }

  const reject = toRoute((request) => {
    throw own.length === 0 ? unknownUrl() : methodNotAllowed(request.method, allowed);
  });
  const describe = toRoute((request) =>
    createResponse({ status: 204, headers: toPreflightHeaders(request, allowed), body: null }),
  );
  const read = handlers.GET === undefined ? reject : toRoute(handlers.GET);
  return {
    GET: read,
    HEAD: read,
    POST: handlers.POST === undefined ? reject : toRoute(handlers.POST),
    OPTIONS: describe,
    PUT: reject,
    PATCH: reject,
    DELETE: reject,
  };
}

// SDKs send their own headers (x-stainless-…), new ones with each version: all are allowed.
function toPreflightHeaders(request: Request, allowed: string): HeaderFields {
  const requested = request.headers.get('access-control-request-headers');
  return [
    ['Access-Control-Allow-Methods', allowed],
    ['Access-Control-Allow-Headers', requested ?? 'Authorization, Content-Type'],
    ['Access-Control-Max-Age', '86400'],
    ['Allow', allowed],
    ['Vary', 'Access-Control-Request-Headers'],
  ];
}

function methodNotAllowed(method: string, allowed: string): ProxyError {
  const shown = /^[A-Z]{1,16}$/.test(method) ? method : 'that method';
  return new ProxyError(405, {
    type: 'invalid_request_error',
    code: 'method_not_allowed',
    message: `This endpoint does not support ${shown}. Use ${allowed}.`,
    headers: { Allow: allowed },
  });
}

function unknownUrl(): ProxyError {
  return new ProxyError(404, {
    type: 'invalid_request_error',
    code: 'unknown_url',
    message:
      'There is no such endpoint. The proxy has POST /proxy/v1/responses, /proxy/v1/chat/completions and /proxy/v1/embeddings, and GET /proxy/v1/models and /proxy/v1/embeddings/models.',
  });
}
