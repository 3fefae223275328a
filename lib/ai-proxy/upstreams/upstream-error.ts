import { z } from 'zod';
import { ProxyError } from '../proxy-error.ts';
import {
  type Failure,
  toAccountError,
  toOverloadedError,
  toTimeoutError,
  toUpstreamError,
} from './failure.ts';
import { toPublicParam, toPublicText } from './public-text.ts';
import { toRetryAfter } from './retry-after.ts';

/** A response of the upstream other than 200. */
export type UpstreamErrorResponse = Readonly<{
  status: number;
  /** Its body as JSON; undefined if it was not JSON. */
  body: unknown;
  retryAfterMs: number | null;
}>;

const errorSchema = z.looseObject({
  message: z.unknown().optional(),
  code: z.union([z.string(), z.number()]).nullish().catch(null),
  status: z.union([z.string(), z.number()]).nullish().catch(null),
  type: z.string().nullish().catch(null),
  param: z.unknown().optional(),
});
const bodySchema = z.looseObject({ error: z.union([errorSchema, z.string()]) });
type UpstreamError = z.infer<typeof errorSchema>;

const rateLimitMs = 10_000;

/** About our own account, whatever the status. */
const accountCodes =
  /^(?:invalid_api_key|invalid_authentication|account_|billing_|organization_|project_|insufficient_)/;
const accountKeys =
  /\bapi[ _-]?key\b.*\b(?:invalid|incorrect|not valid|expired|missing)\b|\b(?:invalid|incorrect|expired|missing)\b.*\bapi[ _-]?key\b/i;

/** The prompt is too long, in the wording of several vendors. */
const tooLong =
  /\bcontext (?:length|window)\b|\bprompt is too long\b|\btoo many (?:input )?tokens\b/i;

/** Converts an upstream's error response, as the proxy's documentation lists it. */
export function toResponseFailure({ status, body, retryAfterMs }: UpstreamErrorResponse): Failure {
  const reason = `status ${status}`;
  switch (status) {
    case 401:
    case 402:
    case 403:
      return { error: toAccountError(reason), health: 'healthy' };
    case 400:
    case 404:
    case 413:
    case 422:
      return toClientFailure(status, readError(body));
    case 429:
      return { error: toRateLimitError(retryAfterMs), health: 'healthy' };
    case 408:
    case 504:
    case 524:
      return { error: toTimeoutError(reason), health: 'failed' };
    case 529:
      return { error: toOverloadedError(reason, retryAfterMs), health: 'failed' };
    default:
      return {
        error: toUpstreamError(reason, retryAfterMs),
        health: status >= 500 || status < 400 ? 'failed' : 'healthy',
      };
  }
}

/** The error in the body of a successful response; null if there is none. `error: null` is no error. */
export function toErrorInBody(body: unknown): Failure | null {
  if (typeof body !== 'object' || body === null || !('error' in body)) return null;
  if (body.error === null || body.error === undefined) return null;
  return toReportedFailure(body.error);
}

/**
 * An error that an upstream reports in a 200 response, or in mid-stream; it contains a status or a
 * known code.
 */
export function toReportedFailure(error: unknown): Failure {
  const body = { error };
  const { code, status, type } = readError(body) ?? {};
  const words = [code, type].map((word) => statuses.get(String(word)));
  const found = [code, status].map(Number).find(isFailureStatus) ?? words.find(isFailureStatus);
  if (found !== undefined) {
    return toResponseFailure({ status: found, body, retryAfterMs: null });
  }
  return { error: toUpstreamError('an error in a reply'), health: 'failed' };
}

const statuses: ReadonlyMap<string, number> = new Map([
  ['context_length_exceeded', 400],
  ['rate_limit_exceeded', 429],
  ['rate_limit_error', 429],
  ['too_many_requests', 429],
  ['server_is_overloaded', 529],
  ['overloaded_error', 529],
  ['timeout', 504],
  ['upstream_timeout', 504],
]);

function isFailureStatus(status: number | undefined): status is number {
  return status !== undefined && status >= 400 && status <= 599;
}

function toClientFailure(status: number, error: UpstreamError | null): Failure {
  if (error !== null && isAboutAccount(error)) {
    return { error: toAccountError(`status ${status}, about our account`), health: 'healthy' };
  }
  if (status === 404 && error === null) {
    const reason = 'status 404 without an error: its URL may be wrong';
    return { error: toUpstreamError(reason), health: 'healthy' };
  }
  // Our own message suffices for an unknown model.
  const publicText = status === 404 ? null : toPublicText(error?.message);
  const code = toCode(status, error);
  const proxyError = new ProxyError(status, {
    type: 'invalid_request_error',
    code,
    param: toPublicParam(error?.param) ?? (code === 'model_not_found' ? 'model' : null),
    message:
      publicText === null
        ? toGenericMessage(status, code)
        : `The service behind this model refused the request: ${publicText}`,
    reason: `status ${status}`,
  });
  return { error: proxyError, health: 'healthy' };
}

function toCode(status: number, error: UpstreamError | null): string | null {
  if (status === 413) return 'request_too_large';
  if (status === 404) return 'model_not_found';
  const isTooLong =
    error?.code === 'context_length_exceeded' || tooLong.test(String(error?.message ?? ''));
  if (isTooLong) return 'context_length_exceeded';
  return error?.code === 'unsupported_parameter' ? error.code : null;
}

function toGenericMessage(status: number, code: string | null): string {
  if (status === 413)
    return 'The request is too large for the service behind this model: shorten it.';
  if (status === 404)
    return 'The service behind this model does not know it: choose another model.';
  if (code === 'context_length_exceeded') {
    return 'The prompt and the requested output are too long for this model: shorten one of them.';
  }
  return 'The service behind this model refused the request. Check the fields and values that this model takes.';
}

function toRateLimitError(retryAfterMs: number | null): ProxyError {
  return new ProxyError(429, {
    type: 'rate_limit_error',
    code: 'rate_limit_exceeded',
    message:
      'The service behind this model takes no more requests for the moment. Wait, then try again.',
    headers: toRetryAfter(retryAfterMs ?? rateLimitMs),
    reason: 'status 429',
  });
}

function isAboutAccount({ code, type, message }: UpstreamError): boolean {
  if ([code, type].some((word) => typeof word === 'string' && accountCodes.test(word))) return true;
  return typeof message === 'string' && accountKeys.test(message.slice(0, 1000));
}

function readError(body: unknown): UpstreamError | null {
  const parsed = bodySchema.safeParse(body);
  if (!parsed.success) return null;
  const { error } = parsed.data;
  return typeof error === 'string' ? { message: error } : error;
}
