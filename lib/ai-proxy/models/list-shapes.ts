import { toJsonObject } from '#lib/http/json-value.ts';
import type { Model } from './model.ts';

/** A model of `/models`: the fields of OpenAI's format, and whatever else the upstream sent. */
type LanguageModelRecord = Readonly<{
  id: string;
  object: 'model';
  created: number;
  owned_by: string;
}>;

/** The body of `/models`. */
export function toLanguageModelList(models: readonly Model[], hasTotal = false) {
  return toList(models.map(toModelRecord), hasTotal);
}

export function toModelRecord({ id, created, ownedBy, fields }: Model): LanguageModelRecord {
  return { ...fields, id, object: 'model', created, owned_by: ownedBy };
}

/** OpenRouter's list fields describe our own list: the upstream's link to a next page would bypass this proxy. */
function toList<T>(data: readonly T[], hasTotal: boolean) {
  const paging = { total_count: data.length, links: { next: null } };
  return { object: 'list', data, ...(hasTotal && paging) } as const;
}

/** OpenRouter's value for a price that varies or is unknown. */
const unknownPrice = '-1';

/** The body of `/embeddings/models` in OpenRouter's format, with the fields that OpenAI's clients read. */
export function toEmbeddingModelList(models: readonly Model[], hasTotal = false) {
  return toList(models.map(toEmbeddingModelRecord), hasTotal);
}

function toEmbeddingModelRecord({ id, created, ownedBy, listed, fields }: Model) {
  const { architecture, name = id, context_length: contextLength } = listed;
  return {
    ...fields,
    id,
    object: 'model',
    canonical_slug: listed.canonical_slug ?? id,
    hugging_face_id: listed.hugging_face_id ?? null,
    name,
    created,
    owned_by: ownedBy,
    description: listed.description ?? '',
    context_length: contextLength,
    architecture: {
      ...toJsonObject(fields.architecture),
      modality: architecture?.modality ?? 'text->embeddings',
      input_modalities: architecture?.input_modalities ?? ['text'],
      output_modalities: architecture?.output_modalities ?? ['embeddings'],
      tokenizer: architecture?.tokenizer ?? 'Other',
      instruct_type: architecture?.instruct_type ?? null,
    },
    pricing: {
      prompt: unknownPrice,
      completion: unknownPrice,
      request: unknownPrice,
      image: unknownPrice,
      ...toJsonObject(fields.pricing),
      ...listed.pricing,
    },
    top_provider: {
      ...toJsonObject(fields.top_provider),
      ...(listed.top_provider ?? {
        context_length: contextLength,
        max_completion_tokens: null,
        is_moderated: false,
      }),
    },
    per_request_limits: fields.per_request_limits ?? null,
    supported_parameters: listed.supported_parameters ?? [],
  } as const;
}

/** A model in the format of Anthropic’s API. */
export function toAnthropicModel({ id, created, listed }: Model) {
  return {
    type: 'model',
    id,
    display_name: listed.name ?? id,
    created_at: new Date(created * 1000).toISOString(),
  } as const;
}

/** The body of `/models` for Anthropic’s clients: all models on one page. */
export function toAnthropicModelList(models: readonly Model[]) {
  const data = models.map(toAnthropicModel);
  const lastId = data.at(-1)?.id ?? null;
  return { data, has_more: false, first_id: data[0]?.id ?? null, last_id: lastId } as const;
}
