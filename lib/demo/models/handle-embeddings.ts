import { z } from 'zod';
import { createRandom, toSeed } from '../seeded-random.ts';
import { demoModels } from './catalog.ts';
import { countTokens } from './completion/conversation.ts';
import { toErrorReply, toUnknownModel } from './handle-model-request.ts';
import { toRequestError } from './protocols/request-error.ts';
import { type Reply, toJsonReply } from './reply.ts';

const tokens = z.array(z.int().min(0)).min(1);
const text = z.string().min(1);

const embeddingsRequest = z.looseObject({
  model: z.string().min(1),
  input: z.union([
    text,
    tokens,
    z
      .array(z.union([text, tokens]))
      .min(1)
      .max(2048),
  ]),
  encoding_format: z.enum(['float', 'base64']).nullish(),
  dimensions: z.int().min(1).max(10_000).nullish(),
});

/** Handles an Embeddings request: a vector of length 1 for each input, the same for the same input. */
export function handleEmbeddings(body: unknown): Reply {
  const parsed = embeddingsRequest.safeParse(body);
  if (!parsed.success) return toErrorReply(toRequestError(parsed.error));
  const { model: id, input, encoding_format: format, dimensions } = parsed.data;
  const model = demoModels.find((model) => model.id === id);
  if (model === undefined || model.kind !== 'embedding') return toErrorReply(toUnknownModel(id));
  const inputs = typeof input === 'string' || typeof input[0] === 'number' ? [input] : input;
  const promptTokens = inputs.reduce<number>((sum, input) => sum + countInput(input), 0);
  return toJsonReply(200, {
    object: 'list',
    data: inputs.map((input, index) => {
      const vector = makeVector(JSON.stringify(input), dimensions ?? model.dimensions);
      const embedding = format === 'base64' ? toBase64(vector) : [...vector];
      return { object: 'embedding', index, embedding };
    }),
    model: id,
    usage: { prompt_tokens: promptTokens, total_tokens: promptTokens },
  });
}

function countInput(input: unknown): number {
  return Array.isArray(input) ? input.length : countTokens(String(input));
}

function makeVector(text: string, dimensions: number): Float32Array {
  const random = createRandom(toSeed(text));
  const values = Float32Array.from({ length: dimensions }, () => random() - 0.5);
  const length = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0));
  return values.map((value) => value / length);
}

function toBase64(vector: Float32Array): string {
  return Buffer.from(vector.buffer).toString('base64');
}
