export class TimeoutError extends Error {
  override readonly name = 'TimeoutError';
  readonly code = 'ETIMEDOUT';
}

/** Waits for a promise, but not longer than the timeout. The work itself goes on. @throws TimeoutError */
export async function withTimeout<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  const { promise: timedOut, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new TimeoutError()), timeoutMs);
  try {
    return await Promise.race([work, timedOut]);
  } finally {
    clearTimeout(timer);
  }
}
