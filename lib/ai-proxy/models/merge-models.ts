import type { ModelSettings } from '#lib/config/upstreams-schema.ts';
import { toOperatorPrices } from '#lib/spend/prices.ts';
import type { UpstreamModels } from './load-models.ts';
import { createUnlistedModel, type Model } from './model.ts';

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

type MergeOptions = Readonly<{
  upstreams: readonly ListedUpstream[];
  /** The models that the operator defines; they come first. */
  defined: readonly ModelSettings[];
  isAllowed: (model: string) => boolean;
}>;

/** Merges the lists of all upstreams: each id once, as the first upstream describes it. */
export function mergeModels(options: MergeOptions): Omit<ModelSnapshot, 'changedAtMs'> {
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
