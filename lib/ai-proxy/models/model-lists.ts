import { setTimeout as delay } from 'node:timers/promises';
import type { ModelSettings } from '#lib/config/upstreams-schema.ts';
import { isOnAllowList, parseModelName } from '#lib/keys/api-key.ts';
import { toOperatorPrices } from '#lib/spend/prices.ts';
import type { CachedValue, UpstreamModels } from './load-models.ts';
import { createUnlistedModel, type Model, type UsableKind } from './model.ts';
import { toUnknownModelError, toWrongKindError } from './unknown-model-error.ts';

/** The upstreams at present, whose lists are merged. */
type ModelSources = Readonly<{
  upstreams: () => readonly Readonly<{
    settings: Readonly<{ name: string }>;
    lists: CachedValue<UpstreamModels>;
  }>[];
  models: () => readonly ModelSettings[];
}>;

type ModelListsOptions = Readonly<{
  sources: ModelSources;
  /** Allowed ids and `prefix/*` (AI_MODELS); null: all that the upstreams list. */
  allowed: readonly string[] | null;
  now?: () => number;
}>;

export type ModelLists = Readonly<{
  /**
   * Both lists, at most 5 minutes old unless an upstream fails; then its last good ones. @throws
   * HttpError if none were ever read.
   */
  current: () => Promise<Readonly<{ snapshot: ModelSnapshot; ageSeconds: number }>>;
  /** The models for one request: what an earlier one has read, else the lists are waited for. */
  select: () => Promise<SelectedModels>;
}>;

/** The models that one request may use, all from the same lists. */
export type SelectedModels = Readonly<{
  /**
   * Checks that clients may use a model for this. Null: allowed, but with no known details. @throws
   * HttpError 404 `model_not_found` if clients may not use it, or it is of the other kind.
   */
  require: (model: string, kind: UsableKind) => Model | null;
  /** The names by which allow-lists may know a model: as the client wrote it, and behind an alias. */
  namesOf: (model: string) => readonly string[];
  /** The details of a model, or of the one that it is a variant of. */
  find: (model: string) => Model | null;
  /** Whether AI_MODELS lets clients use it. */
  isAllowed: (model: string) => boolean;
  /** Whether AI_MODELS restricts what clients may use. */
  isRestricted: boolean;
}>;

/** The models of all upstreams. */
export function createModelLists(options: ModelListsOptions): ModelLists {
  const { sources, allowed, now = Date.now } = options;
  const merge = createMerge({ allowed, now });

  /** Null before any list was read. */
  function peek(): ModelSnapshot | null {
    const listed = sources.upstreams().map(({ settings, lists }) => ({
      name: settings.name,
      models: lists.peek()?.value ?? null,
    }));
    return listed.every(({ models }) => models === null) ? null : merge(listed, sources.models());
  }

  async function current(): ReturnType<ModelLists['current']> {
    const upstreams = sources.upstreams();
    const reads = upstreams.map(({ lists }) => lists.current());
    await settleSoon(reads);
    const ages = upstreams.flatMap(({ lists }) => lists.peek()?.loadedAtMs ?? []);
    const snapshot = peek();
    // All reads have failed.
    if (snapshot === null) throw await Promise.race(reads).catch((error: unknown) => error);
    return { snapshot, ageSeconds: Math.max(Math.floor((now() - Math.min(...ages)) / 1000), 0) };
  }

  /** Lists that were waited for once. */
  const awaited = new WeakSet<object>();

  /**
   * Null if no list can be read: the upstreams decide. At first every list is waited for, since what a model costs is
   * not known before.
   */
  async function readAny(): Promise<ModelSnapshot | null> {
    const lists = sources.upstreams().map((upstream) => upstream.lists);
    const isRead = lists.every((list) => list.peek() !== null || awaited.has(list));
    const known = isRead ? peek() : null;
    if (known !== null) return known;
    const read = await current().catch(() => null);
    for (const list of lists) awaited.add(list);
    return read?.snapshot ?? null;
  }

  /** The models and prices that the operator defines, available even while no list can be read. */
  const definedOnly = () =>
    merge(
      sources.upstreams().map(({ settings }) => ({ name: settings.name, models: null })),
      sources.models(),
    );

  return {
    current,
    async select() {
      const snapshot = await readAny();
      const find = (model: string) => findModel(snapshot ?? definedOnly(), model);
      const namesOf = (model: string) => toNames(snapshot?.aliases, model);
      const isAllowed = (model: string) =>
        namesOf(model).some((name) => isOnAllowList(allowed, name));
      return {
        find,
        namesOf,
        isAllowed,
        isRestricted: allowed !== null,
        require(model, kind) {
          const known = find(model);
          if (snapshot !== null && known !== null && !isOfKind(known, kind)) {
            throw toWrongKindError(model, kind);
          }
          if (!isAllowed(model)) throw toUnknownModelError(model, snapshot?.[kind] ?? [], kind);
          if (snapshot === null || known !== null) return known;
          // Models that the operator names need not be listed; presets never are.
          if (allowed !== null || parseModelName(model).id === null) return null;
          // An upstream whose lists were never read may have it.
          if (sources.upstreams().some(({ lists }) => lists.peek() === null)) return null;
          throw toUnknownModelError(model, snapshot[kind], kind);
        },
      };
    },
  };
}

function isOfKind(model: Model, kind: UsableKind): boolean {
  if (model.isKindGuessed) return true;
  return (model.kind === 'embedding') === (kind === 'embedding');
}

