import type { Model } from './model.ts';

/** A model of `/models`, in OpenAI's format. */
export type LanguageModelRecord = Readonly<{
  id: string;
  object: 'model';
  created: number;
  owned_by: string;
}>;

/** The body of `/models`. */
export function toLanguageModelList(models: readonly Model[]): Readonly<{
  object: 'list';
  data: readonly LanguageModelRecord[];
}> {
  const data = models.map(
    ({ id, created, ownedBy }) => ({ id, object: 'model', created, owned_by: ownedBy }) as const,
  );
  return { object: 'list', data };
}

/** OpenRouter's value for a price that varies or is unknown. */
const unknownPrice = '-1';

/** The body of `/embeddings/models` in OpenRouter's format, with the fields that OpenAI's clients read. */
export function toEmbeddingModelList(models: readonly Model[]) {
  return { object: 'list', data: models.map(toEmbeddingModelRecord) } as const;
}

function toEmbeddingModelRecord({ id, created, ownedBy, listed }: Model) {
  const { architecture, name = id, context_length: contextLength } = listed;
  return {
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
      ...listed.pricing,
    },
    top_provider: listed.top_provider ?? {
      context_length: contextLength,
      max_completion_tokens: null,
      is_moderated: false,
    },
    per_request_limits: null,
    supported_parameters: listed.supported_parameters ?? [],
  } as const;
}
