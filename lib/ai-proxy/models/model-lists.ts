import type { Upstream } from '../upstreams/upstream.ts';
import { type Cached, createCachedValue } from './cached-value.ts';
import { loadModels, type ModelSnapshot } from './load-models.ts';
import type { Model } from './model.ts';
import { toUnknownModelError, toWrongKindError } from './unknown-model-error.ts';

export type ModelListsOptions = Readonly<{
  upstream: Pick<Upstream, 'fetchJson'>;
  /** Allowed ids and `prefix/*` (AI_MODELS); null: all that the upstream lists. */
  allowed: readonly string[] | null;
  now?: () => number;
}>;

export type ModelLists = Readonly<{
  /**
   * Both lists, at most 5 minutes old unless the upstream fails; then the last good ones. @throws
   * ProxyError if they were never read.
   */
  current: () => Promise<Readonly<{ snapshot: ModelSnapshot; ageSeconds: number }>>;
  /**
   * Checks that clients may use a model. Null: allowed, but with no known details. @throws
   * ProxyError 404 `model_not_found` if clients may not use it, or it is an embedding model.
   */
  require: (model: string) => Promise<Model | null>;
  /** The cached details of a model, without waiting. */
  find: (model: string) => Model | null;
  /** Whether AI_MODELS lets clients use it. */
  isAllowed: (model: string) => boolean;
  /** The cost of a request, USD; null if the list has no price. */
  toCostUsd: (model: string, tokensIn: number, tokensOut: number) => number | null;
}>;

const freshMs = 5 * 60_000;
const retryMs = 10_000;

/** The lists of models of one upstream. */
export function createModelLists(options: ModelListsOptions): ModelLists {
  const { upstream, allowed, now = Date.now } = options;
  const isAllowed = createModelFilter(allowed);
  const cached = createCachedValue<ModelSnapshot>({
    load: (previous) => loadModels({ upstream, isAllowed, now }, previous),
    ...{ now, freshMs, retryMs },
  });

  const find = (model: string) => cached.peek()?.value.byId.get(model) ?? null;

  /** Null if the lists cannot be read: the upstream decides. */
  async function readAny(): Promise<Cached<ModelSnapshot> | null> {
    return cached.peek() ?? cached.current().catch(() => null);
  }

  return {
    async current() {
      const { value, loadedAtMs } = await cached.current();
      const ageSeconds = Math.max(Math.floor((now() - loadedAtMs) / 1000), 0);
      return { snapshot: value, ageSeconds };
    },
    async require(model) {
      const read = await readAny();
      const known = read?.value.byId.get(model) ?? null;
      if (known?.kind === 'embedding') throw toWrongKindError(model);
      if (!isAllowed(model)) throw toUnknownModelError(model, read?.value.language ?? []);
      // Models that the operator names need not be listed.
      if (known !== null || read === null || allowed !== null) return known;
      throw toUnknownModelError(model, read.value.language);
    },
    find,
    isAllowed,
    toCostUsd(model, tokensIn, tokensOut) {
      const prices = find(model)?.prices ?? null;
      if (prices === null) return null;
      return prices.prompt * tokensIn + prices.completion * tokensOut + prices.request;
    },
  };
}

/** Whether a model is allowed. */
export type ModelFilter = (model: string) => boolean;

/** @param patterns ids, and `prefix/*` for all ids that begin so; null allows every model. */
export function createModelFilter(patterns: readonly string[] | null): ModelFilter {
  if (patterns === null) return () => true;
  const ids = new Set(patterns.filter((pattern) => !pattern.endsWith('/*')));
  const prefixes = patterns
    .filter((pattern) => pattern.endsWith('/*'))
    .map((pattern) => pattern.slice(0, -1));
  return (model) => ids.has(model) || prefixes.some((prefix) => model.startsWith(prefix));
}
