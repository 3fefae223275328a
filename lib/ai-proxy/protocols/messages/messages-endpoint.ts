import { z } from 'zod';
import { toJsonArray, toJsonObject, toText } from '#lib/http/json-value.ts';
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

/** Requests of Anthropic’s Messages API. Unknown fields are forwarded. */

const source = record(
  { type: text(), data: text().nullish(), url: text('a URL as a string').nullish() },
  'an object with a `type`, such as `base64` or `url`',
);

const textBlock = record({ type: z.literal('text'), text: text() });
const imageBlock = record({ type: z.literal('image'), source });
const documentBlock = record({ type: z.literal('document'), source, title: text().nullish() });

const resultBlock = z.union(
  [
    taggedBy({ tag: 'type', choices: ['text', 'image', 'document'], what: 'a content block' }, [
      textBlock,
      imageBlock,
      documentBlock,
    ]),
    record({ type: otherThan(['text', 'image', 'document']) }),
  ],
  { error: 'a content block: an object with a `type`' },
);

const toolResultBlock = record({
  type: z.literal('tool_result'),
  tool_use_id: text(),
  content: z
    .union([text(), list(resultBlock)], { error: 'a string or an array of content blocks' })
    .nullish(),
  is_error: flag().nullish(),
});

const toolUseBlock = record({
  type: z.literal('tool_use'),
  id: text(),
  name: text(),
  input: anyRecord(),
});

const thinkingBlock = record({
  type: z.literal('thinking'),
  thinking: text(),
  signature: text().nullish(),
});

const documentedBlocks = ['text', 'image', 'document', 'tool_use', 'tool_result', 'thinking'];

/** Whether a conversation has blocks that not every server of Messages knows, such as a picture as the result of a tool. */
export function hasOtherBlocks(messages: readonly MessageParam[]): boolean {
  return messages.some(({ content }) =>
    toJsonArray(content)
      .map(toJsonObject)
      .some(
        (block) =>
          !documentedBlocks.includes(toText(block.type)) ||
          toJsonArray(block.content).some((part) => toJsonObject(part).type !== 'text'),
      ),
  );
}

const blockSchema = z.union(
  [
    taggedBy({ tag: 'type', choices: documentedBlocks, what: 'a content block' }, [
      textBlock,
      imageBlock,
      documentBlock,
      toolUseBlock,
      toolResultBlock,
      thinkingBlock,
    ]),
    // Of tools that run at the upstream, and of later versions: forwarded as they are.
    record({ type: otherThan(documentedBlocks) }),
  ],
  { error: 'a content block: an object with a `type`' },
);

/** Some clients send instructions in mid-conversation, as the role `system`. */
export const messageSchema = record(
  {
    role: oneOf(['user', 'assistant', 'system']),
    content: z.union([text(), list(blockSchema)], {
      error: 'a string or an array of content blocks',
    }),
  },
  'a message: an object with `role` and `content`',
);

export type MessageParam = z.output<typeof messageSchema>;

const customTool = record({
  type: z.literal('custom').nullish(),
  name: text(),
  description: text().nullish(),
  input_schema: anyRecord('a JSON schema'),
});

const otherTool = record({
  type: otherThan(['custom']),
  name: text().nullish(),
});

const toolChoice = record(
  {
    type: oneOf(['auto', 'any', 'tool', 'none']),
    name: text().nullish(),
    disable_parallel_tool_use: flag().nullish(),
  },
  'an object with a `type`: `auto`, `any`, `tool` or `none`',
);

const outputFormat = record({ type: text(), schema: anyRecord('a JSON schema').nullish() });

/** All fields except the messages, which are checked one by one: the first invalid one ends the check. */
export const messagesOptionsSchema = record({
  model: modelSchema,
  max_tokens: wholeNumber(1),
  system: z
    .union([text(), list(textBlock)], { error: 'a string or an array of text blocks' })
    .nullish(),
  stream: flag().nullish(),
  usage: usageOption,
  temperature: numberBetween(0, 1).nullish(),
  top_p: numberBetween(0, 1).nullish(),
  top_k: wholeNumber(0).nullish(),
  stop_sequences: list(text()).nullish(),
  tools: list(
    z.union([customTool, otherTool], {
      error: 'a tool: an object with a `name` and an `input_schema`',
    }),
  ).nullish(),
  tool_choice: toolChoice.nullish(),
  thinking: record({ type: text(), budget_tokens: wholeNumber(1).nullish() }).nullish(),
  output_config: record({ effort: text().nullish(), format: outputFormat.nullish() }).nullish(),
  /** Its earlier name. */
  output_format: outputFormat.nullish(),
  metadata: record({ user_id: text().nullish() }).nullish(),
  /** Fallback models, which some upstreams accept: checked like `model`. */
  models: list(modelSchema).nullish(),
});

/** To count tokens, nothing is generated. */
export const countTokensOptionsSchema = messagesOptionsSchema.omit({ max_tokens: true });

export type MessagesOptions = z.output<typeof countTokensOptionsSchema>;

const messagesRequestSchema = messagesOptionsSchema.extend({ messages: list(messageSchema) });

const countTokensRequestSchema = countTokensOptionsSchema.extend({ messages: list(messageSchema) });

const messageResponseSchema = z.looseObject({
  id: z.string(),
  type: z.literal('message'),
  role: z.literal('assistant'),
  model: z.string(),
  content: z.array(z.looseObject({ type: z.string() })),
  stop_reason: z.string().nullable(),
});

/** Of both endpoints. */
const common = { method: 'POST', tag: 'Generate', errors: 'messages' } as const;

const generation = {
  protocol: 'messages',
  modelKind: 'language',
  knownFields: toKnownFields(`
    betas container context_management inference_geo max_tokens mcp_servers messages output_config
    output_format speed stop_sequences system thinking thread tool_choice tools usage
  `),
} as const;

export const messagesEndpoint = {
  ...common,
  path: '/proxy/v1/messages',
  id: 'createMessage',
  summary: 'Create a message, like Anthropic’s Messages API',
  request: { MessagesRequest: messagesRequestSchema },
  response: { Message: messageResponseSchema },
  isStreamed: true,
  generation: { ...generation, name: 'messages' },
} as const satisfies Endpoint;

export const countTokensEndpoint = {
  ...common,
  path: '/proxy/v1/messages/count_tokens',
  id: 'countMessageTokens',
  summary: 'Count the tokens of a prompt',
  request: { CountTokensRequest: countTokensRequestSchema },
  response: { TokenCount: tokenCountSchema },
  generation: { ...generation, name: 'messages.count_tokens' },
} as const satisfies Endpoint;
