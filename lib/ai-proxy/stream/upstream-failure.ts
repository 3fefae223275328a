import { isJsonObject, type JsonObject } from '#lib/ai-proxy/json/json-value.ts';
import { ProxyError } from '#lib/ai-proxy/proxy-error.ts';
import { toRetryAfter } from '#lib/ai-proxy/upstream/retry-after.ts';

/** An error in a reply does not say for how long. */
const waitMs = 10_000;

/** The connection or the reply ended before the reply was whole. */
export function createCutFailure(): ProxyError {
  return createUpstreamError('The reply ended before it was complete. Try again.', 'cut');
}

/** What the upstream sent cannot be read. */
export function createGarbageFailure(): ProxyError {
  return createUpstreamError('The model’s server sent something unreadable. Try again.', 'garbage');
}

/** Longest reply that is kept whole, as Responses streams need it at their end: 8 MiB, some 2 million tokens. */
export const replyBytesMax = 8 * 1024 * 1024;

/** The upstream sent a frame, or a whole reply, that is longer than this proxy holds in memory. */
export function createOverflowFailure(): ProxyError {
  return createUpstreamError(
    'The model’s server sent more than can be passed on. Ask for a shorter reply.',
    'too_long',
  );
}

/**
 * An error that an upstream put into an answer of status 200, or into a stream. Its words are not passed
 * on: they may tell of the account.
 */
export function toUpstreamFailure(error: unknown): ProxyError {
  const { status, code } = readErrorKind(isJsonObject(error) ? error : {});
  if (code === 'context_length_exceeded') {
    return new ProxyError(400, {
      type: 'invalid_request_error',
      code,
      message: 'The conversation is longer than the model can read: send less of it.',
      reason: 'error_in_reply',
    });
  }
  if (status === 429) {
    return new ProxyError(429, {
      type: 'rate_limit_error',
      code: 'rate_limit_exceeded',
      message: 'The model is asked too often just now. Try again in a moment.',
      headers: toRetryAfter(waitMs),
      reason: 'error_in_reply',
    });
  }
  if (status === 503 || status === 529) {
    return new ProxyError(503, {
      type: 'server_error',
      code: 'server_is_overloaded',
      message: 'The model’s server is overloaded. Try again in a moment.',
      headers: toRetryAfter(waitMs),
      reason: 'error_in_reply',
    });
  }
  if (status === 408 || status === 504 || status === 524) {
    return new ProxyError(504, {
      type: 'server_error',
      code: 'upstream_timeout',
      message: 'The model’s server took too long. Try again.',
      reason: 'error_in_reply',
    });
  }
  return createUpstreamError('The model’s server failed to reply. Try again.', 'error_in_reply');
}

const statusOfWord: Readonly<Record<string, number>> = {
  rate_limit_exceeded: 429,
  rate_limit_error: 429,
  too_many_requests: 429,
  server_is_overloaded: 503,
  overloaded_error: 503,
  timeout: 504,
  upstream_timeout: 504,
};

function readErrorKind({ code, status, type }: JsonObject): { status: number; code: unknown } {
  const numbers = [code, status].map(Number);
  const words = [code, type].map((word) => statusOfWord[String(word)]);
  const found = numbers.find((number) => number >= 400) ?? words.find(Boolean);
  return { status: found ?? 502, code };
}

function createUpstreamError(message: string, reason: string): ProxyError {
  return new ProxyError(502, { type: 'server_error', code: 'upstream_error', message, reason });
}
