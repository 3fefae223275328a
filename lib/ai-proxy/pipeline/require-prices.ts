import { HttpError } from '#lib/http/errors/errors.ts';
import type { Model, ModelPrices } from '../models/model.ts';
import type { Generation } from './generation.ts';
import { toHighestPrices } from './token-plan.ts';

const free: ModelPrices = { prompt: 0, completion: 0, request: 0 };

/** A model that may reply, as the client names it; null: nothing is known about it. */
export type PossibleModel = Readonly<{ name: string; model: Model | null }>;

/**
 * The prices to reserve dollars at: those of the most expensive model that may reply.
 * @throws HttpError 403 if one of them has none: its cost cannot be bounded.
 */
export function requirePrices(
  { promptTokensEstimate, outputTokensMax }: Generation,
  models: readonly PossibleModel[],
): ModelPrices {
  // Nothing is generated, and no tokens are charged.
  if (promptTokensEstimate === 0 && outputTokensMax === 0) return free;
  const prices = toHighestPrices(models.map(({ model }) => model));
  if (prices !== null) return prices;
  const unpriced = models.find(({ model }) => (model?.prices ?? null) === null);
  const name = JSON.stringify((unpriced?.name ?? '').slice(0, 100));
  throw new HttpError(403, {
    code: 'model_without_price',
    param: 'model',
    message: `The price of the model ${name} is unknown, so it cannot be used with a budget in dollars. Ask the operator to set its \`prices\` in AI_UPSTREAMS_FILE, or use another model.`,
  });
}
