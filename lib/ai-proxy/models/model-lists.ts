import type { Upstream } from '../upstreams/upstream.ts';
import { type Cached, createCachedValue } from './cached-value.ts';
import { loadModels, type ModelSnapshot } from './load-models.ts';
import type { Model } from './model.ts';
import { createModelFilter } from './model-filter.ts';
import { toUnknownModelError, toWrongKindError } from './unknown-model-error.ts';

export type ModelListsOptions = Readonly<{
  upstream: Pick<Upstream, 'fetchJson'>;
  /** Ids and `prefix/*` that clients may use (AI_MODELS); null: all that the upstream lists. */
  allowed: readonly string[] | null;
  now?: () => number;
}>;

export type ModelLists = Readonly<{
  /**
   * Both lists, 5 minutes old at most unless the upstream fails: then as they were last.
   * @throws ProxyError where they have never been read.
   */
  current: () => Promise<Readonly<{ snapshot: ModelSnapshot; ageSeconds: number }>>;
  /**
   * Lets a request for a model pass. Null: it may be asked for, though nothing is known of it.
   * @throws ProxyError 404 `model_not_found` where clients may not use it, or it only embeds.
   */
  require: (model: string) => Promise<Model | null>;
  /** What is known of a model now, without waiting. */
  find: (model: string) => Model | null;
  /** Whether AI_MODELS lets clients use it. */
  isAllowed: (model: string) => boolean;
  /** What a request cost, USD; null where the list has no price. */
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

  /** Null where the lists cannot be read: the upstream itself will know. */
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
      // What the operator has named need not be listed.
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
