import { HttpError } from '#lib/http/errors/errors.ts';
import { toReportedFailure } from '../upstreams/errors/upstream-error.ts';

/** The connection or the reply ended early. */
export function createCutFailure(): HttpError {
  return createUpstreamError('The reply ended before it was complete. Try again.', 'cut');
}

/** The upstream's data cannot be parsed. */
export function createGarbageFailure(): HttpError {
  return createUpstreamError('The model’s server sent something unreadable. Try again.', 'garbage');
}

/** Longest reply to buffer; the last event of a Responses stream repeats it: 8 MiB, some 2 million tokens. */
export const replyBytesMax = 8 * 1024 * 1024;

/** The upstream sent a frame, or a complete reply, above the size limit. */
export function createOverflowFailure(): HttpError {
  return createUpstreamError(
    'The model’s server sent more than can be passed on. Ask for a shorter reply.',
    'too_long',
  );
}

/** An error in a 200 response or in a stream: the failure that it would be as an error response. */
export function toUpstreamFailure(error: unknown): HttpError {
  return toReportedFailure(error).error;
}

function createUpstreamError(message: string, reason: string): HttpError {
  return new HttpError(502, {
    code: 'upstream_error',
    message,
    reason,
    isBillable: true,
    isRetryable: true,
  });
}
