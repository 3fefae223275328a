import type { JsonObject } from '#lib/http/json-value.ts';
import { estimateContentTokens } from '#lib/spend/usage/estimate-tokens.ts';
import { badField, check } from '../json/check.ts';
import {
  embeddingsOptionsSchema,
  inputItemSchema,
  inputsMax,
  inputWords,
  textSchema,
} from './schema.ts';

/** A validated Embeddings request. */
export type EmbeddingsRequest = Readonly<{
  model: string;
  models: readonly string[];
  /** The number of embeddings in the result. */
  inputCount: number;
  encodingFormat: 'float' | 'base64';
  promptTokensEstimate: number;
  /** The body for the upstream. */
  sent: JsonObject;
}>;

/** Reads an Embeddings request. @throws HttpError 400 whose `param` is the first invalid field. */
export function readEmbeddingsRequest(sent: JsonObject): EmbeddingsRequest {
  const { model, encoding_format } = check(embeddingsOptionsSchema, sent);
  const inputs = readInputs(sent.input);
  return {
    model,
    models: [model],
    inputCount: inputs.length,
    encodingFormat: encoding_format ?? 'float',
    promptTokensEstimate: inputs.reduce<number>((sum, input) => sum + estimateInput(input), 0),
    sent,
  };
}

/** An array of numbers is one input: its tokens. */
function readInputs(input: unknown): readonly unknown[] {
  const path = ['input'];
  if (typeof input === 'string') return [check(textSchema, input, path)];
  if (!Array.isArray(input)) throw badField(path, inputWords, input === undefined);
  if (input.length === 0) throw badField(path, 'an array of at least one input');
  if (typeof input[0] === 'number') return [check(inputItemSchema, input, path)];
  if (input.length > inputsMax) throw badField(path, `an array of at most ${inputsMax} inputs`);
  for (const [index, item] of input.entries()) check(inputItemSchema, item, ['input', index]);
  return input;
}

function estimateInput(input: unknown): number {
  const isTokens = Array.isArray(input) && typeof input[0] === 'number';
  return isTokens ? input.length : estimateContentTokens(input);
}
