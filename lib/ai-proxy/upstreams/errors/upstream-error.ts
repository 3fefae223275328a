import { isBoundName, readRejectedBound } from '../../quirks/bounds.ts';
import { readMistake, toPublicParam } from '../../quirks/read-mistake.ts';
import { readRejected, readRejectedForms } from '../../quirks/read-rejected.ts';
import { isAbout } from '../../quirks/service.ts';
import {
  readErrorBody,
  readPlainError,
  readRetryDelayMs,
  type UpstreamError,
} from './error-body.ts';
import {
  type Failure,
  toAccountError,
  toOverloadedError,
  toRetryAfter,
  toTimeoutError,
  toUpstreamError,
  UpstreamFailure,
} from './upstream-failure.ts';

/** A response of the upstream other than 200. */
type UpstreamErrorResponse = Readonly<{
  status: number;
  /** Its body as JSON; undefined if it was not JSON. */
  body: unknown;
  retryAfterMs: number | null;
  /** The JSON that it was sent. */
  sent?: string;
}>;

const rateLimitMs = 10_000;

/** About what a prompt asks for, whatever the status. */
const policyCodes: ReadonlySet<string> = new Set(['content_filter', 'cyber_policy']);

/** Converts an upstream's error response, as the proxy's documentation lists it. */
export function toResponseFailure({
  status,
  body,
  retryAfterMs,
  sent = '',
}: UpstreamErrorResponse): Failure {
  const failure = { reason: `status ${status}`, upstreamStatus: status };
  const known = readErrorBody(body);
  // Other bodies with a 404 are about the URL.
  const errors = known.length > 0 || status === 404 ? known : readPlainError(body);
  const [reported = null] = errors;
  switch (status) {
    case 403: {
      const mistake = reported === null ? null : readMistake(reported, sent);
      const isFiltered = policyCodes.has(mistake?.code ?? '');
      return isFiltered ? toClientFailure(400, errors, sent) : toAccountFailure(status);
    }
    case 402: {
      const rejectedBound = readRejectedBound(reported, sent);
      const { error, health } = toAccountFailure(status);
      return { error: error.with({ rejectedBound }), health };
    }
    case 401:
      return toAccountFailure(status);
    case 400:
    case 404:
    case 413:
    case 422:
      return toClientFailure(status, errors, sent);
    case 429:
      if (reported !== null && isAbout(reported, 'account')) return toAccountFailure(status);
      return toRateLimitFailure(retryAfterMs ?? readRetryDelayMs(body, reported?.message));
    case 408:
    case 504:
    case 524:
      return { error: toTimeoutError({ ...failure, isBillable: false }), health: 'failed' };
    case 529:
      return { error: toOverloadedError({ ...failure, retryAfterMs }), health: 'failed' };
    default:
      return (
        toMisreportedFailure(failure, reported, sent) ?? {
          error: toUpstreamError(failure).with({
            // Templates of models fail with it in Ollama and llama.cpp.
            rejectedFields: status === 500 ? readRejectedForms(errors, sent) : [],
          }),
          health: status >= 500 || status < 400 ? 'failed' : 'healthy',
        }
      );
  }
}

/** What only a request can be the reason for, whatever the status. */
const requestCode = /^(?:context_length_exceeded|unsupported_parameter)$/;

/**
 * A mistake of the client that is reported as a failure of the service; null: it is none. llama.cpp and Ollama report
 * prompts that are too long, and pictures, with a 500, and gateways the 400 of a service with a 502 or 503. Nothing is
 * learned from it.
 */
function toMisreportedFailure(
  { reason, upstreamStatus }: Readonly<{ reason: string; upstreamStatus: number }>,
  reported: UpstreamError | null,
  sent: string,
): Failure | null {
  if (reported === null || isAbout(reported, 'rateLimit')) return null;
  if (isAbout(reported, 'unreadableCall')) return toUnreadableCall(upstreamStatus);
  if (isAbout(reported, 'unknownModel')) {
    return { error: toUnknownModel(upstreamStatus), health: 'unknown' };
  }
  const mistake = readMistake(reported, sent);
  if (mistake === null || !requestCode.test(mistake.code ?? '')) return null;
  // Another server may have more room, or read pictures.
  const error = new UpstreamFailure(400, { ...mistake, reason, upstreamStatus, isRetryable: true });
  return { error, health: 'unknown' };
}

