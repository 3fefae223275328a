import { createHash } from 'node:crypto';
import { type JsonObject, toJsonArray, withoutNulls } from '#lib/http/json-value.ts';
import { unsupportedField } from '../json/check.ts';
import type { MessagesRequest } from '../messages/read-request.ts';
import type { MessagesOptions } from '../messages/schema.ts';
import { toChatMessages } from './to-chat-messages.ts';
import { withSchema } from './typed-tools.ts';

/** Fields that have the same name and meaning on both sides, also those of aggregators. */
const sharedFields = [
  'model',
  'max_tokens',
  'temperature',
  'top_p',
  'top_k',
  'models',
  'provider',
  'seed',
  'cache_control',
] as const;

/**
 * Creates the request for an upstream with only Chat Completions. @throws HttpError 400 for what chat does
 * not support.
 */
export function toChatRequest(request: MessagesRequest): JsonObject {
  const { body, options, isStream } = request;
  rejectServers(body);
  return withoutNulls({
    ...Object.fromEntries(sharedFields.map((field) => [field, body[field]])),
    messages: toChatMessages(request),
    stop: options.stop_sequences?.length ? options.stop_sequences : undefined,
    user: toUser(options.metadata?.user_id),
    reasoning_effort: toReasoningEffort(options),
    response_format: toResponseFormat(options),
    ...toToolFields(options),
    ...(isStream && { stream: true, stream_options: { include_usage: true } }),
  });
}

function rejectServers({ mcp_servers: servers }: JsonObject): void {
  if (toJsonArray(servers).length === 0) return;
  throw unsupportedField(
    ['mcp_servers'],
    'The model’s server connects to no MCP servers: call their tools yourself, and list them in `tools`.',
  );
}

const userLengthMax = 64;

/** OpenAI takes no longer names of users: Claude Code's, which has 150 characters, becomes its hash. */
function toUser(id: string | null | undefined): string | null | undefined {
  if (!id || id.length <= userLengthMax) return id;
  return createHash('sha256').update(id).digest('hex');
}

/** Tools with a schema; those that run at an upstream are left out unless they are demanded. */
function toToolFields({ tools, tool_choice: choice }: MessagesOptions): JsonObject {
  const offered = (tools ?? [])
    .map((tool, index) => withSchema(tool, ['tools', index]))
    .filter((tool) => tool.input_schema !== undefined);
  if (choice?.type === 'tool' && !offered.some(({ name }) => name === choice.name)) {
    throw unsupportedField(
      ['tool_choice', 'name'],
      'The model’s server can only use tools from `tools` that have an `input_schema`.',
    );
  }
  if (choice?.type === 'any' && offered.length === 0) {
    throw unsupportedField(
      ['tool_choice'],
      'The model’s server can only use tools that have an `input_schema`, and `tools` has none.',
    );
  }
  if (offered.length === 0) return {};
  return {
    tools: offered.map(toChatTool),
    tool_choice: toToolChoice(choice),
    parallel_tool_calls: choice?.disable_parallel_tool_use === true ? false : undefined,
  };
}

function toChatTool(tool: JsonObject): JsonObject {
  const { name, description, input_schema: parameters, strict, cache_control } = tool;
  return withoutNulls({
    type: 'function',
    function: withoutNulls({ name, description, parameters, strict }),
    cache_control,
  });
}

function toToolChoice(choice: MessagesOptions['tool_choice']): unknown {
  switch (choice?.type) {
    case 'any':
      return 'required';
    case 'tool':
      return { type: 'function', function: { name: choice.name } };
    default:
      return choice?.type;
  }
}

function toResponseFormat({
  output_config: output,
  output_format: earlier,
}: MessagesOptions): JsonObject | undefined {
  const format = output?.format ?? earlier;
  if (!format) return undefined;
  const { type, schema } = format;
  if (type !== 'json_schema') {
    throw unsupportedField(
      output?.format ? ['output_config', 'format', 'type'] : ['output_format', 'type'],
      'The model’s server knows only the format `json_schema`: use that, or leave the format out.',
    );
  }
  return { type: 'json_schema', json_schema: { name: 'output', schema, strict: true } };
}

/** Chat has no token budget for thinking, only three common efforts. */
function toReasoningEffort({ thinking, output_config: output }: MessagesOptions): unknown {
  if (thinking?.type === 'disabled') return undefined;
  if (output?.effort) return output.effort;
  const budget = thinking?.type === 'enabled' ? thinking.budget_tokens : null;
  if (typeof budget !== 'number') return undefined;
  if (budget <= 2048) return 'low';
  return budget <= 8192 ? 'medium' : 'high';
}
