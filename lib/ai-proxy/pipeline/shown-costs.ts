import { setTimeout as delay } from 'node:timers/promises';
import { isHttpError } from '#lib/http/errors/errors.ts';
import type { JsonObject } from '#lib/http/json-value.ts';
import { parseModelName } from '#lib/keys/api-key.ts';
import type { Need } from '#lib/spend/demand.ts';
import type { UsageRecord } from '#lib/spend/ledger/usage-record.ts';
import { isFree, type Prices } from '#lib/spend/prices.ts';
import type { ClientHeaders } from '../upstreams/connection.ts';
import type { Target } from '../upstreams/select-targets.ts';
import type { KnownFacts, LearnedFacts, Shown } from './learned-facts.ts';

/** A model that is listed as free may cost something all the same: what usual requests have shown within the hour. */
type ShownCost = Readonly<{
  usd: number;
  /** Of the largest of these requests, prompt and reply together. */
  tokens: number;
}>;

/** How much larger than what was shown a request may be. */
const sizeFactor = 4;
const tokensLeast = 1000;

/** Null: nothing is shown. */
export function toShownCost({ shown }: KnownFacts): ShownCost | null {
  const { own, ofTwo } = shown('cost');
  const costs = [own, ofTwo].filter((fact) => fact !== null).map(({ taken }) => taken.map(Number));
  if (costs.length === 0) return null;
  return {
    usd: Math.max(...costs.map(([usd = 0]) => usd)),
    tokens: Math.max(...costs.map(([, tokens = 0]) => tokens)),
  };
}

/**
 * What to reserve for a request to a model: its prices, and the most that it may cost besides, where that is not known.
 * @param tokens what is known of its size
 */
export function toReservedCost(
  { prices, maxCostUsd, isUsual, known }: ShowingTarget,
  tokens: number,
): Readonly<{ prices: Prices | null; unknownUsd: number }> {
  if (prices === null || !isFree(prices)) return { prices, unknownUsd: 0 };
  const shown = isUsual ? toShownCost(known) : null;
  const isKnown =
    shown !== null &&
    (shown.usd === 0 || tokens <= sizeFactor * Math.max(shown.tokens, tokensLeast));
  if (!isKnown) return { prices, unknownUsd: maxCostUsd };
  return { prices: { ...prices, request: shown.usd }, unknownUsd: 0 };
}

/** How long a request waits for others of its owner which show what the model costs, and when it first looks, ms. */
const waitMs = 2000;
const firstLookMs = 50;

/** Reserves what is needed; where nobody knows what the model costs, one after the other. @throws HttpError */
export async function reserveInTurn<T>(
  toNeed: () => Need,
  reserve: (need: Need) => Promise<T>,
): Promise<T> {
  const deadline = performance.now() + waitMs;
  // Later ones are rarer: a thousand that wait must not keep the database from others.
  for (let lookMs = firstLookMs; ; lookMs *= 1.5) {
    const need = toNeed();
    try {
      return await reserve(need);
    } catch (thrown) {
      const isReserved = isHttpError(thrown) && thrown.status === 429;
      if (need.unknownUsd === 0 || !isReserved || performance.now() > deadline) throw thrown;
      await delay(lookMs);
    }
  }
}

type ShowingTarget = Target & Readonly<{ isUsual: boolean; known: KnownFacts }>;

type ShowOptions = Readonly<{
  targets: readonly ShowingTarget[];
  owner: string;
  /** Unix ms. */
  now: number;
}>;

/** How often what is known already is stored again, ms. */
const renewMs = 600_000;

