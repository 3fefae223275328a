import { z } from 'zod';
import type { JsonObject } from '#lib/http/json-value.ts';
import { wholeNumber } from '#lib/http/number-schemas.ts';
import { estimateContentTokens } from '#lib/spend/usage/estimate-tokens.ts';
import { badField, check } from '../json/check.ts';
import { list, modelSchema, oneOf, record, text, usageOption } from '../json/fields.ts';

/** A validated Embeddings request. */
export type EmbeddingsRequest = Readonly<{
  model: string;
  models: readonly string[];
  /** The number of embeddings in the result. */
  inputCount: number;
  encodingFormat: 'float' | 'base64';
  /** Whether the client wants the cost in the usage. */
  includesCost: boolean;
  promptTokensEstimate: number;
  /** The body for the upstream. */
  sent: JsonObject;
}>;

/** Reads an Embeddings request. @throws HttpError 400 whose `param` is the first invalid field. */
export function readEmbeddingsRequest(body: JsonObject): EmbeddingsRequest {
  const { model, encoding_format, usage } = check(embeddingsOptionsSchema, body);
  const { usage: _, ...sent } = body;
  const inputs = readInputs(sent.input);
  return {
    model,
    models: [model],
    inputCount: inputs.length,
    encodingFormat: encoding_format ?? 'float',
    includesCost: usage?.include === true,
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

/** Embeddings requests. Unknown fields are forwarded. */

const inputsMax = 2048;
const inputWords = 'a text, an array of texts, or arrays of tokens';

const textWords = 'a text that is not empty';
export const textSchema = z.string(textWords).min(1, textWords);

const tokenWords = 'a token: a whole number';
// Two million tokens, each with a schema of its own, would take half a second.
const tokens = z
  .array(z.unknown(), 'an array of tokens')
  .refine((all) => all.length > 0, 'an array of at least one token')
  .superRefine((all, context) => {
    const index = all.findIndex((token) => !Number.isSafeInteger(token) || Number(token) < 0);
    if (index !== -1) context.addIssue({ code: 'custom', path: [index], message: tokenWords });
  });

/** Texts and images in one input, as OpenRouter accepts them. */
const mixed = record({ content: list(record({ type: text() })) });

/** One input: a text, its tokens, or mixed content. */
export const inputItemSchema = z.union([textSchema, tokens, mixed], {
  error: 'a text that is not empty, or an array of tokens',
});

/** All fields except the inputs, which are checked one by one: the first invalid one ends the check. */
export const embeddingsOptionsSchema = record({
  model: modelSchema,
  encoding_format: oneOf(['float', 'base64']).nullish(),
  dimensions: wholeNumber(1, 100_000).nullish(),
  user: text().nullish(),
  usage: usageOption,
  stream: z.literal(false, '`false`: embeddings are not streamed').nullish(),
});
