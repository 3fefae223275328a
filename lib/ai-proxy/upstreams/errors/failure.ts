import { HttpError, isHttpError } from '#lib/http/errors/errors.ts';
import { toRetryAfter } from './retry-after.ts';

/** `health` is what it shows about the upstream; `failed` counts towards opening its breaker. */
export type Failure = Readonly<{
  error: HttpError;
  health: 'failed' | 'unreachable' | 'healthy' | 'unknown';
}>;

const later = 'This is not about your request; try it again in a little while.';
const overloadedMs = 5000;

/** 502: the upstream failed, or its response is unusable. */
export function toUpstreamError(reason: string, retryAfterMs: number | null = null): HttpError {
  return new HttpError(502, {
    code: 'upstream_error',
    message: `The service behind this model failed. ${later}`,
    reason,
    ...(retryAfterMs === null ? {} : { headers: toRetryAfter(retryAfterMs) }),
  });
}

/** 502: the upstream rejected our account, so retries are pointless. */
export function toAccountError(reason: string): HttpError {
  return new HttpError(502, {
    code: 'upstream_error',
    message:
      'The service behind this model does not take requests from this server at present. This is not about your request or your key; the operator has to act.',
    headers: { 'x-should-retry': 'false' },
    reason,
  });
}

/** 504: no response, or no complete one, in time. */
export function toTimeoutError(reason: string): HttpError {
  return new HttpError(504, {
    code: 'upstream_timeout',
    message:
      'The service behind this model did not respond in time. Try again, request less at once, or use a stream.',
    reason,
  });
}

/** 503: overloaded, here or there. */
export function toOverloadedError(reason: string, retryAfterMs: number | null): HttpError {
  return new HttpError(503, {
    code: 'server_is_overloaded',
    message: `The service behind this model is overloaded or out of order. ${later}`,
    headers: toRetryAfter(retryAfterMs ?? overloadedMs),
    reason,
  });
}

/** 500: a setting is missing. */
export function toMisconfiguredError(variable: string): HttpError {
  return new HttpError(500, {
    code: 'server_misconfigured',
    message: `The server lacks a setting for its AI models: its operator has to set ${variable}.`,
    headers: { 'x-should-retry': 'false' },
    reason: `${variable} is not set`,
  });
}

/** undici's error codes. */
const timeouts: Readonly<Record<string, string>> = {
  UND_ERR_HEADERS_TIMEOUT: 'no response in time',
  UND_ERR_BODY_TIMEOUT: 'silent for too long in mid-response',
};

/**
 * A failure below HTTP. `wasSent`: the request may have arrived. Contains neither the error's
 * message nor a URL.
 */
export function toConnectionFailure(error: unknown, wasSent: boolean): Failure {
  const code = toErrorCode(error);
  const timeout = timeouts[code];
  if (timeout !== undefined) return { error: toTimeoutError(timeout), health: 'failed' };
  if (code === 'UND_ERR_CONNECT_TIMEOUT') {
    return { error: toTimeoutError('no connection in time'), health: 'unreachable' };
  }
  if (code === 'UND_ERR_DESTROYED' || code === 'UND_ERR_CLOSED') {
    return { error: toOverloadedError('the client was closed', null), health: 'unknown' };
  }
  return {
    error: toUpstreamError(`${wasSent ? 'the connection broke' : 'no connection'} (${code})`),
    health: wasSent ? 'failed' : 'unreachable',
  };
}

/** A code such as `ECONNREFUSED`, or `UNREADABLE` if there is none. */
export function toErrorCode(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /^[A-Z][A-Z0-9_]{2,60}$/.test(code) ? code : 'UNREADABLE';
}

/** A bug of ours, which shows nothing about the upstream. */
export function toInternalFailure(cause: unknown): Failure {
  const error = new HttpError(500, {
    code: 'internal_error',
    message: 'Something went wrong on our side. Report it with the x-request-id of this response.',
    cause,
  });
  return { error, health: 'unknown' };
}

/** Whether the upstream has no such endpoint (404, 405). */
export function isMissingEndpoint({ reason }: HttpError): boolean {
  return /^status 40[45]\b/.test(reason ?? '');
}

/** What an unusable reply shows about the upstream. */
export function toHealth(thrown: unknown): Failure['health'] {
  if (!isHttpError(thrown) || thrown.code === 'internal_error') return 'unknown';
  const isAboutAccount = thrown.headers['x-should-retry'] === 'false';
  return thrown.status >= 500 && !isAboutAccount ? 'failed' : 'healthy';
}
