import { corsHeaders, preflightHeaders } from './cors.ts';
import { respondWithApiError } from './errors/api-error.ts';
import { createApiError, toHttpError } from './errors/errors.ts';
import { acceptQuality } from './representations/accept.ts';
import { addVary } from './response.ts';
import {
  createRoute,
  type Handle,
  type Route,
  type RouteServices,
  type RouteStyle,
  respondByMethod,
  toShownMethod,
} from './route.ts';
import { commonSecurityHeaders } from './security-headers.ts';

type ApiRouteOptions<S> = Partial<RouteStyle<S>> &
  Readonly<{
    /** The media type of the response: an Accept header that rules it out gets a 406. */
    produces?: string;
  }>;

const apiStyle: RouteStyle<RouteServices> = {
  headers: [...corsHeaders, ...commonSecurityHeaders],
  toPreflightHeaders: (allowed) => preflightHeaders(allowed),
  toErrorResponse(thrown, { site }) {
    const failure = toHttpError(thrown);
    return { failure, response: respondWithApiError(failure, site.url) };
  },
  rejectMethod: (method, allowed) =>
    createApiError('method_not_allowed', {
      message: `This endpoint does not support ${toShownMethod(method, 'this method')}.`,
      hint: 'It is read-only: use GET, HEAD or OPTIONS.',
      headers: { Allow: allowed },
    }),
};

/** Creates a read-only endpoint, with errors in the documented format. */
export function createApiRoute<S extends RouteServices, P>(
  getServices: () => S,
  handle: Handle<S, P>,
  { produces, ...style }: ApiRouteOptions<S> = {},
): Route<P> {
  const read: Handle<S, P> = async (request, services, params) => {
    if (produces !== undefined) checkAcceptable(request, produces);
    const response = await handle(request, services, params);
    if (produces !== undefined) addVary(response, 'Accept');
    return response;
  };
  return createRoute(getServices, { GET: read }, { ...apiStyle, ...style });
}

/** Responds to a read as an endpoint does, where a URL has no `route.ts` of its own. */
export function respondToRead<S extends RouteServices>(
  request: Request,
  services: S,
  handle: () => Response | Promise<Response>,
  style: Partial<RouteStyle<S>> = {},
): Promise<Response> {
  return respondByMethod(request, services, {
    params: {},
    handlers: { GET: handle },
    style: { ...apiStyle, ...style },
  });
}

/** Creates an endpoint that another service posts to: no web page does. */
export function createHookRoute<S extends RouteServices>(
  getServices: () => S,
  handle: Handle<S>,
): Route {
  const { toErrorResponse, headers: _, toPreflightHeaders: __, ...style } = apiStyle;
  return createRoute(
    getServices,
    { POST: handle },
    {
      ...style,
      toErrorResponse,
      headers: commonSecurityHeaders,
      rejectMethod: (_method, allowed) =>
        createApiError('method_not_allowed', {
          message: 'This endpoint receives reports.',
          hint: `Use ${allowed}.`,
          headers: { Allow: allowed },
        }),
    },
  );
}

function checkAcceptable(request: Request, produces: string): void {
  const accept = request.headers.get('accept');
  if (accept === null || accept === '*/*' || acceptQuality(accept, produces) > 0) return;
  throw createApiError('not_acceptable', {
    message: `This endpoint only returns ${produces}, which the Accept header rules out.`,
    hint: `Send \`Accept: ${produces}\`, or no Accept header.`,
    headers: { Vary: 'Accept' },
  });
}
