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

/** The error in the body of a successful response; null if there is none. `error: null` is no error. */
export function toErrorInBody(body: unknown): Failure | null {
  if (typeof body !== 'object' || body === null || !('error' in body)) return null;
  if (body.error === null || body.error === undefined) return null;
  return toReportedFailure(body.error);
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
  if (!isAccepted && words.some((word) => refusals.has(word))) return 400;
  if (isAbout(error, 'account', 'access')) return 401;
  if (isAbout(error, 'rateLimit')) return 429;
  const isAboutRequest =
    readMistake(error, sent) !== null || readRejectedForms([error], sent).length > 0;
  return isAboutRequest ? 400 : undefined;
}

/** Types that say no more than that the request is invalid. */
const refusals: ReadonlySet<string> = new Set([
  'invalid_request_error',
  'invalid_request',
  'bad_request_error',
  'bad_request',
  'badrequesterror',
]);

/** Of the codes and types of OpenAI, Anthropic, OpenRouter and Z.ai. Those of mistakes in a request are 400 besides. */
const statuses: ReadonlyMap<string, number> = new Map([
  ['tool_use_failed', 400],
  ['authentication_error', 401],
  ['billing_error', 402],
  ['1113', 402],
  ['permission_error', 403],
  ['not_found_error', 404],
  ['request_too_large', 413],
  ['rate_limit_exceeded', 429],
  ['rate_limit_error', 429],
  ['too_many_requests', 429],
  ['1302', 429],
  ['1303', 429],
  ['1305', 429],
  ['1308', 429],
  ['api_error', 500],
  ['server_error', 500],
  ['server_is_overloaded', 529],
  ['overloaded_error', 529],
  ['timeout', 504],
  ['timeout_error', 504],
  ['upstream_timeout', 504],
]);

function isFailureStatus(status: number | undefined): status is number {
  return status !== undefined && status >= 400 && status <= 599;
}
