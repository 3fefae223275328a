import { HttpError } from '#lib/http/errors/errors.ts';
import { type JsonObject, toJsonObject } from '#lib/http/json-value.ts';
import { type ApiKey, mayUseModel } from '#lib/keys/api-key.ts';
import { noSurcharge, type Surcharge } from '#lib/spend/charge.ts';
import type { Need } from '#lib/spend/demand.ts';
import { type Prices, toDearest } from '#lib/spend/prices.ts';
import type { ModelLists } from '../models/model-lists.ts';
import type { SelectTargets, Target } from '../upstreams/select-targets.ts';
import { findExtras, priceExtras } from './extras.ts';
import type { FreeModels } from './free-models.ts';
import type { Endpoint, Generation } from './generation.ts';
import { toReplyNeed } from './reply-bounds.ts';
import { requireReach } from './require-reach.ts';

export type PlanParts = Readonly<{
  models: Pick<ModelLists, 'require' | 'find' | 'namesOf' | 'isAllowed' | 'isRestricted'>;
  selectTargets: SelectTargets;
  freeModels: FreeModels;
}>;

/** A target, with its prices fixed for this request. */
export type PlannedTarget = Target &
  Readonly<{
    surcharge: Surcharge;
    /** The bound of tool calls that is paid for; null: none. */
    toolCallsMax: number | null;
  }>;

/** Who may serve a request, and what it may need. */
export type Plan = Readonly<{
  generation: Generation;
  /** As the client names it; and as it is listed, if it is. */
  model: string;
  modelId: string | null;
  targets: readonly PlannedTarget[];
  need: Need;
  /** The client has chosen among the upstream's providers itself. */
  isOwnChoice: boolean;
}>;

type Checked = Readonly<{
  request: Request;
  endpoint: Endpoint;
  key: ApiKey;
  body: JsonObject;
  generation: Generation;
  conversation: string | null;
}>;

/** Checks every model that a request may use, and what it may cost. @throws HttpError */
export async function planRequest(parts: PlanParts, checked: Checked): Promise<Plan> {
  const { models, selectTargets } = parts;
  const { endpoint, key, body, generation } = checked;
  const named = requireReach(body, {
    protocol: endpoint.protocol,
    isRestricted: key.models !== null || models.isRestricted,
    isModel: (id: string) => models.find(id) !== null,
  });
  for (const name of [...generation.models, ...named]) requireAllowed(parts, key, name);
  const known = [];
  for (const name of generation.models) known.push(await models.require(name, endpoint.modelKind));
  for (const name of named) if (!models.isAllowed(name)) throw toForbiddenModel(name);
  const model = generation.models[0] ?? '';
  const all = [...new Set([...generation.models, ...named])];
  const others = all.filter((name) => name !== model);
  const isInDollars =
    generation.isFree !== true && key.limits.some(({ nanoUsd }) => nanoUsd !== null);
  const ordered = bindReasoning(
    selectTargets(model, checked.conversation),
    generation.reasoningMark ?? null,
  );
  const targets = ordered.map((target) => ({
    ...target,
    prices: toPricesOfAll(parts, target, others),
    ...toSurcharge(checked, target, { models: all, isInDollars }),
  }));
  if (isInDollars) requirePrices(targets, model);
  return {
    generation,
    model,
    modelId: known[0]?.id ?? null,
    targets,
    need: toNeed(parts, checked, { targets, isInDollars }),
    isOwnChoice: isOwnChoice(body),
  };
}

/** First the target that can read the reasoning of the conversation: it has its prompt cache, too. */
function bindReasoning(targets: readonly Target[], mark: string | null): readonly Target[] {
  if (mark === null) return targets;
  const isBound = ({ reasoning }: Target) => reasoning.own === mark;
  return [...targets.filter(isBound), ...targets.filter((target) => !isBound(target))];
}

function requireAllowed({ models }: PlanParts, key: ApiKey, name: string): void {
  if (!models.namesOf(name).some((name) => mayUseModel(key, name))) throw toForbiddenModel(name);
}

/** It is not certain which of the models that a request names has replied: the dearest counts. */
function toPricesOfAll(
  { models }: PlanParts,
  target: Target,
  others: readonly string[],
): Prices | null {
  const all = [target.prices, ...others.map((name) => models.find(name)?.prices ?? null)];
  const [first, ...rest] = all.filter((prices) => prices !== null);
  return first === undefined || rest.length + 1 < all.length ? null : toDearest([first, ...rest]);
}

/** Extras need a price only where a budget is in dollars; else they cost what is reported for them. */
function toSurcharge(
  { request, endpoint, body, generation }: Checked,
  { prices, extras, protocols: spoken }: Target,
  { models, isInDollars }: Readonly<{ models: readonly string[]; isInDollars: boolean }>,
): Pick<PlannedTarget, 'surcharge' | 'toolCallsMax'> {
  const hasAudio = generation.media.audioTokens > 0;
  const images = prices?.image ? generation.media.images : 0;
  const { headers } = request;
  const found = findExtras(body, { headers, protocol: endpoint.protocol, spoken, models });
  if (!isInDollars) {
    const hasUnpriced = found.length > 0;
    return { surcharge: { ...noSurcharge, images, hasAudio, hasUnpriced }, toolCallsMax: null };
  }
  const { fixedUsd, factor, toolCallsMax } = priceExtras(found, extras);
  return { surcharge: { fixedUsd, factor, images, hasAudio, hasUnpriced: false }, toolCallsMax };
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
  { freeModels }: PlanParts,
  { key: { limits }, generation }: Checked,
  { targets, isInDollars }: Readonly<{ targets: readonly PlannedTarget[]; isInDollars: boolean }>,
): Need {
  const { promptTokensEstimate, isFree = false } = generation;
  const contexts = targets.map(({ contextTokens }) => contextTokens);
  const prices = targets.map(freeModels.toReservedPrices).filter((price) => price !== null);
  const [first, ...rest] = prices;
  const surcharges = targets.map(({ surcharge }) => surcharge);
  return {
    promptTokensEstimate: isFree ? 0 : promptTokensEstimate,
    hasFiles: limits.length > 0 && generation.media.files > 0,
    media: generation.media,
    ...(isFree ? noReply : toReplyNeed(generation, targets)),
    contextTokens: contexts.includes(null) ? null : Math.max(...contexts.map(Number)),
    prices: isInDollars && first !== undefined ? toDearest([first, ...rest]) : null,
    surcharge: {
      images: Math.max(0, ...surcharges.map(({ images }) => images)),
      hasAudio: generation.media.audioTokens > 0,
      fixedUsd: Math.max(0, ...surcharges.map(({ fixedUsd }) => fixedUsd)),
      factor: Math.max(1, ...surcharges.map(({ factor }) => factor)),
      hasUnpriced: surcharges.some(({ hasUnpriced }) => hasUnpriced),
    },
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
