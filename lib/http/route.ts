import { randomUUIDv7 } from 'node:crypto';
import type { HttpError } from './errors/errors.ts';
import type { Log } from './log.ts';
import { createResponse, type HeaderFields, setHeaders, withoutBody } from './response.ts';

export type RouteServices = Readonly<{
  site: Readonly<{ url: string }>;
  log: Log;
}>;

type RouteHandler<P> = (
  request: Request,
  context: Readonly<{ params: Promise<P> }>,
) => Promise<Response>;

/** What a `route.ts` exports: one function under each name, which looks at the method itself. */
export type Route<P = unknown> = Readonly<Record<Method, RouteHandler<P>>>;
type Method = 'GET' | 'HEAD' | 'OPTIONS' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Handles one method of a route. @param params segments of the URL, not decoded. */
export type Handle<S, P = unknown> = (
  request: Request,
  services: S,
  params: P,
) => Response | Promise<Response>;

/** What an error is logged as. */
type Failure = Readonly<{
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

/** What all routes of one API have in common. */
export type RouteStyle<S> = Readonly<{
  /** Headers of every response. */
  headers: HeaderFields;
  /** Headers for the request id; by default `X-Request-Id`. */
  idHeaders?: readonly string[];
  toErrorResponse: ErrorResponder<S>;
  rejectMethod: (method: string, allowed: string) => HttpError;
  /** Headers of the response to OPTIONS; without them, OPTIONS is rejected like other methods. */
  toPreflightHeaders?: (allowed: string, request: Request) => HeaderFields;
  /** Runs first, whatever the method; it may throw. */
  check?: (request: Request, services: S) => void;
}>;

type Handlers<S, P> = Readonly<Partial<Record<'GET' | 'POST', Handle<S, P>>>>;

/** Creates a route: its own methods, HEAD with GET, OPTIONS, and an error for all others. */
export function createRoute<S extends RouteServices, P>(
  getServices: () => S,
  handlers: Handlers<S, P>,
  style: RouteStyle<S>,
): Route<P> {
  const route: RouteHandler<P> = (request, { params }) =>
    respondByMethod(request, getServices(), { params, handlers, style });
  return {
    GET: route,
    HEAD: route,
    OPTIONS: route,
    POST: route,
    PUT: route,
    PATCH: route,
    DELETE: route,
  };
}

type RouteParts<S, P> = Readonly<{
  params: P | Promise<P>;
  handlers: Handlers<S, P>;
  style: RouteStyle<S>;
}>;

/** Responds as a route with these handlers does. */
export function respondByMethod<S extends RouteServices, P>(
  request: Request,
  services: S,
  { params, handlers, style }: RouteParts<S, P>,
): Promise<Response> {
  return catchErrors({ ...style, request, services }, async () => {
    style.check?.(request, services);
    const handle = findHandler(request.method, handlers);
    if (handle !== undefined) return handle(request, services, await params);
    const allowed = listMethods(handlers, style);
    if (request.method !== 'OPTIONS' || style.toPreflightHeaders === undefined) {
      throw style.rejectMethod(request.method, allowed);
    }
    const headers = style.toPreflightHeaders(allowed, request);
    return createResponse({ status: 204, headers, body: null });
  });
}

function findHandler<S, P>(method: string, { GET, POST }: Handlers<S, P>) {
  if (method === 'GET' || method === 'HEAD') return GET;
  return method === 'POST' ? POST : undefined;
}

function listMethods<S, P>(
  handlers: Handlers<S, P>,
  { toPreflightHeaders }: RouteStyle<S>,
): string {
  return [
    ...Object.keys(handlers),
    ...(handlers.GET === undefined ? [] : ['HEAD']),
    ...(toPreflightHeaders === undefined ? [] : ['OPTIONS']),
  ].join(', ');
}

type CatchOptions<S> = Pick<RouteStyle<S>, 'headers' | 'idHeaders' | 'toErrorResponse'> &
  Readonly<{ request: Request; services: S }>;

/**
 * The one catch: runs a handler, turns what it throws into a response, logs errors of our own (5xx), and
 * adds the request id.
 */
export async function catchErrors<S extends RouteServices>(
  { request, services, toErrorResponse, headers, idHeaders = ['X-Request-Id'] }: CatchOptions<S>,
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
  setHeaders(response, [...headers, ...idHeaders.map((name) => [name, requestId] as const)]);
  return request.method === 'HEAD' ? withoutBody(response) : response;
}

function logFailure(failure: Failure, requestId: string, log: Log): void {
  const { status, code, reason, message, cause } = failure;
  if (status < 500) return;
  const fields = { requestId, code, reason };
  if (code === 'internal_error') log.error({ ...fields, err: cause }, message);
  else log.warn(fields, message);
}

/** A method as an error message may show it. @param fallback for one that clients made up. */
export function toShownMethod(method: string, fallback: string): string {
  return /^[A-Z]{1,16}$/.test(method) ? method : fallback;
}

const acceptable = /^[\w.-]{8,64}$/;
/** Keys of this server and of well-known services, and signed tokens: an id is logged. */
const likeKey =
  /(?<![a-z0-9])(?:mq_|sk-|[spr]k_|gsk_|xai-|hf_|gh[a-z]_|github_pat_|glpat-|xox[a-z]-|AKIA|AIza|eyJ)[\w.-]{8}/i;

/** The `x-request-id` of the request if it is plain, else null. */
export function readRequestId(header: string | string[] | null | undefined): string | null {
  const isPlain = typeof header === 'string' && acceptable.test(header) && !likeKey.test(header);
  return isPlain ? header : null;
}

/** The same, or a new id. Those ascend with time, as the ledger has an index of them. */
export function toRequestId(header: string | string[] | null | undefined): string {
  return readRequestId(header) ?? randomUUIDv7();
}
