import { z } from 'zod';
import { numberBetween, wholeNumber } from '#lib/http/number-schemas.ts';
import { type Endpoint, toKnownFields } from '../../endpoint.ts';
import {
  anyRecord,
  flag,
  list,
  modelSchema,
  numberFrom,
  oneOf,
  otherThan,
  record,
  taggedBy,
  text,
  usageOption,
} from '../json/fields.ts';

/** Chat Completions requests. Unknown fields are forwarded. */

const partsWords = 'a string or an array of content parts';

const textPart = record({ type: z.literal('text'), text: text() });
const imagePart = record({
  type: z.literal('image_url'),
  image_url: z.union([text(), record({ url: text('a URL or data: URL, as a string') })], {
    error: 'an object with a `url`',
  }),
});
const audioPart = record({
  type: z.literal('input_audio'),
  input_audio: record({ data: text('audio in base64'), format: text() }),
});
const filePart = record({ type: z.literal('file'), file: anyRecord() });
const refusalPart = record({ type: z.literal('refusal'), refusal: text() });
const documentedParts = ['text', 'image_url', 'input_audio', 'file', 'refusal'];
// Some models accept more, such as `video_url`.
const otherPart = record({ type: otherThan(documentedParts) });

const partWords = 'a content part: an object with a `type`';
const contentPart = z.union(
  [
    taggedBy({ tag: 'type', choices: documentedParts, what: partWords }, [
      textPart,
      imagePart,
      audioPart,
      filePart,
      refusalPart,
    ]),
    otherPart,
  ],
  { error: partWords },
);
const content = z.union([text(), list(contentPart)], { error: partsWords });

const toolCall = record({
  id: text(),
  type: z.literal(['function', 'custom'], '`function` or `custom`').optional(),
  function: record({ name: text(), arguments: text('JSON as a string') }).nullish(),
});

const optionalName = text().nullish();
const roles = ['system', 'developer', 'user', 'assistant', 'tool', 'function'] as const;

export const chatMessageSchema = taggedBy(
  { tag: 'role', choices: roles, what: 'a message: an object with `role` and `content`' },
  [
    record({ role: z.literal(['system', 'developer', 'user']), content, name: optionalName }),
    record({
      role: z.literal('assistant'),
      content: z.union([text(), list(contentPart), z.null()], { error: partsWords }).optional(),
      name: optionalName,
      refusal: text().nullish(),
      tool_calls: list(toolCall).nullish(),
    }),
    record({ role: z.literal('tool'), content: content.nullable(), tool_call_id: text() }),
    record({ role: z.literal('function'), content: content.nullish(), name: text() }),
  ],
);

const toolSchema = record({
  type: text(),
  function: record({
    name: text(),
    description: text().nullish(),
    parameters: anyRecord('a JSON schema').nullish(),
    strict: flag().nullish(),
  }).nullish(),
});

const responseFormat = taggedBy(
  { tag: 'type', choices: ['text', 'json_object', 'json_schema'], what: 'an object with a `type`' },
  [
    record({ type: z.literal(['text', 'json_object']) }),
    record({
      type: z.literal('json_schema'),
      json_schema: record({ name: text(), schema: anyRecord('a JSON schema').nullish() }),
    }),
  ],
);

export const chatRequestSchema = record({
  model: modelSchema,
  messages: list(chatMessageSchema, 'an array of messages'),
  stream: flag().nullish(),
  stream_options: record({ include_usage: flag().nullish() }).nullish(),
  temperature: numberBetween(0, 2).nullish(),
  top_p: numberBetween(0, 1).nullish(),
  max_tokens: numberFrom(1).nullish(),
  max_completion_tokens: numberFrom(1).nullish(),
  usage: usageOption,
  n: wholeNumber(1, 128).nullish(),
  stop: z.union([text(), list(text())], { error: 'a string or an array of strings' }).nullish(),
  presence_penalty: numberBetween(-2, 2).nullish(),
  frequency_penalty: numberBetween(-2, 2).nullish(),
  logit_bias: anyRecord().nullish(),
  logprobs: flag().nullish(),
  top_logprobs: wholeNumber(0, 20).nullish(),
  seed: z.number('a whole number').refine(Number.isInteger, 'a whole number').nullish(),
  tools: list(toolSchema).nullish(),
  tool_choice: z
    .union([oneOf(['none', 'auto', 'required']), record({ type: text() })], {
      error: '`none`, `auto`, `required`, or an object that names a tool',
    })
    .nullish(),
  parallel_tool_calls: flag().nullish(),
  response_format: responseFormat.nullish(),
  reasoning_effort: text().nullish(),
  user: text().nullish(),
  metadata: anyRecord().nullish(),
  store: flag().nullish(),
  /** Fallback models, which some upstreams accept: checked like `model`. */
  models: list(modelSchema).nullish(),
});

const chatCompletionSchema = z.looseObject({
  id: z.string(),
  object: z.literal('chat.completion'),
  created: z.int(),
  model: z.string(),
  choices: z.array(z.looseObject({ index: z.int(), finish_reason: z.string().nullable() })),
});

export const chatEndpoint = {
  method: 'POST',
  path: '/proxy/v1/chat/completions',
  id: 'createChatCompletion',
  summary: 'Create a chat completion',
  tag: 'Generate',
  request: { ChatCompletionsRequest: chatRequestSchema },
  response: { ChatCompletion: chatCompletionSchema },
  isStreamed: true,
  generation: {
    name: 'chat.completions',
    protocol: 'chat',
    modelKind: 'language',
    knownFields: toKnownFields(`
    audio chat_template_kwargs frequency_penalty function_call functions image_config
    include_reasoning logit_bias logprobs max_completion_tokens max_tokens messages min_p
    modalities n parallel_tool_calls prediction presence_penalty prompt_cache_options
    prompt_cache_retention reasoning reasoning_effort repetition_penalty response_format seed stop
    stream_options structured_outputs thinking tool_choice tools top_a top_logprobs transforms
    usage verbosity web_search_options
  `),
  },
} as const satisfies Endpoint;
