/** Shares work that is already running among all that ask for the same key. */
export type SingleFlight<T> = Readonly<{
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
