/** A model of the demo, independent of a list's format. */
export type DemoModel = Readonly<{
  id: string;
  name: string;
  description: string;
  created: string;
  contextLength: number;
  outputTokensMax: number | null;
  /** USD per million tokens. */
  pricePrompt: number;
  priceCompletion: number;
  inputs: readonly string[];
  /** Numbers in a vector; 0 for language models. */
  dimensions: number;
  kind: 'language' | 'embedding';
}>;

const text = ['text'] as const;
const textAndImage = ['text', 'image'] as const;

function language(
  id: string,
  name: string,
  rest: Omit<DemoModel, 'id' | 'name' | 'kind' | 'dimensions'>,
): DemoModel {
  return { id, name: `${name} (demo)`, ...rest, dimensions: 0, kind: 'language' };
}

function embedding(
  id: string,
  name: string,
  rest: Pick<DemoModel, 'description' | 'created' | 'contextLength' | 'pricePrompt' | 'dimensions'>,
): DemoModel {
  return {
    id,
    name: `${name} (demo)`,
    ...rest,
    outputTokensMax: null,
    priceCompletion: 0,
    inputs: text,
    kind: 'embedding',
  };
}

/** Invented vendors and models. */
export const demoModels: readonly DemoModel[] = [
  language('lantern-demo/wick-3', 'Lantern Wick 3', {
    description: 'The large one of an invented family. Its answers are made up from your prompt.',
    created: '2026-09-02',
    contextLength: 400_000,
    outputTokensMax: 64_000,
    pricePrompt: 2.5,
    priceCompletion: 12,
    inputs: textAndImage,
  }),
  language('lantern-demo/wick-3-mini', 'Lantern Wick 3 mini', {
    description: 'The small one of an invented family: as clever as the large one, and cheaper.',
    created: '2026-09-02',
    contextLength: 200_000,
    outputTokensMax: 32_000,
    pricePrompt: 0.2,
    priceCompletion: 0.8,
    inputs: textAndImage,
  }),
  language('lantern-demo/wick-2', 'Lantern Wick 2', {
    description: 'Last year’s model of an invented family.',
    created: '2025-10-14',
    contextLength: 128_000,
    outputTokensMax: 16_000,
    pricePrompt: 1.25,
    priceCompletion: 6,
    inputs: text,
  }),
  language('harbour-demo/tide-large', 'Harbour Tide Large', {
    description: 'Takes very long prompts. The demo reads only the last message.',
    created: '2026-05-20',
    contextLength: 1_000_000,
    outputTokensMax: 64_000,
    pricePrompt: 3,
    priceCompletion: 15,
    inputs: ['text', 'image', 'file'],
  }),
  language('harbour-demo/tide-small', 'Harbour Tide Small', {
    description: 'For quick answers that are no worse than any others here.',
    created: '2026-05-20',
    contextLength: 64_000,
    outputTokensMax: 8192,
    pricePrompt: 0.1,
    priceCompletion: 0.4,
    inputs: text,
  }),
  language('juniper-demo/open-24b', 'Juniper Open 24B', {
    description: 'An invented model with open weights that nobody has to download.',
    created: '2026-02-11',
    contextLength: 32_768,
    outputTokensMax: null,
    pricePrompt: 0.05,
    priceCompletion: 0.1,
    inputs: text,
  }),
  language('juniper-demo/open-24b:free', 'Juniper Open 24B, free', {
    description: 'The same model, free of charge.',
    created: '2026-02-11',
    contextLength: 32_768,
    outputTokensMax: 4096,
    pricePrompt: 0,
    priceCompletion: 0,
    inputs: text,
  }),
  language('acorn-demo/tiny-4k', 'Acorn Tiny 4k', {
    description: 'So small that a long prompt does not fit: good for seeing that error.',
    created: '2025-06-30',
    contextLength: 4096,
    outputTokensMax: 1024,
    pricePrompt: 0.02,
    priceCompletion: 0.02,
    inputs: text,
  }),
  embedding('lantern-demo/embed-large', 'Lantern Embed Large', {
    description: 'Vectors of an invented family: the same text always has the same one.',
    created: '2026-03-09',
    contextLength: 8192,
    dimensions: 1536,
    pricePrompt: 0.12,
  }),
  embedding('harbour-demo/embed-multilingual', 'Harbour Embed Multilingual', {
    description: 'Equally meaningless in a hundred languages.',
    created: '2026-01-15',
    contextLength: 32_768,
    dimensions: 1024,
    pricePrompt: 0.06,
  }),
  embedding('juniper-demo/embed-open', 'Juniper Embed Open', {
    description: 'Small vectors with open weights.',
    created: '2025-12-01',
    contextLength: 8192,
    dimensions: 384,
    pricePrompt: 0.01,
  }),
];

/** A model in OpenRouter's format. */
export function toModelRecord(model: DemoModel): Readonly<Record<string, unknown>> {
  const { id, name, description, contextLength, inputs, kind } = model;
  const output = kind === 'language' ? 'text' : 'embeddings';
  return {
    id,
    canonical_slug: `${id.replace(/:.*/, '')}-${model.created}`,
    hugging_face_id: id.includes('open') ? id.replace(/:.*/, '') : '',
    name,
    created: Date.parse(`${model.created}T00:00:00Z`) / 1000,
    description,
    context_length: contextLength,
    architecture: {
      modality: `${inputs.join('+')}->${output}`,
      input_modalities: inputs,
      output_modalities: [output],
      tokenizer: 'Other',
      instruct_type: null,
    },
    pricing: {
      prompt: toPricePerToken(model.pricePrompt),
      completion: toPricePerToken(model.priceCompletion),
      request: '0',
      image: '0',
    },
    top_provider: {
      context_length: contextLength,
      max_completion_tokens: model.outputTokensMax,
      is_moderated: false,
    },
    per_request_limits: null,
    default_parameters: {},
    supported_voices: null,
    links: { details: `/api/v1/models/${id}/endpoints` },
    supported_parameters:
      kind === 'language'
        ? ['max_tokens', 'temperature', 'top_p', 'tools', 'tool_choice', 'response_format']
        : [],
  };
}

// In plain digits, as upstreams write prices: never 1e-7.
function toPricePerToken(perMillion: number): string {
  return (perMillion / 1_000_000).toFixed(12).replace(/\.?0+$/, '');
}
