import { preflightHeaders } from './cors.ts';
import { catchErrors, type ErrorResponder, type RouteServices } from './errors/catch-errors.ts';
import { createApiError, type HttpError } from './errors/errors.ts';
import { acceptQuality } from './representations/accept.ts';
import { createResponse } from './response.ts';

export type RouteContext<P> = Readonly<{ params: Promise<P> }>;
export type RouteHandler<P> = (request: Request, context: RouteContext<P>) => Promise<Response>;

type Method = 'GET' | 'HEAD' | 'OPTIONS' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

type RouteOptions<S> = Readonly<{
  /** The media type of the response: an Accept header that rules it out gets a 406. */
  produces?: string;
  toErrorResponse?: ErrorResponder<S>;
}>;

const readMethods = 'GET, HEAD, OPTIONS';

/**
 * Creates the handlers of a read-only endpoint: GET, HEAD, OPTIONS and a 405 for other methods, with errors
 * in the documented format.
 */
export function createApiRoute<S extends RouteServices, P>(
  getServices: () => S,
  handle: (request: Request, services: S, params: P) => Response | Promise<Response>,
  { produces, toErrorResponse }: RouteOptions<S> = {},
): Readonly<Record<Method, RouteHandler<P>>> {
  const read: RouteHandler<P> = (request, context) =>
    catchErrors({ request, services: getServices(), toErrorResponse }, async (services) => {
      if (produces !== undefined) checkAcceptable(request, produces);
      return handle(request, services, await context.params);
    });

  const describe: RouteHandler<P> = (request) =>
    catchErrors({ request, services: getServices(), toErrorResponse }, () =>
      createResponse({ status: 204, headers: preflightHeaders(readMethods), body: null }),
    );

  const reject: RouteHandler<P> = (request) =>
    catchErrors({ request, services: getServices(), toErrorResponse }, () => {
      throw methodNotAllowed(request.method);
    });

  return {
    GET: read,
    HEAD: read,
    OPTIONS: describe,
    POST: reject,
    PUT: reject,
    PATCH: reject,
    DELETE: reject,
  };
}

function methodNotAllowed(method: string): HttpError {
  return createApiError('method_not_allowed', {
    message: `This endpoint does not support ${/^[A-Z]{1,16}$/.test(method) ? method : 'this method'}.`,
    hint: 'It is read-only: use GET, HEAD or OPTIONS.',
    headers: { Allow: readMethods },
  });
}

function checkAcceptable(request: Request, produces: string): void {
  const accept = request.headers.get('accept');
  if (accept === null || accept === '*/*' || acceptQuality(accept, produces) > 0) return;
  throw createApiError('not_acceptable', {
    message: `This endpoint only returns ${produces}, which the Accept header rules out.`,
    hint: `Send \`Accept: ${produces}\`, or no Accept header.`,
  });
}
