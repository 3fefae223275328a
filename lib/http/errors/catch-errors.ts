import { corsHeaders } from '../cors.ts';
import type { Log } from '../log.ts';
import { toRequestId } from '../request-id.ts';
import { type HeaderFields, setHeaders, withoutBody } from '../response.ts';
import { commonSecurityHeaders } from '../security-headers.ts';
import { respondWithApiError } from './api-error.ts';
import { toHttpError } from './errors.ts';

export type RouteServices = Readonly<{
  site: Readonly<{ url: string }>;
  log: Log;
}>;

/** What is logged about an error. */
export type Failure = Readonly<{
  status: number;
  code: string | null;
  message: string;
  /** The cause in our own words. */
  reason?: string | undefined;
  cause?: unknown;
}>;

/** Converts what a handler threw to an error response of its API. */
export type ErrorResponder<S> = (
  thrown: unknown,
  services: S,
  request: Request,
) => Readonly<{ failure: Failure; response: Response }>;

type CatchOptions<S> = Readonly<{
  request: Request;
  services: S;
  /** By default that of the events API. */
  toErrorResponse?: ErrorResponder<S> | undefined;
  /** Headers of every response. */
  headers?: HeaderFields | undefined;
}>;

const apiHeaders: HeaderFields = [...corsHeaders, ...commonSecurityHeaders];

/**
 * The one catch: runs a handler, turns what it throws into a response, logs errors of our own (5xx), and
 * adds the request id.
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
    const error = toErrorResponse(thrown, services, request);
    logFailure(error.failure, requestId, services.log);
    response = error.response;
  }
  setHeaders(response, [...headers, ['X-Request-Id', requestId]]);
  return request.method === 'HEAD' ? withoutBody(response) : response;
}

const toApiErrorResponse: ErrorResponder<RouteServices> = (thrown, { site }) => {
  const failure = toHttpError(thrown);
  return { failure, response: respondWithApiError(failure, site.url) };
};

function logFailure(failure: Failure, requestId: string, log: Log): void {
  const { status, code, reason, message, cause } = failure;
  if (status < 500) return;
  const fields = { requestId, code, reason };
  if (code === 'internal_error') log.error({ ...fields, err: cause }, message);
  else log.warn(fields, message);
}
