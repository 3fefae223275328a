import { HttpError } from '#lib/http/errors/errors.ts';
import { type JsonObject, toJsonObject, toText } from '#lib/http/json-value.ts';
import { type ApiKey, mayUseModel } from '#lib/keys/api-key.ts';
import type { BilledTarget } from '#lib/spend/billed-call.ts';
import { noSurcharge, type Surcharge, toMostCallsUsd, toTierFactor } from '#lib/spend/charge.ts';
import type { Need } from '#lib/spend/demand.ts';
import { type Prices, toDearest } from '#lib/spend/prices.ts';
import type { GenerationFields } from '../endpoint.ts';
import type { ModelLists, SelectedModels } from '../models/model-lists.ts';
import type { ModelRequest } from '../protocols/model-request.ts';
import type { LearnedFact } from '../upstreams/fact-store.ts';
import type { SelectTargets, Target } from '../upstreams/select-targets.ts';
import {
  type Extra,
  findExtras,
  findUnpricedTools,
  leaveOutTools,
  priceExtras,
  requireExtraPrices,
  withoutTools,
} from './extras.ts';
import type { KnownFacts, LearnedFacts } from './learned-facts.ts';
import { toReplyNeed } from './reply-bounds.ts';
import { requireReach } from './require-reach.ts';
import { choosesFeatures, isUsualRequest, toReservedCost, toShownCost } from './shown-costs.ts';
import { listTools } from './tools.ts';

export type PlanParts = Readonly<{
  models: Pick<ModelLists, 'select'>;
  selectTargets: SelectTargets;
  facts: Pick<LearnedFacts, 'find'>;
}>;

/** A target, with its prices fixed for this request. */
export type PlannedTarget = Target &
  Readonly<{
    surcharge: Surcharge;
    /** The bound of tool calls that is paid for; null: none. */
    toolCallsMax: number | null;
    /** It costs what others do: see `isUsualRequest`. */
    isUsual: boolean;
    /** Besides, it chooses no features: what it teaches may hold for others. */
    isPlain: boolean;
    known: KnownFacts;
    /** See `Tariff`. */
    shownUsd: number;
    /** Of one call of the model; null: unknown, or there may be several. */
    callTokensMax: number | null;
    /** See `TokenBounds`. */
    outputFactor: number;
    /** What replies have cost, as a factor of the list, where that is more. */
    costFactor: number;
  }>;

/** Who may serve a request, and what it may need. */
export type Plan = Readonly<{
  generation: ModelRequest;
  /** As the client names it; and as it is listed, if it is. */
  model: string;
  modelId: string | null;
  targets: readonly PlannedTarget[];
  /** As far as it is known what models cost at the moment. */
  toNeed: () => Need;
  /** The client has chosen among the upstream's providers itself. */
  isOwnChoice: boolean;
  /** Names of tools that the request goes without, since they have no price. */
  leftOut: readonly string[];
}>;

type Checked = Readonly<{
  request: Request;
  endpoint: GenerationFields;
  key: ApiKey;
  body: JsonObject;
  generation: ModelRequest;
  /** The same of another body. */
  read: (body: JsonObject) => ModelRequest;
  conversation: string | null;
}>;

