/** The public error codes and their HTTP statuses (RFC 9110 §15). */
export const errorStatuses = {
  bad_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  not_acceptable: 406,
  payload_too_large: 413,
  unsupported_media_type: 415,
  server_misconfigured: 500,
  internal_error: 500,
  upstream_error: 502,
} as const;

export type ErrorCode = keyof typeof errorStatuses;
export const errorCodes = Object.keys(errorStatuses) as readonly ErrorCode[];

export type HttpErrorOptions = Readonly<{
  /** Public: what happened. */
  message: string;
  /** Public: what to change so that the request succeeds. */
  hint?: string;
  /** For the log only: the cause in our own words, never an upstream's text. */
  reason?: string;
  headers?: Readonly<Record<string, string>>;
  cause?: unknown;
}>;

/** An error that ends a request with a response of its own. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  readonly reason: string | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, options: HttpErrorOptions) {
    super(options.message, { cause: options.cause });
    this.code = code;
    this.hint = options.hint;
    this.reason = options.reason;
    this.headers = options.headers ?? {};
  }

  get status(): number {
    return errorStatuses[this.code];
  }
}

/** By name and code, not by `instanceof`: Next loads this module a second time. */
export function isHttpError(error: unknown): error is HttpError {
  if (!(error instanceof Error) || error.name !== 'HttpError') return false;
  return 'code' in error && Object.hasOwn(errorStatuses, String(error.code));
}

/** Converts anything thrown to an HttpError; nothing of an unknown error is public. */
export function toHttpError(error: unknown): HttpError {
  if (isHttpError(error)) return error;
  return new HttpError('internal_error', {
    message: 'Something went wrong on our side.',
    hint: 'Try again. If it keeps happening, report it with the x-request-id of this response.',
    cause: error,
  });
}
