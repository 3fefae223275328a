import { z } from 'zod';
import { wholeNumber } from '#lib/http/number-schemas.ts';
import { type Endpoint, toKnownFields } from '../../endpoint.ts';
import { list, modelSchema, oneOf, record, text, usageOption } from '../json/fields.ts';

/** Embeddings requests. Unknown fields are forwarded. */

export const inputsMax = 2048;
export const inputWords = 'a text, an array of texts, or arrays of tokens';

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

const embeddingsRequestSchema = embeddingsOptionsSchema.extend({
  input: z.union([textSchema, list(inputItemSchema)]),
});

const embeddingListSchema = z.looseObject({
  object: z.literal('list'),
  data: z.array(
    z.looseObject({ index: z.int(), embedding: z.union([z.array(z.number()), z.string()]) }),
  ),
});

export const embeddingsEndpoint = {
  method: 'POST',
  path: '/proxy/v1/embeddings',
  id: 'createEmbeddings',
  summary: 'Turn texts into vectors',
  tag: 'Generate',
  request: { EmbeddingsRequest: embeddingsRequestSchema },
  response: { EmbeddingList: embeddingListSchema },
  generation: {
    name: 'embeddings',
    protocol: 'embeddings',
    modelKind: 'embedding',
    takesTokens: true,
    knownFields: toKnownFields('dimensions encoding_format input input_type usage'),
  },
} as const satisfies Endpoint;
