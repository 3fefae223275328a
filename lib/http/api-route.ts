import { acceptQuality } from './accept.ts';
import { respondWithApiError } from './api-error.ts';
import { corsHeaders, preflightHeaders } from './cors.ts';
import { HttpError, toHttpError } from './errors.ts';
import type { Log } from './log.ts';
import { addHeaders, partsOf, prepareResponse } from './prepared-response.ts';
import { toRequestId } from './request-id.ts';
import { commonSecurityHeaders } from './security-headers.ts';

export type RouteServices = Readonly<{
  site: Readonly<{ url: string }>;
  log: Log;
}>;
export type RouteContext<P> = Readonly<{ params: Promise<P> }>;
export type RouteHandler<P> = (request: Request, context: RouteContext<P>) => Promise<Response>;

type Methods = 'GET' | 'HEAD' | 'OPTIONS' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** How an error looks at an address: in the form of the events API, where nothing else is said. */
type ErrorResponder<S> = (error: HttpError, services: S, request: Request) => Response;

type RouteOptions<S> = Readonly<{
  /** The media type that the address answers with, where an Accept header may rule it out. */
  produces?: string;
  respondWithError?: ErrorResponder<S>;
}>;

type CatchOptions<S> = Readonly<{
  request: Request;
  services: S;
  respondWithError?: ErrorResponder<S> | undefined;
}>;

const everyAnswer = [...corsHeaders, ...commonSecurityHeaders];
const readMethods = 'GET, HEAD, OPTIONS';

/**
 * Makes the handlers of one read-only address of the API: the one catch that turns what is thrown
 * into the documented error form, with the request id, HEAD, OPTIONS and a 405 for the rest.
 */
export function createApiRoute<S extends RouteServices, P>(
  getServices: () => S,
  handle: (request: Request, services: S, params: P) => Response | Promise<Response>,
  options: RouteOptions<S> = {},
): Readonly<Record<Methods, RouteHandler<P>>> {
  const { produces, respondWithError } = options;

  const read: RouteHandler<P> = (request, context) =>
    catchErrors({ request, services: getServices(), respondWithError }, async (services) => {
      if (produces !== undefined) checkAcceptable(request, produces);
      return handle(request, services, await context.params);
    });

  const describe: RouteHandler<P> = (request) =>
    catchErrors({ request, services: getServices(), respondWithError }, () =>
      prepareResponse({
        status: 204,
        headers: preflightHeaders(readMethods),
        body: null,
      }),
    );

  const refuse: RouteHandler<P> = (request) =>
    catchErrors({ request, services: getServices(), respondWithError }, () => {
      throw methodNotAllowed(request.method);
    });

  return {
    GET: read,
    HEAD: read,
    OPTIONS: describe,
    POST: refuse,
    PUT: refuse,
    PATCH: refuse,
    DELETE: refuse,
  };
}

/** Runs a handler, turns whatever it throws into an answer, and marks the answer with the request's id. */
export async function catchErrors<S extends RouteServices>(
  { request, services, respondWithError = respondInApiForm }: CatchOptions<S>,
  handle: (services: S) => Response | Promise<Response>,
): Promise<Response> {
  const requestId = toRequestId(request.headers.get('x-request-id'));
  let response: Response;
  try {
    response = await handle(services);
  } catch (thrown) {
    const error = toHttpError(thrown);
    logError(error, requestId, services.log);
    response = respondWithError(error, services, request);
  }
  const marked = addHeaders(response, [...everyAnswer, 'X-Request-Id', requestId]);
  return request.method === 'HEAD' ? withoutBody(marked) : marked;
}

function respondInApiForm(error: HttpError, { site }: RouteServices): Response {
  return respondWithApiError(error, site.url);
}

export function methodNotAllowed(method: string): HttpError {
  return new HttpError('method_not_allowed', {
    message: `This address does not take ${/^[A-Z]{1,16}$/.test(method) ? method : 'that method'}.`,
    hint: 'The events API is read-only: use GET, HEAD or OPTIONS.',
    headers: { Allow: readMethods },
  });
}

function checkAcceptable(request: Request, produces: string): void {
  const accept = request.headers.get('accept');
  if (accept === null || accept === '*/*' || acceptQuality(accept, produces) > 0) return;
  throw new HttpError('not_acceptable', {
    message: `This address answers with ${produces} alone, which the Accept header rules out.`,
    hint: `Send \`Accept: ${produces}\`, or none.`,
  });
}

// A caller's mistake is theirs to see; what is ours is logged, by our own words for the reason.
function logError(error: HttpError, requestId: string, log: Log): void {
  if (error.status < 500) return;
  const fields = { requestId, code: error.code, reason: error.reason };
  if (error.code === 'internal_error') log.error({ ...fields, err: error.cause }, error.message);
  else log.warn(fields, error.message);
}

function withoutBody(response: Response): Response {
  const parts = partsOf(response);
  if (parts !== undefined)
    return parts.body === null ? response : prepareResponse({ ...parts, body: null });
  return new Response(null, {
    status: response.status,
    headers: response.headers,
  });
}
