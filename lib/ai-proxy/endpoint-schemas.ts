import { z } from 'zod';
import {
  embeddingsOptionsSchema,
  inputItemSchema,
  textSchema,
} from './protocols/embeddings/read-request.ts';
import { list, record, text } from './protocols/json/fields.ts';
import {
  countTokensOptionsSchema,
  messageSchema,
  messagesOptionsSchema,
} from './protocols/messages/schema.ts';
import * as responses from './protocols/responses/input-schema.ts';
import { responsesOptionsSchema } from './protocols/responses/schema.ts';

/** Bodies of requests: the schemas that check them, joined with their messages. */

const responsesItem = z.union([
  responses.messageSchema,
  responses.functionCallSchema,
  responses.functionOutputSchema,
  responses.reasoningSchema,
  record({ type: text() }),
]);

export const responsesRequestSchema = responsesOptionsSchema.extend({
  input: z.union([text(), list(responsesItem)]),
});

const messages = list(messageSchema);

export const messagesRequestSchema = messagesOptionsSchema.extend({ messages });

export const countTokensRequestSchema = countTokensOptionsSchema.extend({ messages });

export const embeddingsRequestSchema = embeddingsOptionsSchema.extend({
  input: z.union([textSchema, list(inputItemSchema)]),
});

/** Bodies of responses: the fields that each of them has; upstreams add others. */

const typedItems = z.array(z.looseObject({ type: z.string() }));

export const responseSchema = z.looseObject({
  id: z.string(),
  object: z.literal('response'),
  status: z.string(),
  model: z.string(),
  output: typedItems,
});

export const compactedResponseSchema = z.looseObject({ output: typedItems });

export const chatCompletionSchema = z.looseObject({
  id: z.string(),
  object: z.literal('chat.completion'),
  created: z.int(),
  model: z.string(),
  choices: z.array(z.looseObject({ index: z.int(), finish_reason: z.string().nullable() })),
});

export const messageResponseSchema = z.looseObject({
  id: z.string(),
  type: z.literal('message'),
  role: z.literal('assistant'),
  model: z.string(),
  content: typedItems,
  stop_reason: z.string().nullable(),
});

export const tokenCountSchema = z.looseObject({ input_tokens: z.int().min(0) });

export const embeddingListSchema = z.looseObject({
  object: z.literal('list'),
  data: z.array(
    z.looseObject({ index: z.int(), embedding: z.union([z.array(z.number()), z.string()]) }),
  ),
});

export const modelSchema = z.looseObject({
  id: z.string(),
  object: z.literal('model'),
  created: z.int().meta({ description: 'Unix time in seconds; 0 if unknown.' }),
  owned_by: z.string(),
});

export const modelListSchema = z.looseObject({
  object: z.literal('list'),
  data: z.array(modelSchema),
});

export const keySchema = z.looseObject({ data: z.looseObject({ usage: z.number() }) }).meta({
  description: 'The fields of OpenRouter’s `/key`, with the budgets that apply.',
});

/** Field names as in OpenRouter’s list of activity. */
export const usageSchema = z.object({
  object: z.literal('list'),
  from: z.string(),
  to: z.string(),
  data: z.array(
    z.object({
      date: z.string().optional(),
      model: z.string().optional(),
      requests: z.number(),
      prompt_tokens: z.number(),
      completion_tokens: z.number(),
      cached_tokens: z.number(),
      cache_write_tokens: z.number(),
      usage: z.number().nullable().meta({ description: 'US dollars; null if no price is known.' }),
    }),
  ),
});

export const generationSchema = z
  .object({
    data: z.looseObject({
      id: z.string().nullable(),
      model: z.string(),
      tokens_prompt: z.number(),
      tokens_completion: z.number(),
      total_cost: z.number().nullable(),
    }),
  })
  .meta({
    description: 'The fields of OpenRouter’s `/generation`, with the status of the request.',
  });

export const revokedSchema = z.object({ revoked: z.literal(true) });

/** The bodies of errors, by the format of the endpoint. */
export const errorSchemas = {
  openai: {
    Error: z.object({
      error: z.looseObject({
        message: z.string(),
        type: z.string(),
        param: z.string().nullable(),
        code: z.string().nullable(),
      }),
    }),
  },
  messages: {
    MessagesError: z.looseObject({
      type: z.literal('error'),
      error: z.looseObject({ type: z.string(), message: z.string() }),
    }),
  },
} as const;