function toAccountFailure(status: number, about = ''): Failure {
  return { error: toAccountError(`status ${status}${about}`, status), health: 'healthy' };
}

function toClientFailure(status: number, errors: readonly UpstreamError[], sent: string): Failure {
  const [error = null] = errors;
  if (error !== null && isAbout(error, 'account', 'access')) {
    return toAccountFailure(status, ', about our account');
  }
  if (error !== null && isAbout(error, 'throttled')) return toRateLimitFailure(null);
  if (error !== null && isAbout(error, 'unreadableCall')) return toUnreadableCall(status);
  if (status === 404 && error === null) {
    const reason = 'status 404 without an error: its URL may be wrong';
    return { error: toUpstreamError({ reason, upstreamStatus: status }), health: 'healthy' };
  }
  const isOfFields = status === 400 || status === 422;
  const rejectedFields = isOfFields ? readRejected(errors, sent) : [];
  const isRenamed = rejectedFields.some(({ name }) => isBoundName(name));
  const rejectedBound = isRenamed ? null : readRejectedBound(error, sent);
  const rejected = toClientError(status, error, sent);
  return {
    error: rejected.with({
      upstreamStatus: status,
      rejectedBound,
      rejectedFields,
      rejectsReasoning: isOfFields && errors.some((found) => isAbout(found, 'reasoning')),
    }),
    health: 'healthy',
  };
}

/** Neither the request nor the service is wrong: it is the model, which may do better the next time. */
function toUnreadableCall(status: number): Failure {
  const message =
    'The model wrote a call of a tool that its service cannot read. Try again, or ask for less in one call.';
  const reason = `status ${status}, a call that cannot be read`;
  return { error: toUpstreamError({ message, reason, upstreamStatus: status }), health: 'unknown' };
}

/** Claude Code shortens a conversation at a 413 with the last two words, and ends at others. */
export const shortenWords =
  'Shorten the conversation, or leave out pictures, as you would for a full context window.';

function toClientError(status: number, error: UpstreamError | null, sent: string): UpstreamFailure {
  const options = { reason: `status ${status}` } as const;
  const mistake = error === null ? null : readMistake(error, sent);
  if (status === 413 && mistake?.code !== 'context_length_exceeded') {
    const message = `The request is too large for the service behind this model. ${shortenWords}`;
    return new UpstreamFailure(413, { ...options, code: 'request_too_large', message });
  }
  // A 404 may also be about what a model cannot do.
  if (mistake !== null)
    return new UpstreamFailure(status === 422 ? 422 : 400, { ...options, ...mistake });
  if (status === 404 || (error !== null && isAbout(error, 'unknownModel'))) {
    return toUnknownModel(status);
  }
  return new UpstreamFailure(status, {
    ...options,
    isUnexplained: true,
    param: toPublicParam(error?.param, sent),
    message:
      'The service behind this model refused the request. Check the fields and values that this model takes.',
  });
}

function toUnknownModel(upstreamStatus: number): UpstreamFailure {
  return new UpstreamFailure(404, {
    code: 'model_not_found',
    param: 'model',
    message: 'The service behind this model does not know it: choose another model.',
    reason: `status ${upstreamStatus}`,
    upstreamStatus,
    isRetryable: true,
  });
}

function toRateLimitFailure(retryAfterMs: number | null): Failure {
  const error = new UpstreamFailure(429, {
    code: 'rate_limit_exceeded',
    message:
      'The service behind this model takes no more requests for the moment. Wait, then try again.',
    headers: toRetryAfter(retryAfterMs ?? rateLimitMs),
    reason: 'status 429',
    upstreamStatus: 429,
    isRetryable: true,
  });
  return { error, health: 'healthy' };
}
