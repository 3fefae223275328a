import { type ModelSettings, toOperatorPrices } from '../upstreams/upstream-settings.ts';
import type { UpstreamModels } from './load-models.ts';
import { createUnlistedModel, type Model, readKindPrices } from './model.ts';

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
export type ListedUpstream = Readonly<{ name: string; models: UpstreamModels | null }>;

export type MergeOptions = Readonly<{
  upstreams: readonly ListedUpstream[];
  /** The models that the operator defines; they come first. */
  defined: readonly ModelSettings[];
  isAllowed: (model: string) => boolean;
  /** Adds the names of its upstreams to each model. */
  showsUpstreams: boolean;
}>;

/** Merges the lists of all upstreams: each id once, as the first upstream describes it. */
export function mergeModels(options: MergeOptions): Omit<ModelSnapshot, 'changedAtMs'> {
  const { upstreams, defined, isAllowed, showsUpstreams } = options;
  const models = new Map<string, Model>();
  const names = new Map<string, Set<string>>();

  function add(model: Model, upstreamNames: readonly string[]): void {
    if (!models.has(model.id)) models.set(model.id, model);
    names.set(model.id, new Set([...(names.get(model.id) ?? []), ...upstreamNames]));
  }

  for (const one of defined) add(toDefinedModel(one, upstreams), toNames(one));
  const definedIds = new Set(models.keys());
  for (const { name, models: listed } of upstreams) {
    const all = [...(listed?.language ?? []), ...(listed?.embedding ?? [])];
    for (const model of all) if (!definedIds.has(model.id)) add(model, [name]);
  }

  const allowed = [...models.values()].filter(({ id }) => isAllowed(id));
  const shown = showsUpstreams
    ? allowed.map((model) => ({
        ...model,
        given: { ...model.given, upstreams: [...(names.get(model.id) ?? [])] },
      }))
    : allowed;
  return {
    language: shown.filter(({ kind }) => kind === 'language'),
    embedding: shown.filter(({ kind }) => kind === 'embedding'),
    byId: new Map(shown.map((model) => [model.id, model])),
    aliases: new Map(defined.flatMap(({ id, aliases }) => aliases.map((alias) => [alias, id]))),
    hasTotal: upstreams.some(({ models: listed }) => listed?.hasTotal === true),
  };
}

function toNames({ targets }: ModelSettings): readonly string[] {
  return targets.map(({ upstream }) => upstream);
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
    prices:
      prices === undefined
        ? model.prices
        : toOperatorPrices(prices, readKindPrices(model.listed.pricing)),
    listed: { ...model.listed, id, ...(pricing && { pricing }) },
    given: { ...model.given, id, ...(pricing && { pricing }) },
  };
}

// In plain digits, as upstreams write prices: never 1e-7.
function toPlainDigits(usd: number): string {
  return usd.toFixed(12).replace(/\.?0+$/, '');
}
