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

/** Runs some work again and again, but one run at a time. Of failures in a row, only the first is reported. */
export function createRepeatedTask(
  work: () => Promise<void>,
  onFailure: (error: unknown) => void,
): () => Promise<void> {
  let isRunning = false;
  let isFailing = false;
  return async () => {
    if (isRunning) return;
    isRunning = true;
    try {
      await work();
      isFailing = false;
    } catch (error) {
      if (!isFailing) onFailure(error);
      isFailing = true;
    } finally {
      isRunning = false;
    }
  };
}