/** How long to wait for other upstreams once one list has arrived: one that hangs must not delay all. */
const graceMs = 2000;

async function settleSoon(reads: readonly Promise<unknown>[]): Promise<void> {
  const all = Promise.allSettled(reads);
  const grace = Promise.any(reads).then(
    () => delay(graceMs, undefined, { ref: false }),
    () => all,
  );
  await Promise.race([all, grace]);
}

type MergeLists = (
  upstreams: readonly ListedUpstream[],
  defined: readonly ModelSettings[],
) => ModelSnapshot;

/** Merges lists, and remembers the result until one of them changes. */
function createMerge(
  options: Readonly<{
    allowed: readonly string[] | null;
    now: () => number;
  }>,
): MergeLists {
  const { allowed, now } = options;
  const isAllowed = (model: string) => isOnAllowList(allowed, model);
  let last: Readonly<{ inputs: readonly unknown[]; snapshot: ModelSnapshot }> | null = null;
  return (upstreams, defined) => {
    const inputs = [defined, ...upstreams.map(({ models }) => models)];
    const isSame =
      last?.inputs.length === inputs.length &&
      inputs.every((input, index) => input === last?.inputs[index]);
    if (isSame && last !== null) return last.snapshot;
    const merged = mergeModels({ upstreams, defined, isAllowed });
    last = { inputs, snapshot: { ...merged, changedAtMs: now() } };
    return last.snapshot;
  };
}

/** A listed model: by this very id or alias, or the one that it is a variant of. */
export function findModel(snapshot: ModelSnapshot | null, name: string): Model | null {
  if (snapshot === null) return null;
  const { byId, aliases } = snapshot;
  const exact = byId.get(name) ?? byId.get(aliases.get(name) ?? '');
  if (exact !== undefined) return exact;
  const { id } = parseModelName(name);
  return id === null ? null : (byId.get(id) ?? byId.get(aliases.get(id) ?? '') ?? null);
}

/** As a client names a model, and what an alias stands for. */
export function toNames(
  aliases: ReadonlyMap<string, string> | undefined,
  name: string,
): readonly string[] {
  if (aliases === undefined || aliases.size === 0) return [name];
  const { id } = parseModelName(name);
  const behind = aliases.get(id ?? '');
  return behind === undefined ? [name] : [name, behind + name.slice(id?.length)];
}

/** All models at one time. */
export type ModelSnapshot = Readonly<{
  language: readonly Model[];
  embedding: readonly Model[];
  byId: ReadonlyMap<string, Model>;
  /** The ids behind the operator's aliases. */
  aliases: ReadonlyMap<string, string>;
  /** Whether a list of an upstream has a `total_count`. */
  hasTotal: boolean;
  /** When the lists last changed, Unix time in ms. */
  changedAtMs: number;
}>;

/** An upstream's name and its lists; null where they were never read. */
type ListedUpstream = Readonly<{ name: string; models: UpstreamModels | null }>;

type MergeOptions = Readonly<{
  upstreams: readonly ListedUpstream[];
  /** The models that the operator defines; they come first. */
  defined: readonly ModelSettings[];
  isAllowed: (model: string) => boolean;
}>;

/** Merges the lists of all upstreams: each id once, as the first upstream describes it. */
function mergeModels(options: MergeOptions): Omit<ModelSnapshot, 'changedAtMs'> {
  const { upstreams, defined, isAllowed } = options;
  const models = new Map<string, Model>();
  const add = (model: Model) => {
    if (!models.has(model.id)) models.set(model.id, model);
  };
  for (const model of defined) add(toDefinedModel(model, upstreams));
  for (const { models: listed } of upstreams) {
    listed?.language.forEach(add);
    listed?.embedding.forEach(add);
  }
  const allowed = [...models.values()].filter(({ id }) => isAllowed(id));
  return {
    language: allowed.filter(({ kind }) => kind === 'language'),
    embedding: allowed.filter(({ kind }) => kind === 'embedding'),
    byId: new Map(allowed.map((model) => [model.id, model])),
    aliases: new Map(defined.flatMap(({ id, aliases }) => aliases.map((alias) => [alias, id]))),
    hasTotal: upstreams.some(({ models: listed }) => listed?.hasTotal === true),
  };
}

/** As described by the first of its targets that lists it, with the operator's id and prices. */
function toDefinedModel(
  { id, targets, prices }: ModelSettings,
  upstreams: readonly ListedUpstream[],
): Model {
  const [found] = targets.flatMap(({ upstream, model = id }) => {
    const listed = upstreams.find(({ name }) => name === upstream)?.models?.byId.get(model);
    return listed === undefined ? [] : [listed];
  });
  const pricing = prices && {
    prompt: toPlainDigits(prices.inputPerMillion / 1_000_000),
    completion: toPlainDigits(prices.outputPerMillion / 1_000_000),
    request: toPlainDigits(prices.perRequest),
  };
  const model = found ?? createUnlistedModel(id);
  return {
    ...model,
    id,
    ownedBy: found?.listed.owned_by ?? id.split('/')[0] ?? id,
    prices: prices === undefined ? model.prices : toOperatorPrices(prices, model.kindPrices),
    listed: { ...model.listed, id, ...(pricing && { pricing }) },
    fields: { ...model.fields, id, ...(pricing && { pricing }) },
  };
}

// In plain digits, as upstreams write prices: never 1e-7.
function toPlainDigits(usd: number): string {
  return usd.toFixed(12).replace(/\.?0+$/, '');
}
