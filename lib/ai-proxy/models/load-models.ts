import { isDeepStrictEqual } from 'node:util';
import { toJsonObject } from '#lib/http/json-value.ts';
import { toUpstreamError, UpstreamFailure } from '../upstreams/errors/upstream-failure.ts';
import type { Upstream, UpstreamRequest } from '../upstreams/upstream.ts';
import { toNextPage } from './list-formats.ts';
import { type Model, type ModelKind, readModels } from './model.ts';

/** The lists of one upstream. The same object until they change. */
export type UpstreamModels = Readonly<{
  language: readonly Model[];
  embedding: readonly Model[];
  byId: ReadonlyMap<string, Model>;
  /** Whether its lists have a `total_count`. */
  hasTotal: boolean;
}>;

type Lister = Pick<Upstream, 'fetchJson'>;

const freshMs = 5 * 60_000;
const retryMs = 10_000;
const listMs = 15_000;
type ListPath = '/models' | '/embeddings/models';
/** Anthropic’s have 20 models, Gemini’s 50. */
const pagesMax = 50;
const listBytesMax = 16 * 1024 * 1024;

/** The lists of one upstream, at most 5 minutes old unless it fails; then the last good ones. */
export function createUpstreamLists(
  upstream: Lister,
  now: () => number,
): CachedValue<UpstreamModels> {
  return createCachedValue({
    load: (previous) => loadUpstreamModels(upstream, previous),
    now,
    freshMs,
    retryMs,
  });
}

/**
 * Reads both lists. An upstream without a list of embedding models has them in the other one; if
 * only that list fails, its last good copy is used. @throws HttpError if the list of models cannot
 * be read.
 */
async function loadUpstreamModels(
  upstream: Lister,
  previous: UpstreamModels | null,
): Promise<UpstreamModels> {
  const [main, embeddings] = await Promise.all([
    fetchModels(upstream, '/models'),
    fetchEmbeddingModels(upstream, previous?.embedding ?? null),
  ]);
  const { hasTotal } = main;
  const language = main.models.filter(({ kind }) => kind === 'language');
  const embedding = embeddings ?? main.models.filter(({ kind }) => kind === 'embedding');
  const byId = new Map([...embedding, ...language].map((model) => [model.id, model]));
  const loaded = { language, embedding, byId, hasTotal };
  return isDeepStrictEqual(previous, loaded) && previous !== null ? previous : loaded;
}

/** Null if the upstream has no such list. */
async function fetchEmbeddingModels(
  upstream: Lister,
  previous: readonly Model[] | null,
): Promise<readonly Model[] | null> {
  try {
    return (await fetchModels(upstream, '/embeddings/models', 'embedding')).models;
  } catch (error) {
    if (!(error instanceof UpstreamFailure)) throw error;
    return error.upstreamStatus === 404 || error.upstreamStatus === 405 ? null : previous;
  }
}

async function fetchModels(
  upstream: Lister,
  path: ListPath,
  kind?: ModelKind,
): Promise<Readonly<{ models: readonly Model[]; hasTotal: boolean }>> {
  const body = await fetchList(upstream, path);
  const pages = [body];
  for (let page = toNextPage(body); page !== null && pages.length < pagesMax; ) {
    const next = await fetchJson(upstream, { path: `${path}?${page}` });
    pages.push(next);
    const following = toNextPage(next);
    // Else the server has not understood it.
    page = following === page ? null : following;
  }
  const read = pages.map((list) => readModels(list, kind));
  const models = read.filter((list) => list !== null).flat();
  if (read.includes(null)) throw toUpstreamError({ reason: `${path} is no list of models` });
  return { models, hasTotal: typeof toJsonObject(body).total_count === 'number' };
}

/** An older Ollama has its list of models only beside the API. */
async function fetchList(upstream: Lister, path: ListPath): Promise<unknown> {
  try {
    return await fetchJson(upstream, { path });
  } catch (error) {
    const isMissing = error instanceof UpstreamFailure && error.upstreamStatus === 404;
    if (path !== '/models' || !isMissing) throw error;
    return await fetchJson(upstream, { path: '/api/tags', isBesideApi: true }).catch(() => {
      throw error;
    });
  }
}

// A failed list gives no information about its models.
function fetchJson(
  upstream: Lister,
  request: Pick<UpstreamRequest, 'path' | 'isBesideApi'>,
): Promise<unknown> {
  return upstream.fetchJson({ method: 'GET', totalMs: listMs, ...request }, listBytesMax);
}

type CachedValueOptions<T> = Readonly<{
  load: (previous: T | null) => Promise<T>;
  now: () => number;
  /** How long a value is fresh, ms. */
  freshMs: number;
  /** How long a failure is cached before the next attempt, ms. */
  retryMs: number;
}>;

type Cached<T> = Readonly<{ value: T; loadedAtMs: number }>;

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
