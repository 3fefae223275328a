import {
  isJsonObject,
  type JsonObject,
  toJsonArray,
  toJsonObject,
  toText,
} from '#lib/http/json-value.ts';

/** The records of a list in any common format, in OpenRouter’s words; null for anything that is not a list. */
export function toRecords(body: unknown): readonly unknown[] | null {
  const { data, models } = toJsonObject(body);
  const records = [body, data, models].find(Array.isArray);
  return records?.map((record) => (isJsonObject(record) ? toRecord(record) : record)) ?? null;
}

/** The query of the next page; null: this was the last one. */
export function toNextPage(body: unknown): string | null {
  const { data, has_more: hasMore, last_id: lastId, nextPageToken } = toJsonObject(body);
  if (hasMore === true && typeof lastId === 'string') {
    // As OpenAI pages its lists, or Anthropic, whose records have a `type` in its place.
    const isOpenAi = toJsonObject(toJsonArray(data)[0]).object !== undefined;
    return `${isOpenAi ? 'after' : 'after_id'}=${encodeURIComponent(lastId)}`;
  }
  // Gemini
  const isMore = typeof nextPageToken === 'string' && nextPageToken !== '';
  return isMore ? `pageToken=${encodeURIComponent(nextPageToken)}` : null;
}

/** Where vendors have what OpenRouter lists under another name. */
function toRecord(record: JsonObject): JsonObject {
  const { id = record.model ?? record.name, name, top_provider: provider } = record;
  const shownName =
    record.display_name ?? record.displayName ?? (record.id === undefined ? undefined : name);
  const created = record.created ?? toSeconds(record.created_at ?? record.modified_at);
  const context = record.context_length ?? findCount(record, contextFields);
  const reply = findCount(record, replyFields);
  const isEmbedding = isOnlyEmbedding(record.supportedGenerationMethods);
  const pricing = toListedPricing(record);
  const { name: _, ...rest } = record;
  return {
    ...rest,
    // Gemini’s ids, also in its list for OpenAI’s clients; its other endpoints take them without this prefix.
    id: typeof id === 'string' ? id.replace(/^models\//, '') : id,
    ...(shownName !== undefined && { name: shownName }),
    ...(pricing !== undefined && { pricing }),
    ...(created !== undefined && { created }),
    ...(context !== undefined && { context_length: context }),
    ...(provider === undefined &&
      reply !== undefined && {
        top_provider: {
          context_length: context,
          max_completion_tokens: reply,
          is_moderated: false,
        },
      }),
    ...(isEmbedding && { type: 'embedding' }),
  };
}

/** Of Groq, vLLM, Mistral, Anthropic and Gemini. */
const contextFields = [
  'context_window',
  'max_model_len',
  'max_context_length',
  'max_input_tokens',
  'inputTokenLimit',
] as const;
/** Of Groq and Gemini. */
const replyFields = ['max_completion_tokens', 'outputTokenLimit'] as const;

function findCount(record: JsonObject, fields: readonly string[]): unknown {
  return fields.map((field) => record[field]).find((count) => Number.isSafeInteger(count));
}

function toSeconds(time: unknown): number | undefined {
  const ms = Date.parse(toText(time));
  return Number.isNaN(ms) || ms < 0 ? undefined : Math.floor(ms / 1000);
}

function isOnlyEmbedding(methods: unknown): boolean {
  const names = toJsonArray(methods);
  return names.includes('embedContent') && !names.includes('generateContent');
}

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
function toListedPricing(record: JsonObject): unknown {
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
