/** Shares work that is already running among all that ask for the same key. */
type SingleFlight<T> = Readonly<{
  /** Starts `work`, or joins the one of this key that still runs. */
  run: (key: string, work: () => Promise<T>) => Promise<T>;
  isRunning: (key: string) => boolean;
}>;

export function createSingleFlight<T>(): SingleFlight<T> {
  const running = new Map<string, Promise<T>>();
  return {
    run(key, work) {
      const joined = running.get(key);
      if (joined !== undefined) return joined;
      const started = work().finally(() => running.delete(key));
      running.set(key, started);
      return started;
    },
    isRunning: (key) => running.has(key),
  };
}

/**
 * Runs some work again and again, but one run at a time. Of failures in a row, only the first is reported, and then the
 * run that works again.
 */
export function createRepeatedTask(
  work: () => Promise<void>,
  onFailure: (error: unknown) => void,
  onRecovery: (failedMs: number) => void = () => {},
): () => Promise<void> {
  let isRunning = false;
  let failedSince: number | null = null;
  return async () => {
    if (isRunning) return;
    isRunning = true;
    try {
      await work();
      if (failedSince !== null) onRecovery(performance.now() - failedSince);
      failedSince = null;
    } catch (error) {
      if (failedSince === null) onFailure(error);
      failedSince ??= performance.now();
    } finally {
      isRunning = false;
    }
  };
}
