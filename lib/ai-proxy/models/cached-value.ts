export type CachedValueOptions<T> = Readonly<{
  load: (previous: T | null) => Promise<T>;
  now: () => number;
  /** How long a value is fresh, ms. */
  freshMs: number;
  /** How long a failure is remembered before the next try, ms. */
  retryMs: number;
}>;

export type Kept<T> = Readonly<{ value: T; loadedAtMs: number }>;

export type CachedValue<T> = Readonly<{
  /** Fresh if it can be had, else the last good one. @throws what loading threw, where there never was one. */
  current: () => Promise<Kept<T>>;
  /** What is there at once, of any age; loads a fresh one in the background. Null before the first one. */
  peek: () => Kept<T> | null;
}>;

/** Keeps what is slow to load: one load at a time for all, and the last good value when it fails. */
export function createCachedValue<T>(options: CachedValueOptions<T>): CachedValue<T> {
  const { load, now, freshMs, retryMs } = options;
  let kept: Kept<T> | null = null;
  let loading: Promise<Kept<T>> | null = null;
  let failure: Readonly<{ error: unknown; atMs: number }> | null = null;

  // By distance: a clock that was set back must not keep anything for longer.
  const isWithin = (sinceMs: number, ms: number) => Math.abs(now() - sinceMs) < ms;

  function reload(): Promise<Kept<T>> {
    loading ??= load(kept?.value ?? null)
      .then(
        (value) => {
          failure = null;
          kept = { value, loadedAtMs: now() };
          return kept;
        },
        (error: unknown) => {
          failure = { error, atMs: now() };
          if (kept === null) throw error;
          return kept;
        },
      )
      .finally(() => {
        loading = null;
      });
    return loading;
  }

  return {
    async current() {
      if (kept !== null && isWithin(kept.loadedAtMs, freshMs)) return kept;
      if (failure === null || !isWithin(failure.atMs, retryMs)) return reload();
      if (kept === null) throw failure.error;
      return kept;
    },
    peek() {
      const isFresh = kept !== null && isWithin(kept.loadedAtMs, freshMs);
      const hasJustFailed = failure !== null && isWithin(failure.atMs, retryMs);
      // Its failure is remembered; whoever needs a fresh one gets it.
      if (!isFresh && !hasJustFailed) reload().catch(() => {});
      return kept;
    },
  };
}
