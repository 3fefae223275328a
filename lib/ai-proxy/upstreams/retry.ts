/** What came of one try, before any of it was handed on. */
export type FailedTry = Readonly<{
  method: 'GET' | 'POST';
  /** How many tries there were, this one included. */
  tries: number;
  /** False: the connection was never made, so that nothing can have been processed. */
  wasSent: boolean;
  /** Of the answer, where there was one. */
  status: number | null;
  retryAfterMs: number | null;
  /** What undici or Node calls the failure, where there was no answer. */
  errorCode: string | null;
}>;

const triesMax = 3;
const firstWaitMs = 50;
/** For longer waits, the client should retry. */
const waitMsMax = 2000;

/** Transient failures of a connection. */
const passing = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'EAI_AGAIN', 'UND_ERR_SOCKET']);

/**
 * How long to wait before the same request is sent again, ms; null where it must not be, or is of no use.
 * A POST may cost money each time: it is repeated only where it was never sent (RFC 9110 §9.2.2).
 */
export function toRetryWaitMs(failed: FailedTry): number | null {
  const { method, tries, wasSent, status, errorCode, retryAfterMs } = failed;
  if (tries >= triesMax) return null;
  const waitMs = retryAfterMs ?? firstWaitMs * 4 ** (tries - 1);
  if (waitMs > waitMsMax) return null;
  if (status === null) {
    if (errorCode === null || !passing.has(errorCode)) return null;
    return wasSent && method !== 'GET' ? null : waitMs;
  }
  if (method !== 'GET') return null;
  if (status === 429) return retryAfterMs === null ? null : waitMs;
  return status === 502 || status === 503 ? waitMs : null;
}
