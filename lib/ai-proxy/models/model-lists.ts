import type { Upstream } from '../upstreams/upstream.ts';
import { type Cached, createCachedValue } from './cached-value.ts';
import { loadModels, type ModelSnapshot } from './load-models.ts';
import type { Model, UsableKind } from './model.ts';
import { isOnAllowList, parseModelName } from './model-name.ts';
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
   * Checks that clients may use a model for this. Null: allowed, but with no known details. @throws
   * ProxyError 404 `model_not_found` if clients may not use it, or it is of the other kind.
   */
  require: (model: string, kind: UsableKind) => Promise<Model | null>;
  /** The cached details of a model, or of the one that it is a variant of, without waiting. */
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
  const isAllowed = (model: string) => isOnAllowList(allowed, model);
  const cached = createCachedValue<ModelSnapshot>({
    load: (previous) => loadModels({ upstream, isAllowed, now }, previous),
    ...{ now, freshMs, retryMs },
  });

  const find = (model: string) => findModel(cached.peek()?.value ?? null, model);

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
    async require(model, kind) {
      const read = await readAny();
      const known = findModel(read?.value ?? null, model);
      if (known !== null && (known.kind === 'embedding') !== (kind === 'embedding')) {
        throw toWrongKindError(model, kind);
      }
      if (!isAllowed(model)) throw toUnknownModelError(model, read?.value[kind] ?? [], kind);
      // Models that the operator names need not be listed; presets never are.
      const mayBeUnlisted = allowed !== null || parseModelName(model).id === null;
      if (known !== null || read === null || mayBeUnlisted) return known;
      throw toUnknownModelError(model, read.value[kind], kind);
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

/** A listed model: by this very id, or the one that it is a variant of. */
export function findModel(snapshot: ModelSnapshot | null, name: string): Model | null {
  const exact = snapshot?.byId.get(name);
  if (exact !== undefined) return exact;
  const { id } = parseModelName(name);
  return id === null ? null : (snapshot?.byId.get(id) ?? null);
}
