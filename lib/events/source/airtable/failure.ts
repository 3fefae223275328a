import { HttpError } from '#lib/http/errors/errors.ts';
import { toJsonArray, toJsonObject, toText } from '#lib/http/json-value.ts';

/** Why a table could not be read. Texts of the upstream are dropped. */
export type FailureReason =
  | 'credentials_rejected'
  | 'not_permitted_or_not_found'
  | 'not_found'
  | 'request_rejected'
  | 'unknown_field'
  | 'iterator_expired'
  | 'rate_limited'
  | 'quota_exhausted'
  | 'unavailable'
  | 'server_error'
  | 'unexpected_status'
  | 'network'
  | 'timeout'
  | 'too_large'
  | 'malformed'
  | 'rows_rejected';

/** Why a request did not return a page. */
export type Failure = Readonly<{
  reason: FailureReason;
  status?: number;
  /** From `Retry-After`, ms. */
  retryAfterMs?: number;
  /** More about it in our own words, for clients too. */
  details?: string;
}>;

/** A failed read is repeated for the next visitor, but no client should try more often. */
const nextReadMs = 5_000;

/** The error that ends a read: a 502 that reveals nothing about the upstream. */
export class AirtableError extends HttpError {
  readonly failure: Failure;

  constructor(failure: Failure) {
    const { retryAfterMs = nextReadMs, details } = failure;
    super(502, {
      code: 'upstream_error',
      message:
        details === undefined
          ? 'The events table could not be read.'
          : `The events table is not usable: ${details}.`,
      hint: 'Your request was fine. Try again in a little while.',
      reason: toReasonText(failure),
      headers: { 'Retry-After': toRetrySeconds(retryAfterMs) },
    });
    this.failure = failure;
  }
}

function toReasonText({ reason, status, details }: Failure): string {
  if (details !== undefined) return `${reason}: ${details}`;
  return status === undefined ? reason : `${reason} (${status})`;
}

// Clamped, since clients of ours receive it.
function toRetrySeconds(retryAfterMs: number): string {
  return String(Math.min(Math.max(1, Math.ceil(retryAfterMs / 1000)), 60));
}

/** Reads the reason from a status and an error body in any of the three envelopes that are in use. */
export function toFailure(
  status: number,
  body: unknown,
  retryAfterMs: number | undefined,
): Failure {
  const type = toErrorType(body);
  const reason = reasonOf(status, type);
  return { reason, status, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
}

function reasonOf(status: number, type: string): FailureReason {
  if (type === 'LIST_RECORDS_ITERATOR_NOT_AVAILABLE' || type === 'INVALID_OFFSET_VALUE')
    return 'iterator_expired';
  if (type === 'PUBLIC_API_BILLING_LIMIT_EXCEEDED') return 'quota_exhausted';
  if (type === 'UNKNOWN_FIELD_NAME') return 'unknown_field';
  switch (status) {
    case 401:
      return 'credentials_rejected';
    case 403:
      return 'not_permitted_or_not_found';
    case 404:
      return 'not_found';
    case 413:
    case 422:
      return 'request_rejected';
    case 429:
      return 'rate_limited';
    case 503:
      return 'unavailable';
    default:
      return status >= 500 ? 'server_error' : 'unexpected_status';
  }
}

// {"error":{"type"}}, {"error":"TYPE"} and {"errors":[{"error":"TYPE"}]}.
function toErrorType(body: unknown): string {
  const { error, errors } = toJsonObject(body);
  const [first] = toJsonArray(errors);
  return toText(error) || toText(toJsonObject(error).type) || toText(toJsonObject(first).error);
}
