import { isJsonObject, type JsonObject, toJsonArray, toJsonObject } from '#lib/http/json-value.ts';

/** OpenRouter’s names of prices, and those of Vercel and LiteLLM. */
const priceNames = [
  { own: 'prompt', vercel: 'input', litellm: 'input_cost_per_token' },
  { own: 'completion', vercel: 'output', litellm: 'output_cost_per_token' },
  {
    own: 'input_cache_read',
    vercel: 'input_cache_read',
    litellm: 'cache_read_input_token_cost',
  },
  {
    own: 'input_cache_write',
    vercel: 'input_cache_write',
    litellm: 'cache_creation_input_token_cost',
  },
] as const;

/**
 * The prices of a record in OpenRouter’s words: with `overrides` for prompts of more than `min_prompt_tokens`. Others’
 * prices of pictures and searches have other units, and are left out. Undefined: it has none.
 */
export function toListedPricing(record: JsonObject): unknown {
  const { pricing } = record;
  if (record.input_cost_per_token !== undefined) return toLiteLlmPricing(record);
  return isJsonObject(pricing) && isVercels(pricing) ? toVercelPricing(pricing) : pricing;
}

/** Others list prices of a million tokens under the same names: no token costs a tenth of a cent. */
function isVercels({ prompt, input, output }: JsonObject): boolean {
  const isOfToken = (price: unknown) => typeof price === 'string' && Number(price) < 0.001;
  return prompt === undefined && isOfToken(input) && isOfToken(output);
}

/** `input_cost_per_token_above_200k_tokens` */
function toLiteLlmPricing(record: JsonObject): JsonObject {
  const read = (ending: string) =>
    Object.fromEntries(priceNames.map(({ own, litellm }) => [own, record[litellm + ending]]));
  const overrides = Object.keys(record).flatMap((field) => {
    const [, thousands] = /^input_cost_per_token_above_(\d{1,5})k_tokens$/.exec(field) ?? [];
    if (thousands === undefined) return [];
    return { min_prompt_tokens: Number(thousands) * 1000, ...read(`_above_${thousands}k_tokens`) };
  });
  return { ...read(''), overrides };
}

/** `input_tiers: [{ cost, min: 0, max: 200001 }, { cost, min: 200001 }]` */
function toVercelPricing(pricing: JsonObject): JsonObject {
  const readTiers = (name: string) => toJsonArray(pricing[`${name}_tiers`]).map(toJsonObject);
  const mins = priceNames.flatMap(({ vercel }) => readTiers(vercel).map(({ min }) => Number(min)));
  const bounds = [...new Set(mins)].filter((min) => min > 0);
  const read = (tokens: number) =>
    Object.fromEntries(
      priceNames.map(({ own, vercel }) => {
        const tier = readTiers(vercel).findLast(({ min }) => Number(min ?? 0) <= tokens);
        return [own, tier?.cost ?? pricing[vercel]];
      }),
    );
  const overrides = bounds.map((min) => ({ min_prompt_tokens: min - 1, ...read(min) }));
  return { ...read(0), overrides };
}
