export type CachedValueOptions<T> = Readonly<{
  load: (previous: T | null) => Promise<T>;
  now: () => number;
  /** How long a value is fresh, ms. */
  freshMs: number;
  /** How long a failure is remembered before the next try, ms. */
  retryMs: number;
}>;

export type Cached<T> = Readonly<{ value: T; loadedAtMs: number }>;

export type CachedValue<T> = Readonly<{
  /** A fresh value, or the last one if loading fails. @throws the error of `load` where there is none yet. */
  current: () => Promise<Cached<T>>;
  /** The value in the cache, of any age (stale-while-revalidate); null before the first one. */
  peek: () => Cached<T> | null;
}>;

/** Caches what is slow to load: one load at a time for all, and the last good value when it fails. */
export function createCachedValue<T>(options: CachedValueOptions<T>): CachedValue<T> {
  const { load, now, freshMs, retryMs } = options;
  let cached: Cached<T> | null = null;
  let loading: Promise<Cached<T>> | null = null;
  let failure: Readonly<{ error: unknown; atMs: number }> | null = null;

  // The absolute difference: a clock set back must not make anything fresh for longer.
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
