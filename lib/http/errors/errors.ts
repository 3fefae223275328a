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
} as const;

export type ErrorCode = keyof typeof errorStatuses;
export const errorCodes = Object.keys(errorStatuses) as readonly ErrorCode[];

type HttpErrorOptions = Readonly<{
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
  /** For the log only: the cause in our own words, never an upstream's text. */
  reason?: string | undefined;
  cause?: unknown;
  /** The status of the upstream's response, if that was the cause. */
  upstreamStatus?: number | null;
  /** The request may have reached the upstream. */
  wasSent?: boolean;
  /** The upstream may charge for a request that failed like this. */
  isBillable?: boolean;
  /** Another upstream may succeed. */
  isRetryable?: boolean;
  /** The upstream takes no reply bound as large as the one it got. */
  rejectedBound?: RejectedBound | null;
  /** The upstream cannot read encrypted reasoning of the request. */
  rejectsReasoning?: boolean;
  /** The upstream rejects the request, and gives no reason that is known here. */
  isUnexplained?: boolean;
  /** Fields of the request that the upstream does not take, or not with their values. */
  rejectedFields?: readonly RejectedField[];
  /** Reads an error within a reply once more, with the JSON that the upstream was sent: what it rejects stands in there. */
  readWithSent?: ((sent: string) => HttpError) | null;
}>;

export type RejectedField = Readonly<{
  name: string;
  /** The values that it takes; none: it does not take the field. */
  values: readonly string[];
  /** It is about what stands in this request, and says nothing of others. */
  isOfRequest?: boolean;
}>;

export type RejectedBound = Readonly<{
  /** The largest that it takes; null: it does not say. */
  outputTokensMax: number | null;
  /** Whether that holds for any request to the model. */
  isOfModel?: boolean;
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
  readonly reason: string | undefined;
  readonly upstreamStatus: number | null;
  readonly wasSent: boolean;
  readonly isBillable: boolean;
  readonly isRetryable: boolean;
  readonly rejectedBound: RejectedBound | null;
  readonly rejectsReasoning: boolean;
  readonly isUnexplained: boolean;
  readonly rejectedFields: readonly RejectedField[];
  readonly readWithSent: ((sent: string) => HttpError) | null;
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
    this.reason = options.reason;
    this.upstreamStatus = options.upstreamStatus ?? null;
    this.wasSent = options.wasSent ?? false;
    this.isBillable = options.isBillable ?? false;
    this.isRetryable = options.isRetryable ?? false;
    this.rejectedBound = options.rejectedBound ?? null;
    this.rejectsReasoning = options.rejectsReasoning ?? false;
    this.isUnexplained = options.isUnexplained ?? false;
    this.rejectedFields = options.rejectedFields ?? [];
    this.readWithSent = options.readWithSent ?? null;
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

/** The same error with further headers; its own win. */
export function withHeaders(error: HttpError, headers: HeaderFields): HttpError {
  return withOptions(error, { headers: { ...Object.fromEntries(headers), ...error.headers } });
}

/** The same error with other options. */
export function withOptions(error: HttpError, options: Partial<HttpErrorOptions>): HttpError {
  const { status, message } = error;
  return new HttpError(status, { ...error, message, cause: error.cause, ...options });
}
