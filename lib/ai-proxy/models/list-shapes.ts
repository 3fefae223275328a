import { toJsonObject } from '#lib/http/json-value.ts';
import type { Model } from './model.ts';

/** A model of `/models`: the fields of OpenAI's format, and whatever else the upstream sent. */
export type LanguageModelRecord = Readonly<{
  id: string;
  object: 'model';
  created: number;
  owned_by: string;
}>;

/** The body of `/models`. */
export function toLanguageModelList(models: readonly Model[], hasTotal = false) {
  return toList(models.map(toModelRecord), hasTotal);
}

export function toModelRecord({ id, created, ownedBy, given }: Model): LanguageModelRecord {
  return { ...given, id, object: 'model', created, owned_by: ownedBy };
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

function toEmbeddingModelRecord({ id, created, ownedBy, listed, given }: Model) {
  const { architecture, name = id, context_length: contextLength } = listed;
  return {
    ...given,
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
      ...toJsonObject(given.architecture),
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
      ...toJsonObject(given.pricing),
      ...listed.pricing,
    },
    top_provider: {
      ...toJsonObject(given.top_provider),
      ...(listed.top_provider ?? {
        context_length: contextLength,
        max_completion_tokens: null,
        is_moderated: false,
      }),
    },
    per_request_limits: given.per_request_limits ?? null,
    supported_parameters: listed.supported_parameters ?? [],
  } as const;
}