/** Checks every model that a request may use, and what it may cost. @throws HttpError */
export async function planRequest(parts: PlanParts, checked: Checked): Promise<Plan> {
  const { selectTargets } = parts;
  const { request, endpoint, key, body, generation } = checked;
  const models = await parts.models.select();
  const tools = listTools(body);
  const named = requireReach(body, {
    tools,
    knownFields: endpoint.knownFields,
    isRestricted: key.models !== null || models.isRestricted,
    isModel: (id: string) => models.find(id) !== null,
  });
  for (const name of [...generation.models, ...named]) {
    if (!models.namesOf(name).some((each) => mayUseModel(key, each))) throw toForbiddenModel(name);
  }
  const known = generation.models.map((name) => models.require(name, endpoint.modelKind));
  for (const name of named) if (!models.isAllowed(name)) throw toForbiddenModel(name);
  const findFacts = await parts.facts.find(key.owner);
  const model = generation.models[0] ?? '';
  const all = [...new Set([...generation.models, ...named])];
  const others = all.filter((name) => name !== model);
  const { headers } = request;
  const { protocol } = endpoint;
  const found = findExtras(body, { headers, protocol, tools, models: all });
  const isInDollars =
    generation.isFree !== true && key.limits.some(({ nanoUsd }) => nanoUsd !== null);
  const ordered = bindReasoning(
    selectTargets(model, checked.conversation),
    generation.reasoningMark ?? null,
  );
  const native = ordered.filter(({ protocols }) => protocols.has(protocol));
  const prices = isInDollars ? native.map((target) => target.extraPrices) : [];
  const leftOut = findUnpricedTools(found, prices);
  const sent =
    leftOut.length === 0
      ? checked
      : { ...checked, generation: checked.read(leaveOutTools(body, leftOut)) };
  const extras = found.filter((extra) => !leftOut.includes(extra));
  const targets = ordered.map((target) => ({
    ...target,
    prices: toPricesOfAll(models, target, others),
    ...toSurcharge(sent, target, { extras, models: all, isInDollars }),
    ...toShownFactors(findFacts(target)),
  }));
  if (isInDollars) requirePrices(targets, model);
  return {
    generation: sent.generation,
    model,
    modelId: known[0]?.id ?? null,
    targets,
    toNeed: () => toNeed(sent, { targets, isInDollars }),
    isOwnChoice: isOwnChoice(body),
    leftOut: [...new Set(leftOut.map(({ name }) => name))],
  };
}

function toShownFactors(
  known: KnownFacts,
): Pick<PlannedTarget, 'known' | 'shownUsd' | 'outputFactor' | 'costFactor'> {
  const { own, ofTwo } = known.shown('cost_factor');
  return {
    known,
    shownUsd: toShownCost(known)?.usd ?? 0,
    outputFactor: toFactor(known.shown('output_factor').ofTwo),
    costFactor: Math.max(toFactor(own), toFactor(ofTwo)),
  };
}

function toFactor(fact: LearnedFact | null): number {
  return Math.max(1, Number(fact?.taken[0] ?? 1));
}

/** First the target that can read the reasoning of the conversation: it has its prompt cache, too. */
function bindReasoning(targets: readonly Target[], mark: string | null): readonly Target[] {
  if (mark === null) return targets;
  const isBound = ({ reasoning }: Target) => reasoning.own === mark;
  return [...targets.filter(isBound), ...targets.filter((target) => !isBound(target))];
}

/** It is not certain which of the models that a request names has replied: the dearest counts. */
function toPricesOfAll(
  models: SelectedModels,
  target: Target,
  others: readonly string[],
): Prices | null {
  const all = [target.prices, ...others.map((name) => models.find(name)?.prices ?? null)];
  const [first, ...rest] = all.filter((prices) => prices !== null);
  return first === undefined || rest.length + 1 < all.length ? null : toDearest([first, ...rest]);
}

type SurchargeOptions = Readonly<{
  extras: readonly Extra[];
  models: readonly string[];
  isInDollars: boolean;
}>;

/** Extras need a price only where a budget is in dollars; else those without one cost what is reported for them. */
function toSurcharge(
  { request, endpoint, body, generation }: Checked,
  { prices, extraPrices, protocols, contextTokens }: Target,
  { extras, models, isInDollars }: SurchargeOptions,
): Pick<PlannedTarget, 'surcharge' | 'toolCallsMax' | 'isUsual' | 'isPlain' | 'callTokensMax'> {
  const hasAudio = generation.media.audioTokens > 0;
  const images = prices?.image ? generation.media.images : 0;
  const { protocol, knownFields } = endpoint;
  const sent = protocols.has(protocol) ? extras : withoutTools(extras);
  const hasExtras = sent.length > 0;
  // Chat has no tiers of Messages.
  const tiers = protocol !== 'messages' || protocols.has('messages') ? body : {};
  const requested = toText(tiers.service_tier);
  const tier = { requested, speed: toText(tiers.speed), prices: extraPrices };
  const callTokensMax = hasExtras || models.length > 1 ? null : contextTokens;
  const isUsual = isUsualRequest(body, { knownFields, models, hasExtras });
  const known = { isUsual, isPlain: isUsual && !choosesFeatures(request.headers), callTokensMax };
  if (isInDollars) requireExtraPrices(sent, extraPrices);
  const { toolCallsMax, ...priced } = priceExtras(sent, extraPrices);
  const fixedUsd = toMostCallsUsd(priced.calls);
  const surcharge = { ...priced, fixedUsd, tier, images, hasAudio };
  return { surcharge, toolCallsMax: isInDollars ? toolCallsMax : null, ...known };
}

