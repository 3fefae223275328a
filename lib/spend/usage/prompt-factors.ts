import { LRUCache } from 'lru-cache';

/** How many tokens prompts really have, as a factor of their estimate: for each model and owner, in this process. */
export type PromptFactors = Readonly<{
  /** At least 1; null until the owner has used the model. */
  factorOf: (model: string, owner: string) => number | null;
  /** Call it with what an upstream has reported. */
  learn: (
    model: string,
    owner: string,
    tokens: Readonly<{ estimate: number; actual: number }>,
  ) => void;
}>;

/** What a server adds to a prompt is much of a short one: factors are of so many tokens at least. */
const promptTokensLeast = 100;
/** Until an owner has used a model: more than a prompt of any known tokenizer needs. */
const unknownFactor = 32;
const requestsMax = 100;
const ownersMax = 1_000;
/** Of each owner, so that one who tries every name pushes out no other owner’s. */
const modelsMax = 50;

/** How many tokens to reserve for a prompt. @param factor null: unknown */
export function toExpectedTokens(estimate: number, factor: number | null): number {
  if (estimate === 0) return 0;
  if (factor === null) return Math.max(estimate * unknownFactor, promptTokensLeast);
  return Math.max(estimate, promptTokensLeast) * factor;
}

/** How many tokens a prompt probably had that was sent, and of which nothing is reported. @param factor null: unknown */
export function toSentTokens(estimate: number, factor: number | null): number {
  if (estimate === 0) return 0;
  const beyond = ((factor ?? 1) - 1) * Math.max(estimate, promptTokensLeast);
  return Math.ceil(estimate + beyond);
}

/**
 * Of an owner its highest factor of the last hundred requests counts: one prompt that is reserved too small passes a
 * budget, one too large only waits for others. Of all owners of a model the median counts, the lower one of two:
 * a single owner cannot move it beyond what another owner has really needed.
 */
export function createPromptFactors(): PromptFactors {
  /** By model: the highest factor of each owner. */
  const highest = new Map<string, Map<string, number>>();
  const medians = new Map<string, number>();
  /** By owner and model: the last factors. */
  const owners = new LRUCache<string, LRUCache<string, number[]>>({
    max: ownersMax,
    dispose: (models, owner) => {
      for (const model of models.keys()) setHighest(model, owner, null);
    },
  });

  function setHighest(model: string, owner: string, factor: number | null): void {
    const ofModel = highest.get(model) ?? new Map<string, number>();
    if (ofModel.get(owner) === (factor ?? undefined)) return;
    if (factor === null) ofModel.delete(owner);
    else ofModel.set(owner, factor);
    if (ofModel.size === 0) highest.delete(model);
    else highest.set(model, ofModel);
    medians.delete(model);
  }

  function toMedian(model: string, factors: ReadonlyMap<string, number>): number {
    const sorted = [...factors.values()].sort((a, b) => a - b);
    const median = sorted[Math.floor((sorted.length - 1) / 2)] ?? 1;
    medians.set(model, median);
    return median;
  }

  return {
    factorOf(model, owner) {
      const factors = highest.get(model);
      const own = factors?.get(owner);
      if (factors === undefined || own === undefined) return null;
      return Math.max(own, medians.get(model) ?? toMedian(model, factors));
    },
    learn(model, owner, { estimate, actual }) {
      const factor = Math.max(1, actual / Math.max(estimate, promptTokensLeast));
      if (!Number.isFinite(factor)) return;
      const models =
        owners.get(owner) ??
        new LRUCache<string, number[]>({
          max: modelsMax,
          dispose: (_, model) => setHighest(model, owner, null),
        });
      owners.set(owner, models);
      const last = models.get(model) ?? [];
      last.push(factor);
      if (last.length > requestsMax) last.shift();
      models.set(model, last);
      setHighest(model, owner, Math.max(...last));
    },
  };
}