/** Learns what the reply to a usual request has shown. Call it with what a request to these targets has cost. */
export function showReply(
  facts: Pick<LearnedFacts, 'show'>,
  { targets, owner, now }: ShowOptions,
  record: UsageRecord,
): void {
  for (const target of targets) {
    if (target.name !== record.upstream || !target.isUsual) continue;
    for (const shown of [toCost(target, record), ...toFactors(record)]) {
      if (shown === null) continue;
      const before = target.known.shown(shown.field).own;
      const known = before?.taken.map(Number) ?? [];
      const highest = shown.numbers.map((number, index) => Math.max(number, known[index] ?? 0));
      const isKnown = highest.every((number, index) => number === known[index]);
      if (isKnown && now - (before?.learnedAt ?? 0) < renewMs) continue;
      const { field, reason } = shown;
      facts.show(target, { owner, isPlain: true }, { field, taken: highest.map(String), reason });
    }
  }
}

type ShownNumbers = Omit<Shown, 'taken'> & Readonly<{ numbers: readonly number[] }>;

/** The cost of a reply that is listed as free, and of how many tokens it was; 0 where it was free. */
function toCost({ prices }: Target, record: UsageRecord): ShownNumbers | null {
  const { costUsd, costSource, isEstimated, isStreamed, status, tokensIn, tokensOut } = record;
  const isComplete = status === 200 && (!isEstimated || !isStreamed);
  if (prices === null || !isFree(prices) || costUsd === null) return null;
  if (costSource !== 'reported' && !isComplete) return null;
  const reason = 'replies of a model that is listed as free have cost so many dollars, and tokens';
  // Where nothing costs anything, the size says nothing, and is not stored each time.
  return { field: 'cost', numbers: [costUsd, costUsd === 0 ? 0 : tokensIn + tokensOut], reason };
}

/** Less than a tenth beyond is noise. */
const factorLeast = 1.1;

function toFactors({ outputFactor, costFactor }: UsageRecord): readonly ShownNumbers[] {
  const ofOutput = 'replies report so many times the tokens of their bound';
  const ofCost = 'replies cost so many times their price by the list';
  const factors: readonly ShownNumbers[] = [
    { field: 'output_factor', numbers: [outputFactor], reason: ofOutput },
    { field: 'cost_factor', numbers: [Math.ceil(costFactor * 100) / 100], reason: ofCost },
  ];
  return factors.filter(({ numbers: [factor = 1] }) => factor >= factorLeast);
}

type UsualOptions = Readonly<{
  /** Of the endpoint. */
  knownFields: ReadonlySet<string>;
  /** Every model that the request names. */
  models: readonly string[];
  /** It asks for something that costs beyond tokens. */
  hasExtras: boolean;
}>;

/** Fields by which a client chooses who replies, or what is done with its request. */
const choosingFields: ReadonlySet<string> = new Set(
  `models provider providerOptions plugins preset route transforms fallbacks fallback_model fallback_models
  context_window_fallbacks content_policy_fallbacks debug trace`.split(/\s+/),
);
/** Headers by which it chooses features. */
const choosingHeaders = ['openai-beta', 'anthropic-beta'] as const;
/** Fields of any size. */
const contentFields: ReadonlySet<string> = new Set(
  `messages input prompt system instructions tools functions response_format text output_format output_config
  prediction`.split(/\s+/),
);
const lengthMax = 2000;

/**
 * Whether a request asks for what others ask for, so that it costs what theirs do: one model without a variant, no
 * extras, and nothing but known fields of the usual size.
 */
export function isUsualRequest(
  body: JsonObject,
  { knownFields, models, hasExtras }: UsualOptions,
): boolean {
  const [model = ''] = models;
  if (hasExtras || models.length !== 1 || parseModelName(model).id !== model) return false;
  return Object.entries(body).every(
    ([name, value]) =>
      value === null ||
      (knownFields.has(name) &&
        !choosingFields.has(name) &&
        (contentFields.has(name) || isShort(value))),
  );
}

/** Whether it chooses features besides, as coding agents do: those of others may be taken otherwise. */
export function choosesFeatures(headers: ClientHeaders): boolean {
  return choosingHeaders.some((name) => headers.get(name) !== null);
}

function isShort(value: unknown): boolean {
  if (typeof value === 'string') return value.length <= lengthMax;
  return typeof value !== 'object' || (JSON.stringify(value)?.length ?? 0) <= lengthMax;
}
