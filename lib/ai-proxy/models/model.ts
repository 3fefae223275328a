import { z } from 'zod';
import { type JsonObject, toJsonObject, withoutNulls } from '#lib/http/json-value.ts';
import {
  type FlatPrices,
  type KindPrices,
  type Prices,
  toPrices,
  withLongPrices,
} from '#lib/spend/prices.ts';
import { toRecords } from './list-formats.ts';

/** USD as a decimal; a negative price is unknown. */
const price = z.union([
  z.string().regex(/^-?\d{1,9}(?:\.\d{1,20})?$/),
  z
    .number()
    .lt(1e9)
    .transform((value) => value.toFixed(12).replace(/\.?0+$/, '')),
]);
/** Invalid, it counts as missing. */
function orMissing<T extends z.ZodType>(schema: T) {
  return schema.optional().catch(undefined);
}

const texts = z.array(z.string().max(50)).max(20);
const count = z.int().nonnegative().nullable().catch(null).default(null);

const kindPrices = {
  request: orMissing(price),
  image: orMissing(price),
  image_token: orMissing(price),
  image_output: orMissing(price),
  audio: orMissing(price),
  audio_output: orMissing(price),
  input_audio_cache: orMissing(price),
  input_cache_read: orMissing(price),
  input_cache_write: orMissing(price),
  input_cache_write_1h: orMissing(price),
  internal_reasoning: orMissing(price),
  web_search: orMissing(price),
};

/** What changes for prompts that are longer: https://openrouter.ai/docs/api/api-reference/models/get-models. */
const override = z.object({
  min_prompt_tokens: z.int().positive(),
  prompt: price.optional(),
  completion: price.optional(),
  ...kindPrices,
});

const pricing = z.object({
  prompt: price,
  completion: price,
  ...kindPrices,
  overrides: orMissing(
    z
      .array(override.nullable().catch(null))
      .max(20)
      .transform((all) => all.filter((each) => each !== null)),
  ),
});

