import { respondWithApiError } from './api-error.ts';
import { corsHeaders } from './cors.ts';
import { toHttpError } from './errors.ts';
import type { Log } from './log.ts';
import { addHeaders, partsOf, prepareResponse } from './prepared-response.ts';
import { toRequestId } from './request-id.ts';
import { commonSecurityHeaders } from './security-headers.ts';

export type RouteServices = Readonly<{
  site: Readonly<{ url: string }>;
  log: Log;
}>;

/** What the log is told of an error, whatever its form. */
export type Failure = Readonly<{
  status: number;
  code: string | null;
  message: string;
  /** Our own word for the cause. */
  reason?: string | undefined;
  cause?: unknown;
}>;

/** How an error looks at an address. */
export type ErrorResponder<S> = (
  thrown: unknown,
  services: S,
  request: Request,
) => Readonly<{ failure: Failure; response: Response }>;

type CatchOptions<S> = Readonly<{
  request: Request;
  services: S;
  /** That of the events API, where nothing else is said. */
  toErrorResponse?: ErrorResponder<S> | undefined;
  /** Headers of every answer, names and values in turn. */
  headers?: readonly string[] | undefined;
}>;

const apiHeaders: readonly string[] = [...corsHeaders, ...commonSecurityHeaders];

/**
 * The one catch: runs a handler, turns whatever it throws into an answer, logs what is our own fault,
 * and marks the answer with the request's id.
 */
export async function catchErrors<S extends RouteServices>(
  {
    request,
    services,
    toErrorResponse = toApiErrorResponse,
    headers = apiHeaders,
  }: CatchOptions<S>,
  handle: (services: S) => Response | Promise<Response>,
): Promise<Response> {
  const requestId = toRequestId(request.headers.get('x-request-id'));
  let response: Response;
  try {
    response = await handle(services);
  } catch (thrown) {
    const answer = toErrorResponse(thrown, services, request);
    logFailure(answer.failure, requestId, services.log);
    response = answer.response;
  }
  const marked = addHeaders(response, [...headers, 'X-Request-Id', requestId]);
  return request.method === 'HEAD' ? withoutBody(marked) : marked;
}

const toApiErrorResponse: ErrorResponder<RouteServices> = (thrown, { site }) => {
  const failure = toHttpError(thrown);
  return { failure, response: respondWithApiError(failure, site.url) };
};

// A caller's mistake is theirs to see; what is ours is logged, by our own words for the reason.
function logFailure(failure: Failure, requestId: string, log: Log): void {
  const { status, code, reason, message, cause } = failure;
  if (status < 500) return;
  const fields = { requestId, code, reason };
  if (code === 'internal_error') log.error({ ...fields, err: cause }, message);
  else log.warn(fields, message);
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
