import { z } from 'zod';
import { numberBetween, wholeNumber } from '#lib/http/number-schemas.ts';
import { type Endpoint, toKnownFields, tokenCountSchema } from '../../endpoint.ts';
import {
  anyRecord,
  flag,
  list,
  modelSchema,
  oneOf,
  otherThan,
  record,
  taggedBy,
  text,
  usageOption,
} from '../json/fields.ts';

/** Items of a conversation, as clients send them. Unknown fields are forwarded. */

const partTypes = [
  'input_text',
  'output_text',
  'input_image',
  'input_file',
  'input_audio',
  'refusal',
] as const;

const imageWords = 'a URL or data: URL, as a string';

const partSchema = taggedBy(
  { tag: 'type', choices: partTypes, what: 'a content part: an object with a `type`' },
  [
    record({ type: z.literal(['input_text', 'output_text']), text: text() }),
    record({
      type: z.literal('input_image'),
      image_url: text(imageWords).nullish(),
      file_id: text().nullish(),
      detail: text().nullish(),
    }),
    record({
      type: z.literal('input_file'),
      file_data: text('a data: URL as a string').nullish(),
      file_url: text('a URL as a string').nullish(),
      file_id: text().nullish(),
      filename: text().nullish(),
    }),
    record({
      type: z.literal('input_audio'),
      input_audio: record({ data: text('audio in base64'), format: text() }),
    }),
    record({ type: z.literal('refusal'), refusal: text() }),
  ],
);

export type InputPart = z.output<typeof partSchema>;

const content = z.union([text(), list(partSchema)], {
  error: 'a string or an array of content parts',
});

export const messageSchema = record({
  role: oneOf(['user', 'assistant', 'system', 'developer']),
  content,
  id: text().nullish(),
  status: text().nullish(),
});

export const functionCallSchema = record({
  type: z.literal('function_call'),
  call_id: text(),
  name: text(),
  arguments: text('JSON as a string'),
});

export const functionOutputSchema = record({
  type: z.literal('function_call_output'),
  call_id: text(),
  output: content,
});

export const reasoningSchema = record({
  type: z.literal('reasoning'),
  summary: list(anyRecord()).nullish(),
});

export const itemTypes = ['message', 'function_call', 'function_call_output', 'reasoning'];

const toolKindWords = 'the kind of tool, such as `function`';

const functionTool = record({
  type: z.literal('function', toolKindWords),
  name: text(),
  description: text().nullish(),
  parameters: anyRecord('a JSON schema').nullish(),
  strict: flag().nullish(),
});

const otherTool = record({ type: otherThan(['function'], toolKindWords) });

const toolSchema = z.union([functionTool, otherTool], {
  error: 'a tool: an object with a `type`',
});

const toolChoice = z.union(
  [oneOf(['none', 'auto', 'required']), record({ type: text(), name: text().optional() })],
  { error: '`none`, `auto`, `required`, or an object that names a tool' },
);

const textFormat = taggedBy(
  { tag: 'type', choices: ['text', 'json_object', 'json_schema'], what: 'an object with a `type`' },
  [
    record({ type: z.literal(['text', 'json_object']) }),
    record({
      type: z.literal('json_schema'),
      name: text(),
      schema: anyRecord('a JSON schema'),
      description: text().nullish(),
      strict: flag().nullish(),
    }),
  ],
);

export const responsesOptionsSchema = record({
  model: modelSchema,
  instructions: text().nullish(),
  stream: flag().nullish(),
  usage: usageOption,
  max_output_tokens: wholeNumber(1).nullish(),
  max_tool_calls: wholeNumber(1).nullish(),
  temperature: numberBetween(0, 2).nullish(),
  top_p: numberBetween(0, 1).nullish(),
  presence_penalty: numberBetween(-2, 2).nullish(),
  frequency_penalty: numberBetween(-2, 2).nullish(),
  top_logprobs: wholeNumber(0, 20).nullish(),
  tools: list(toolSchema).nullish(),
  tool_choice: toolChoice.nullish(),
  parallel_tool_calls: flag().nullish(),
  text: record({ format: textFormat.nullish(), verbosity: text().nullish() }).nullish(),
  reasoning: record({ effort: text().nullish(), summary: text().nullish() }).nullish(),
  include: list(text()).nullish(),
  metadata: anyRecord().nullish(),
  truncation: oneOf(['auto', 'disabled']).nullish(),
  service_tier: text().nullish(),
  store: flag().nullish(),
  user: text().nullish(),
  prompt_cache_key: text().nullish(),
  safety_identifier: text().nullish(),
  /** Fallback models, which some upstreams accept: checked like `model`. */
  models: list(modelSchema).nullish(),
});

export type ResponsesOptions = z.output<typeof responsesOptionsSchema>;

/** With the input, whose items are checked one by one. */
const responsesRequestSchema = responsesOptionsSchema.extend({
  input: z.union([
    text(),
    list(
      z.union([
        messageSchema,
        functionCallSchema,
        functionOutputSchema,
        reasoningSchema,
        record({ type: text() }),
      ]),
    ),
  ]),
});

const typedItems = z.array(z.looseObject({ type: z.string() }));

const responseSchema = z.looseObject({
  id: z.string(),
  object: z.literal('response'),
  status: z.string(),
  model: z.string(),
  output: typedItems,
});

const compactedResponseSchema = z.looseObject({ output: typedItems });

/** Of all three endpoints. */
const common = {
  method: 'POST',
  tag: 'Generate',
  request: { ResponsesRequest: responsesRequestSchema },
} as const;

const generation = {
  protocol: 'responses',
  modelKind: 'language',
  knownFields: toKnownFields(`
    background client_metadata context_management conversation frequency_penalty image_config
    include input instructions max_output_tokens max_tool_calls modalities parallel_tool_calls
    presence_penalty previous_response_id prompt prompt_cache_options prompt_cache_retention
    reasoning seed stop stream_options text tool_choice tools top_logprobs truncation usage
  `),
} as const;

export const responsesEndpoint = {
  ...common,
  path: '/proxy/v1/responses',
  id: 'createResponse',
  summary: 'Create a response, like OpenAI’s Responses API',
  response: { Response: responseSchema },
  isStreamed: true,
  generation: { ...generation, name: 'responses' },
} as const satisfies Endpoint;

/** Only upstreams with Responses have it. */
export const inputTokensEndpoint = {
  ...common,
  path: '/proxy/v1/responses/input_tokens',
  id: 'countInputTokens',
  summary: 'Count the tokens of a Responses request, if the service behind the model can',
  response: { TokenCount: tokenCountSchema },
  generation: { ...generation, name: 'responses.input_tokens' },
} as const satisfies Endpoint;

/** Only upstreams with Responses have it. */
export const compactEndpoint = {
  ...common,
  path: '/proxy/v1/responses/compact',
  id: 'compactResponse',
  summary: 'Make a conversation shorter, if the service behind the model can',
  response: { CompactedResponse: compactedResponseSchema },
  generation: { ...generation, name: 'responses.compact' },
} as const satisfies Endpoint;
