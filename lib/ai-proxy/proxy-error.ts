import type { HeaderFields } from '#lib/http/response.ts';

/** The error types of OpenAI's API. */
export type ProxyErrorType =
  | 'invalid_request_error'
  | 'permission_error'
  | 'rate_limit_error'
  | 'insufficient_quota'
  | 'server_error';

export type ProxyErrorOptions = Readonly<{
  type: ProxyErrorType;
  /** For the client: what happened, and what to change. */
  message: string;
  /** A code for programs, such as `model_not_found`. */
  code?: string | null;
  /** The invalid field of the request, such as `input[1].content[0].text`. */
  param?: string | null;
  headers?: Readonly<Record<string, string>>;
  /** For the log only: our own description of the cause, never a text of the upstream. */
  reason?: string;
  cause?: unknown;
}>;

/** An error that ends a request to the proxy, in OpenAI's terms. */
export class ProxyError extends Error {
  override readonly name = 'ProxyError';
  /** HTTP status. */
  readonly status: number;
  readonly type: ProxyErrorType;
  readonly code: string | null;
  readonly param: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly reason: string | undefined;

  constructor(status: number, options: ProxyErrorOptions) {
    super(options.message, { cause: options.cause });
    this.status = status;
    this.type = options.type;
    this.code = options.code ?? null;
    this.param = options.param ?? null;
    this.headers = options.headers ?? {};
    this.reason = options.reason;
  }
}

/** By its name, not by `instanceof`: this module may be loaded twice in one process. */
export function isProxyError(error: unknown): error is ProxyError {
  return error instanceof Error && error.name === 'ProxyError' && 'status' in error;
}

/** The body of every error under `/proxy`: always all four keys. */
export type ProxyErrorBody = Readonly<{
  error: Readonly<{
    message: string;
    type: string;
    param: string | null;
    code: string | null;
  }>;
}>;

export function toProxyErrorBody({ message, type, param, code }: ProxyError): ProxyErrorBody {
  return { error: { message, type, param, code } };
}

/** The same error with further headers. */
export function withHeaders(error: ProxyError, headers: HeaderFields): ProxyError {
  const { status, type, message, code, param, reason, cause } = error;
  return new ProxyError(status, {
    ...{ type, message, code, param, cause },
    headers: { ...Object.fromEntries(headers), ...error.headers },
    ...(reason !== undefined && { reason }),
  });
}
