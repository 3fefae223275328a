import type { HeaderFields } from '../response.ts';

/** The error codes of the events API and their HTTP statuses (RFC 9110 §15). */
export const errorStatuses = {
  bad_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  not_acceptable: 406,
  payload_too_large: 413,
  unsupported_media_type: 415,
  too_many_requests: 429,
  server_misconfigured: 500,
  internal_error: 500,
  upstream_error: 502,
  events_not_read_yet: 503,
} as const;

export type ErrorCode = keyof typeof errorStatuses;
export const errorCodes = Object.keys(errorStatuses) as readonly ErrorCode[];

export type HttpErrorOptions = Readonly<{
  /** Public: what happened. */
  message: string;
  /** Public: what to change so that the request succeeds. */
  hint?: string | undefined;
  /** Public: for programs, such as `not_found`. */
  code?: string | null;
  /** Public: the invalid field of the request, such as `input[1].content[0].text`. */
  param?: string | null;
  /** Public: when a spent budget is renewed, RFC 3339. */
  resetsAt?: string | undefined;
  /** Public, in the Messages API: what its SDK reads to go on without a feature. */
  details?: Readonly<Record<string, unknown>> | undefined;
  headers?: Readonly<Record<string, string>>;
  /** For lists of requests: which limit it has reached, such as `tokens per day of the key`. */
  limit?: string | undefined;
  /** For the log only: the cause in our own words, never an upstream's text. */
  reason?: string | undefined;
  cause?: unknown;
}>;

// Next loads this module a second time, so that `instanceof` would fail.
const brand = Symbol.for('marquee.http-error');

/** An error that ends a request with a response of its own, of the API and of the proxy. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly status: number;
  readonly code: string | null;
  readonly hint: string | undefined;
  readonly param: string | null;
  readonly resetsAt: string | undefined;
  readonly details: Readonly<Record<string, unknown>> | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly limit: string | undefined;
  readonly reason: string | undefined;
  readonly [brand] = true;

  constructor(status: number, options: HttpErrorOptions) {
    super(options.message, { cause: options.cause });
    this.status = status;
    this.code = options.code ?? null;
    this.hint = options.hint;
    this.param = options.param ?? null;
    this.resetsAt = options.resetsAt;
    this.details = options.details;
    this.headers = options.headers ?? {};
    this.limit = options.limit;
    this.reason = options.reason;
  }
}

export function isHttpError(error: unknown): error is HttpError {
  return error instanceof Error && brand in error;
}

/** An error of the events API, whose code has one status. */
export function createApiError(
  code: ErrorCode,
  options: Omit<HttpErrorOptions, 'code'>,
): HttpError {
  return new HttpError(errorStatuses[code], { ...options, code });
}

/** Converts anything thrown to an HttpError; nothing of an unknown error is public. */
export function toHttpError(error: unknown): HttpError {
  if (isHttpError(error)) return error;
  return createApiError('internal_error', {
    message: 'Something went wrong on our side.',
    hint: 'Try again. If it keeps happening, report it with the x-request-id of this response.',
    cause: error,
  });
}

/** The same error with further headers, of which its own win, and with a hint. */
export function withHeaders(error: HttpError, headers: HeaderFields, hint = error.hint): HttpError {
  const { status, message, cause } = error;
  const all = { ...Object.fromEntries(headers), ...error.headers };
  return new HttpError(status, { ...error, message, cause, headers: all, hint });
}
