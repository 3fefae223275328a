export type CachedValueOptions<T> = Readonly<{
  load: (previous: T | null) => Promise<T>;
  now: () => number;
  /** How long a value is fresh, ms. */
  freshMs: number;
  /** How long a failure is cached before the next attempt, ms. */
  retryMs: number;
}>;

export type Cached<T> = Readonly<{ value: T; loadedAtMs: number }>;

export type CachedValue<T> = Readonly<{
  /**
   * A fresh value, or the last one if loading fails. @throws the error of `load` if there is no
   * value yet.
   */
  current: () => Promise<Cached<T>>;
  /** The cached value, of any age (stale-while-revalidate); null before the first one. */
  peek: () => Cached<T> | null;
}>;

/** Caches an expensive value: one load at a time, and the last good value if it fails. */
export function createCachedValue<T>(options: CachedValueOptions<T>): CachedValue<T> {
  const { load, now, freshMs, retryMs } = options;
  let cached: Cached<T> | null = null;
  let loading: Promise<Cached<T>> | null = null;
  let failure: Readonly<{ error: unknown; atMs: number }> | null = null;

  // The absolute difference: a clock that is set back must not extend the TTL.
  const isWithin = (sinceMs: number, ms: number) => Math.abs(now() - sinceMs) < ms;

  function reload(): Promise<Cached<T>> {
    loading ??= load(cached?.value ?? null)
      .then(
        (value) => {
          failure = null;
          cached = { value, loadedAtMs: now() };
          return cached;
        },
        (error: unknown) => {
          failure = { error, atMs: now() };
          if (cached === null) throw error;
          return cached;
        },
      )
      .finally(() => {
        loading = null;
      });
    return loading;
  }

  return {
    async current() {
      if (cached !== null && isWithin(cached.loadedAtMs, freshMs)) return cached;
      if (failure === null || !isWithin(failure.atMs, retryMs)) return reload();
      if (cached === null) throw failure.error;
      return cached;
    },
    peek() {
      const isFresh = cached !== null && isWithin(cached.loadedAtMs, freshMs);
      const hasJustFailed = failure !== null && isWithin(failure.atMs, retryMs);
      // `current()` reports the failure.
      if (!isFresh && !hasJustFailed) reload().catch(() => {});
      return cached;
    },
  };
}
