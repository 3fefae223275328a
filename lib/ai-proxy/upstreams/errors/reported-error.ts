import { isJsonObject, type JsonObject, toJsonObject } from '#lib/http/json-value.ts';
import { readMistake } from '../../quirks/read-mistake.ts';
import { readRejectedForms } from '../../quirks/read-rejected.ts';
import { isAbout } from '../../quirks/service.ts';
import { readErrorBody, type UpstreamError } from './error-body.ts';
import { toResponseFailure } from './upstream-error.ts';
import { type Failure, toUpstreamError, type UpstreamFailure } from './upstream-failure.ts';

/**
 * An error in a 200 response or in a stream: the failure that it would be as an error response. @param replyBytes of what
 * has come of the reply
 */
export function toUpstreamFailure(error: unknown, replyBytes = 0): UpstreamFailure {
  const read = (sent: string) => toReportedFailure(error, sent, replyBytes > 0).error;
  return read('').with({ readWithSent: read });
}

/** The error that a reply or a chunk of one contains; undefined: none. `error: null` is no error. */
export function findReported(body: JsonObject): unknown {
  const { error, base_resp: base, error_message: message, error_type: type, object } = body;
  if ((error ?? null) !== null) return error;
  // MiniMax
  if (base !== undefined && Number(toJsonObject(base).status_code ?? 0) !== 0) return base;
  // DeepInfra
  if (typeof message === 'string') return { message, type };
  // vLLM
  return object === 'error' ? body : undefined;
}

/** The error in the body of a successful response; null if there is none. */
export function toErrorInBody(body: unknown): Failure | null {
  const reported = isJsonObject(body) && 'error' in body ? body.error : null;
  return (reported ?? null) === null ? null : toReportedFailure(reported);
}

/** An error that an upstream reports in a 200 response, or in a stream: the failure that it would be with a status. */
function toReportedFailure(error: unknown, sent = '', isAccepted = false): Failure {
  const body = { error };
  const [reported] = readErrorBody(body);
  const status = reported === undefined ? undefined : findStatus(reported, sent, isAccepted);
  return status === undefined
    ? { error: toUpstreamError({ reason: 'an error in a reply' }), health: 'failed' }
    : toResponseFailure({ status, body, retryAfterMs: null, sent });
}

/**
 * The status that an error names; else that of its code or type; else that of what it says, as in LM Studio’s streams.
 * @param isAccepted the reply has begun: gateways call a broken connection an invalid request, too
 */
function findStatus(error: UpstreamError, sent: string, isAccepted: boolean): number | undefined {
  const { code, status, type, message } = error;
  // OpenAI’s SDKs say `Error code: 429 - …`, which gateways pass on.
  const [, said] = /^Error code: (\d{3})\b/.exec(message) ?? [];
  const named = [code, status, said].map(Number).find(isFailureStatus);
  if (named !== undefined) return named;
  const words = [code, type].map((word) => word?.toLowerCase() ?? '');
  const found = words.map((word) => statuses.get(word)).find(isFailureStatus);
  if (found !== undefined) return found;
  if (isAbout(error, 'account', 'access')) return 401;
  if (isAbout(error, 'rateLimit')) return 429;
  if (!isAccepted && words.some((word) => refusal.test(word))) return 400;
  const isAboutRequest =
    readMistake(error, sent) !== null || readRejectedForms([error], sent).length > 0;
  return isAboutRequest ? 400 : undefined;
}

/** Types that say no more than that the request is invalid. */
const refusal = /^(?:invalid_request(?:_error)?|bad_?request(?:_?error)?)$/;

/** Codes and types of OpenAI, Anthropic, OpenRouter, Z.ai and MiniMax. Those of mistakes in a request are 400 besides. */
const statuses: ReadonlyMap<string, number> = new Map(
  Object.entries({
    400: 'tool_use_failed 2013',
    401: 'authentication_error 1004 2049',
    402: 'billing_error 1008 1113',
    403: 'permission_error',
    404: 'not_found_error model_not_found',
    413: 'request_too_large',
    429: 'rate_limit_exceeded rate_limit_error too_many_requests 1002 1039 1302 1303 1305 1308',
    500: 'api_error server_error',
    529: 'server_is_overloaded overloaded_error',
    504: 'timeout timeout_error upstream_timeout',
  }).flatMap(([status, words]) => words.split(' ').map((word) => [word, Number(status)] as const)),
);

function isFailureStatus(status: number | undefined): status is number {
  return status !== undefined && status >= 400 && status <= 599;
}
