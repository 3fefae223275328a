import { hash } from 'node:crypto';
import type { ModelSettings, UpstreamSettings } from '#lib/config/upstreams-schema.ts';
import { parseModelName } from '#lib/keys/api-key.ts';
import type { ExtraPrices } from '#lib/spend/charge.ts';
import { type Prices, toOperatorPrices } from '#lib/spend/prices.ts';
import type { Protocols } from '../protocols/protocol.ts';
import type { ReasoningMark } from '../protocols/reasoning-mark.ts';
import { type Accepted, isTargetQuirk, type TargetQuirks } from '../quirks/quirk.ts';
import type { Upstream } from './upstream.ts';
import type { NamedUpstream, UpstreamSet } from './upstream-set.ts';

/** An upstream that serves a model. */
export type Target = Readonly<{
  /** The upstream's name. */
  name: string;
  upstream: Pick<Upstream, 'call'>;
  /** The model's id there. */
  model: string;
  /** The name of its circuit breaker. */
  circuit: string;
  /** By the upstream or the operator. Clients can make up any other name, so its failures count for nobody else. */
  isListed: boolean;
  protocols: Protocols;
  /** The longest wait for the first part of a reply if there is another target to try, ms. */
  firstByteMs: number;
  /** As the operator has set them, else as this upstream lists them; null: unknown. */
  prices: Prices | null;
  /** Prompt and reply together; null: unknown. */
  contextTokens: number | null;
  /** The longest reply; null: unknown. */
  replyTokensMax: number | null;
  accepts: Accepted;
  /** What the operator says of the fields that the model takes there. */
  fixedQuirks: TargetQuirks;
  reasoning: ReasoningMark;
  extraPrices: ExtraPrices;
  /** See `Tariff`. */
  maxCostUsd: number;
  trustsLowCost: boolean;
}>;

/**
 * The targets of a model, in the order in which they are tried. @param conversation its targets are the same in every
 * process; null: drawn anew
 */
export type SelectTargets = (model: string, conversation: string | null) => readonly Target[];

/**
 * Finds the upstreams for a model: those that the operator names, in that order; else those that list it, in an
 * order drawn by weight; else, for a model that none is known to list, all of them.
 */
export function createTargetSelector(
  { upstreams, models }: Pick<UpstreamSet, 'upstreams' | 'models'>,
  random: () => number = Math.random,
): SelectTargets {
  return (name, conversation) => {
    const all = upstreams();
    const draw: Draw =
      conversation === null ? random : (target) => toFraction(conversation, target);
    const isOnly = all.length === 1;
    const defined = findDefined(models(), name);
    if (defined !== null) return toDefinedTargets(defined, all, draw);
    const { id } = parseModelName(name);
    const [only] = all;
    if (isOnly && only !== undefined) return [toTarget(only, name, isOnly)];
    const listing = all.filter(({ lists }) => {
      const byId = lists.peek()?.value.byId;
      return byId?.has(name) || byId?.has(id ?? '');
    });
    const ordered = orderByWeight(
      listing.length > 0 ? listing : all,
      ({ settings: { weight } }) => weight,
      ({ settings }) => draw(settings.name),
    );
    return ordered.map((upstream) => toTarget(upstream, name, isOnly));
  };
}

/** A number from 0 up to 1 for a target. */
type Draw = (target: string) => number;

function toFraction(conversation: string, target: string): number {
  const digits = hash('sha256', JSON.stringify([conversation, target])).slice(0, 12);
  return Number.parseInt(digits, 16) / 16 ** 12;
}

/** A model that the operator defines, and the variant and preset that the client has named. */
type Defined = Readonly<{ settings: ModelSettings; suffix: string }>;

function findDefined(models: readonly ModelSettings[], name: string): Defined | null {
  const named = (id: string) =>
    models.find((model) => model.id === id || model.aliases.includes(id)) ?? null;
  const exact = named(name);
  if (exact !== null) return { settings: exact, suffix: '' };
  const { id } = parseModelName(name);
  const settings = id === null ? null : named(id);
  return settings === null ? null : { settings, suffix: name.slice(id?.length) };
}

function toDefinedTargets(
  { settings: { id, targets, prices }, suffix }: Defined,
  all: readonly NamedUpstream[],
  draw: Draw,
): readonly Target[] {
  const isWeighted = targets.some(({ weight }) => weight !== undefined);
  const ordered = isWeighted
    ? orderByWeight(
        targets,
        ({ weight = 0 }) => weight,
        ({ upstream, model = id }) => draw(`${upstream} ${model}`),
      )
    : targets;
  return ordered.flatMap(({ upstream, model = id }) => {
    const found = all.find(({ settings }) => settings.name === upstream);
    if (found === undefined) return [];
    return [
      {
        ...toTarget(found, model + suffix, all.length === 1, prices),
        circuit: model,
        isListed: true,
      },
    ];
  });
}

/** @param prices of the operator */
function toTarget(
  { settings, upstream, protocols, firstByteMs, lists, accepts, mark }: NamedUpstream,
  model: string,
  isOnly: boolean,
  prices?: ModelSettings['prices'],
): Target {
  const byId = lists.peek()?.value.byId;
  const known = byId?.get(model) ?? byId?.get(parseModelName(model).id ?? '');
  const { context_length: contextLength, top_provider: provider } = known?.listed ?? {};
  return {
    name: settings.name,
    upstream,
    model,
    circuit: known?.id ?? model,
    isListed: byId === undefined || known !== undefined,
    protocols,
    firstByteMs,
    prices:
      prices === undefined
        ? (known?.prices ?? null)
        : toOperatorPrices(prices, known?.kindPrices ?? {}),
    // Some lists have 0 for what they do not know.
    contextTokens: provider?.context_length || contextLength || null,
    replyTokensMax: provider?.max_completion_tokens || null,
    accepts,
    fixedQuirks: toFixedQuirks(settings.fields, model),
    reasoning: { own: mark, isWritten: !isOnly },
    extraPrices: settings.extras,
    maxCostUsd: settings.maxCostUsd,
    trustsLowCost: settings.trustsLowCost,
  };
}

function toFixedQuirks(fields: UpstreamSettings['fields'], model: string): TargetQuirks {
  const fixed = Object.entries({ ...fields['*'], ...fields[model] });
  return new Map(
    fixed.flatMap(([name, taken]) =>
      isTargetQuirk(name) && taken !== undefined ? [[name, taken] as const] : [],
    ),
  );
}

/** A random order in which each comes first with a probability proportional to its weight; weight 0 comes last. */
export function orderByWeight<T>(
  items: readonly T[],
  weightOf: (item: T) => number,
  draw: (item: T) => number,
): readonly T[] {
  if (items.length < 2) return items;
  // Efraimidis and Spirakis: sort by u^(1/weight), here as its logarithm. Of hashes, it is a weighted rendezvous.
  return items
    .map((item) => {
      const weight = weightOf(item);
      return { item, rank: weight === 0 ? -Infinity : Math.log(1 - draw(item)) / weight };
    })
    .sort((a, b) => b.rank - a.rank || 0)
    .map(({ item }) => item);
}
