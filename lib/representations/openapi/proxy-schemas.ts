import { z } from 'zod';
import { chatRequestSchema } from '#lib/ai-proxy/protocols/chat/schema.ts';
import {
  embeddingsOptionsSchema,
  inputItemSchema,
  textSchema,
} from '#lib/ai-proxy/protocols/embeddings/read-request.ts';
import {
  anyRecord,
  findListItem,
  list,
  record,
  text,
} from '#lib/ai-proxy/protocols/json/fields.ts';
import {
  countTokensOptionsSchema,
  messageSchema,
  messagesOptionsSchema,
} from '#lib/ai-proxy/protocols/messages/schema.ts';
import * as responses from '#lib/ai-proxy/protocols/responses/input-schema.ts';
import { responsesOptionsSchema } from '#lib/ai-proxy/protocols/responses/schema.ts';
import { type JsonSchema, schemaRoot } from './schemas.ts';

/** Bodies of the AI proxy. Those of requests are the schemas that check them, joined with their messages. */

const inputItem = z.union([
  responses.messageSchema,
  responses.functionCallSchema,
  responses.functionOutputSchema,
  responses.reasoningSchema,
  record({ type: text() }),
]);

const responsesRequest = responsesOptionsSchema.extend({
  input: z.union([text(), list(inputItem)]),
});
const messages = list(messageSchema);
const tokens = z.int().min(0);

const requestSchemas = {
  ResponsesRequest: responsesRequest,
  ChatCompletionsRequest: chatRequestSchema,
  MessagesRequest: messagesOptionsSchema.extend({ messages }),
  CountTokensRequest: countTokensOptionsSchema.extend({ messages }),
  EmbeddingsRequest: embeddingsOptionsSchema.extend({
    input: z.union([textSchema, list(inputItemSchema)]),
  }),
} as const;

const modelRecord = z.looseObject({
  id: z.string(),
  object: z.literal('model'),
  created: z.int().meta({ description: 'Unix time in seconds; 0 if unknown.' }),
  owned_by: z.string(),
});

/** The fields that every response has; upstreams add others. */
export const proxyResponseSchemas = {
  Response: z.looseObject({
    id: z.string(),
    object: z.literal('response'),
    status: z.string(),
    model: z.string(),
    output: z.array(z.looseObject({ type: z.string() })),
  }),
  CompactedResponse: z.looseObject({ output: z.array(z.looseObject({ type: z.string() })) }),
  ChatCompletion: z.looseObject({
    id: z.string(),
    object: z.literal('chat.completion'),
    created: z.int(),
    model: z.string(),
    choices: z.array(z.looseObject({ index: z.int(), finish_reason: z.string().nullable() })),
  }),
  Message: z.looseObject({
    id: z.string(),
    type: z.literal('message'),
    role: z.literal('assistant'),
    model: z.string(),
    content: z.array(z.looseObject({ type: z.string() })),
    stop_reason: z.string().nullable(),
  }),
  TokenCount: z.looseObject({ input_tokens: tokens }),
  EmbeddingList: z.looseObject({
    object: z.literal('list'),
    data: z.array(
      z.looseObject({ index: z.int(), embedding: z.union([z.array(z.number()), z.string()]) }),
    ),
  }),
  Model: modelRecord,
  ModelList: z.looseObject({ object: z.literal('list'), data: z.array(modelRecord) }),
  Key: z.looseObject({ data: z.looseObject({ usage: z.number() }) }).meta({
    description: 'The fields of OpenRouter’s `/key`, with the budgets that apply.',
  }),
  Revoked: z.object({ revoked: z.literal(true) }),
  Error: z.object({
    error: z.looseObject({
      message: z.string(),
      type: z.string(),
      param: z.string().nullable(),
      code: z.string().nullable(),
    }),
  }),
  MessagesError: z.looseObject({
    type: z.literal('error'),
    error: z.looseObject({ type: z.string(), message: z.string() }),
  }),
} as const;

export type ProxyRequestName = keyof typeof requestSchemas;
export type ProxyResponseName = keyof typeof proxyResponseSchemas;

export function refer(name: ProxyRequestName | ProxyResponseName): JsonSchema {
  return { $ref: schemaRoot + name };
}

export function toProxySchemas(): Record<string, z.core.JSONSchema.BaseSchema> {
  const all = { ...requestSchemas, ...proxyResponseSchemas };
  return Object.fromEntries(
    Object.entries<z.ZodType>(all).map(([name, schema]) => [name, toSchema(schema)]),
  );
}

/** What clients may send: null for an omitted field, and fields that are not listed. */
function toSchema(schema: z.ZodType): z.core.JSONSchema.BaseSchema {
  const { $schema: _, ...plain } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      const item = findListItem(zodSchema);
      if (item !== undefined) jsonSchema.items = toSchema(item);
      if (isAnyRecord(zodSchema)) jsonSchema.type = 'object';
    },
  });
  return plain;
}

const anyRecordCheck = anyRecord()._zod.def.type;

/** `anyRecord` is the only custom type. */
function isAnyRecord({ _zod: { def } }: z.core.$ZodType): boolean {
  return def.type === anyRecordCheck;
}