/** @throws HttpError 403 if a target has no price: its cost cannot be bounded. */
function requirePrices(targets: readonly PlannedTarget[], model: string): void {
  if (targets.every(({ prices }) => prices !== null)) return;
  const name = JSON.stringify(model.slice(0, 100));
  throw new HttpError(403, {
    code: 'model_without_price',
    param: 'model',
    message: `The price of the model ${name} is unknown, so it cannot be used with a budget in dollars. Ask the operator to set its \`prices\` in AI_UPSTREAMS_FILE, or use another model.`,
  });
}

/** What is reserved: whatever the dearest of the targets may need. */
function toNeed(
  { key: { limits }, generation }: Checked,
  { targets, isInDollars }: Readonly<{ targets: readonly PlannedTarget[]; isInDollars: boolean }>,
): Need {
  const { promptTokensEstimate, isFree = false } = generation;
  const contexts = targets.map(({ contextTokens }) => contextTokens);
  const tokens = promptTokensEstimate + (generation.outputTokensMax ?? 0);
  const costs = targets.map((target) => toReservedCost(target, tokens));
  const [first, ...rest] = costs.map(({ prices }) => prices).filter((prices) => prices !== null);
  const surcharges = targets.map(({ surcharge }) => surcharge);
  const reply = toReplyNeed(generation, targets);
  const outputFactor = Math.max(...targets.map((target) => target.outputFactor));
  return {
    promptTokensEstimate: isFree ? 0 : promptTokensEstimate,
    hasFiles: limits.length > 0 && generation.media.files > 0,
    media: generation.media,
    ...(isFree
      ? noReply
      : { ...reply, outputTokensMax: Math.ceil(reply.outputTokensMax * outputFactor) }),
    contextTokens: contexts.includes(null) ? null : Math.max(...contexts.map(Number)),
    prices: isInDollars && first !== undefined ? toDearest([first, ...rest]) : null,
    // What the others cost may never show, as they are called only where this one fails.
    unknownUsd: isInDollars ? (costs[0]?.unknownUsd ?? 0) : 0,
    surcharge: {
      ...noSurcharge,
      images: Math.max(0, ...surcharges.map(({ images }) => images)),
      hasAudio: generation.media.audioTokens > 0,
      fixedUsd: Math.max(0, ...surcharges.map(({ fixedUsd }) => fixedUsd)),
      factor: Math.max(
        ...targets.map(({ surcharge: { factor, tier }, costFactor }) => {
          const ofTier = Math.max(1, toTierFactor(tier.requested, tier.prices));
          const ofSpeed = Math.max(1, toTierFactor(tier.speed, tier.prices));
          return factor * ofTier * ofSpeed * costFactor;
        }),
      ),
      hasUnpriced: surcharges.some(({ hasUnpriced }) => hasUnpriced),
    },
  };
}

/** @param outputTokens the bound that it gets; null: it was not called */
export function toBilledTarget(target: PlannedTarget, outputTokens: number | null): BilledTarget {
  const { name, prices, surcharge, maxCostUsd, trustsLowCost, shownUsd } = target;
  const { callTokensMax: contextTokens, outputFactor } = target;
  return {
    upstream: name,
    tariff: { prices, surcharge, maxCostUsd, trustsLowCost, shownUsd },
    bounds: { contextTokens, outputTokens, outputFactor },
  };
}

const noReply = { outputTokensMin: 0, outputTokensMax: 0 } as const;

/** Providers that a client chooses itself (OpenRouter's `provider`) may fail for this client alone. */
function isOwnChoice({ provider }: JsonObject): boolean {
  const { only, order, ignore } = toJsonObject(provider);
  return [only, order, ignore].some((list) => Array.isArray(list) && list.length > 0);
}

function toForbiddenModel(model: string): HttpError {
  return new HttpError(403, {
    code: 'model_not_allowed',
    param: 'model',
    message: `This API key may not use the model ${JSON.stringify(model.slice(0, 100))}. Ask the operator which models it may use.`,
  });
}