/** A name is shown on pages and in terminals: no control characters, and none that turn what stands beside it around. */
const shownName = z
  .string()
  .max(200)
  .transform((text) =>
    text.replace(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim(),
  )
  .pipe(z.string().min(1));

/** 9999-12-31, in seconds: a date has no more. */
const createdMax = 253_402_300_799;

/** A model as upstreams list it, in OpenAI's or OpenRouter's format. Invalid fields count as missing. */
const upstreamModel = z.object({
  id: z.string().regex(/^[\x21-\x7e]{1,200}$/),
  created: orMissing(z.int().nonnegative().max(createdMax)),
  owned_by: orMissing(shownName),
  type: orMissing(z.string()),
  canonical_slug: orMissing(z.string().max(200)),
  hugging_face_id: orMissing(z.string().max(200).nullable()),
  name: orMissing(shownName),
  description: orMissing(z.string().max(10_000)),
  context_length: count,
  architecture: orMissing(
    z.object({
      modality: orMissing(z.string().max(100).nullable()),
      input_modalities: orMissing(texts),
      output_modalities: orMissing(texts),
      tokenizer: orMissing(z.string().max(50).nullable()),
      instruct_type: orMissing(z.string().max(50).nullable()),
    }),
  ),
  pricing: orMissing(pricing),
  top_provider: orMissing(
    z.object({
      context_length: count,
      max_completion_tokens: count,
      is_moderated: z.boolean().catch(false).default(false),
    }),
  ),
  supported_parameters: orMissing(texts.or(z.array(z.string().max(50)))),
});

type UpstreamModel = z.infer<typeof upstreamModel>;

/** What a model can be used for. */
export type ModelKind = 'language' | 'embedding' | 'other';

/** What an endpoint needs a model for. */
export type UsableKind = Exclude<ModelKind, 'other'>;

/** A model that the upstream lists. */
export type Model = Readonly<{
  id: string;
  kind: ModelKind;
  /** Only the id is known, and says nothing of vectors: it may create them nevertheless, as `bge-m3` does. */
  isKindGuessed: boolean;
  ownedBy: string;
  /** Unix time in seconds; 0 if unknown. */
  created: number;
  /** Null if unknown. */
  prices: Prices | null;
  /** What it lists for kinds of tokens and calls of their own. */
  kindPrices: KindPrices;
  /** The listed fields that are known and valid. */
  listed: UpstreamModel;
  /** All fields that the upstream sent. */
  fields: JsonObject;
}>;

const modelsMax = 20_000;

/** Parses a list in any common format, without duplicate ids; null for anything that is not a list. */
export function readModels(body: unknown, kind?: ModelKind): readonly Model[] | null {
  const records = toRecords(body);
  if (records === null) return null;
  const models = new Map<string, Model>();
  for (const record of records.slice(0, modelsMax)) {
    const parsed = upstreamModel.safeParse(record);
    if (!parsed.success || models.has(parsed.data.id)) continue;
    models.set(parsed.data.id, toModel(parsed.data, toJsonObject(record), kind));
  }
  return [...models.values()];
}

/** A model of which only the id is known. */
export function createUnlistedModel(id: string): Model {
  return toModel(upstreamModel.parse({ id }), { id }, undefined);
}

function toModel(listed: UpstreamModel, fields: JsonObject, kind: ModelKind | undefined): Model {
  const { id, created = 0, owned_by } = listed;
  return {
    id,
    kind: kind ?? toKind(listed) ?? 'language',
    isKindGuessed: (kind ?? toKind(listed)) === null,
    ownedBy: owned_by ?? id.split('/')[0] ?? id,
    created,
    prices: readPrices(listed.pricing),
    kindPrices: readKindPrices(listed.pricing),
    listed,
    fields,
  };
}

/** Null: nothing tells. */
function toKind({ id, type, architecture }: UpstreamModel): ModelKind | null {
  const outputs =
    architecture?.output_modalities ?? architecture?.modality?.split('->')[1]?.split('+') ?? [];
  if (outputs.includes('text')) return 'language';
  if (type === 'embedding' || outputs.some((output) => output.startsWith('embedding'))) {
    return 'embedding';
  }
  if (outputs.length > 0) return 'other';
  // An array of ids has no other fields.
  return /embed/i.test(id) ? 'embedding' : null;
}

function readPrices(pricing: UpstreamModel['pricing']): Prices | null {
  if (pricing === undefined) return null;
  const flat = readFlatPrices(pricing);
  const { overrides = [] } = pricing;
  const long = overrides.flatMap(({ min_prompt_tokens: promptTokens, ...changed }) => {
    const prices = readFlatPrices({ ...pricing, ...withoutNulls(changed) });
    return prices === null ? [] : { promptTokens, prices };
  });
  // Where the price of some prompts is not known, none is.
  if (flat === null || long.length < overrides.length) return null;
  return withLongPrices(flat, long);
}

function readFlatPrices(pricing: NonNullable<UpstreamModel['pricing']>): FlatPrices | null {
  const [input = -1, output = -1, request = 0] = [
    pricing.prompt,
    pricing.completion,
    pricing.request,
  ].map((text) => (text === undefined ? undefined : Number(text)));
  if (input < 0 || output < 0 || request < 0) return null;
  return toPrices({ input, output, request, ...readKindPrices(pricing) });
}

function readKindPrices(pricing: UpstreamModel['pricing']): KindPrices {
  return {
    cacheRead: toOwnPrice(pricing?.input_cache_read),
    cacheWrite: toOwnPrice(pricing?.input_cache_write),
    cacheWriteHour: toOwnPrice(pricing?.input_cache_write_1h),
    audio: toOwnPrice(pricing?.audio),
    audioCacheRead: toOwnPrice(pricing?.input_audio_cache),
    audioOutput: toOwnPrice(pricing?.audio_output),
    imageToken: toOwnPrice(pricing?.image_token),
    imageOutput: toOwnPrice(pricing?.image_output),
    reasoning: toOwnPrice(pricing?.internal_reasoning),
    image: toOwnPrice(pricing?.image),
    webSearch: toOwnPrice(pricing?.web_search),
  };
}

// Zero is often listed for what has no price of its own, and a negative price is unknown.
function toOwnPrice(text: string | undefined): number | undefined {
  const usd = Number(text ?? 0);
  return usd > 0 ? usd : undefined;
}
