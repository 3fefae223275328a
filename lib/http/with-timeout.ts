/**
 * Between them the event loop turns, so what has arrived while this process was busy counts. A process that has just
 * started is busy for half a second at a time.
 */
const steps = 10;

export class TimeoutError extends Error {
  override readonly name = 'TimeoutError';
  readonly code = 'ETIMEDOUT';
}

/** Waits for a promise, but not longer than the timeout. The work itself goes on. @throws TimeoutError */
export async function withTimeout<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  const { promise: timedOut, reject } = Promise.withResolvers<never>();
  let timer: NodeJS.Timeout | undefined;
  const waitFor = (stepsLeft: number) => {
    timer = setTimeout(() => {
      if (stepsLeft > 1) waitFor(stepsLeft - 1);
      else reject(new TimeoutError());
    }, timeoutMs / steps);
  };
  waitFor(steps);
  try {
    return await Promise.race([work, timedOut]);
  } finally {
    clearTimeout(timer);
  }
}
