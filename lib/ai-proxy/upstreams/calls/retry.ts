/** The result of an attempt, before any of it was passed on. */
type FailedTry = Readonly<{
  method: 'GET' | 'POST';
  /** The number of attempts, this one included. */
  tries: number;
  /** False: the connection was never open, so nothing can have been processed. */
  wasSent: boolean;
  /** Of the response, if there was one. */
  status: number | null;
  retryAfterMs: number | null;
  /** undici's or Node's error code, if there was no response. */
  errorCode: string | null;
}>;

const triesMax = 3;
const firstWaitMs = 50;
/** For longer waits, the client should retry. */
const waitMsMax = 2000;

/** Transient connection errors. */
const passing = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'EAI_AGAIN', 'UND_ERR_SOCKET']);

/**
 * How long to wait before sending the same request again, ms; null if a retry is not allowed, or pointless. A POST
 * may cost money each time, so it is retried only if it was never sent (RFC 9110 §9.2.2).
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
