import { createHash } from 'node:crypto';
import { type JsonObject, toJsonArray, toText, withoutNulls } from '#lib/http/json-value.ts';
import { toFunctionName, toFunctionTool } from '../chat/function-tool.ts';
import type { Origins } from '../chat/own-param.ts';
import { type Path, unsupportedField } from '../json/check.ts';
import { keepNumbers } from '../json/source-text.ts';
import type { MessagesRequest } from '../messages/read-request.ts';
import type { MessagesOptions } from '../messages/schema.ts';
import { type SentRequest, toChatMessages } from './to-chat-messages.ts';
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
export function toChatRequest(request: SentRequest): JsonObject {
  const { body, options, isStream } = request;
  rejectServers(body);
  const sent = withoutNulls({
    ...Object.fromEntries(sharedFields.map((field) => [field, body[field]])),
    messages: toChatMessages(request).map(({ message }) => message),
    stop: options.stop_sequences?.length ? options.stop_sequences : undefined,
    user: toUser(options.metadata?.user_id),
    reasoning_effort: toReasoningEffort(options),
    response_format: toResponseFormat(options),
    ...toToolFields(options),
    ...(isStream && { stream: true, stream_options: { include_usage: true } }),
  });
  return keepNumbers(body, sent);
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

/** Where the request has what the chat request was made of. */
export function toOrigins(request: MessagesRequest): Origins {
  const { output_config: output, thinking } = request.options;
  return {
    messages: toChatMessages(request).map(({ path }) => path),
    tools: toOffered(request.options).map(({ path }) => path),
    schemaField: 'input_schema',
    fields: {
      max_completion_tokens: ['max_tokens'],
      stop: ['stop_sequences'],
      user: ['metadata', 'user_id'],
      reasoning_effort:
        output?.effort || !thinking ? ['output_config', 'effort'] : ['thinking', 'budget_tokens'],
      response_format: output?.format ? ['output_config', 'format'] : ['output_format'],
      parallel_tool_calls: ['tool_choice', 'disable_parallel_tool_use'],
      stream_options: null,
    },
  };
}

/** Tools with a schema; those that run at an upstream are left out unless they are demanded. */
function toOffered({
  tools,
}: MessagesOptions): readonly Readonly<{ tool: JsonObject; path: Path }>[] {
  return (tools ?? [])
    .map((tool, index) => {
      const path = ['tools', index];
      return { tool: withSchema(tool, path), path };
    })
    .filter(({ tool }) => tool.input_schema !== undefined);
}

function toToolFields(options: MessagesOptions): JsonObject {
  const { tool_choice: choice } = options;
  const offered = toOffered(options).map(({ tool }) => tool);
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
  const sentName = toFunctionName(toText(name));
  return toFunctionTool({ name: sentName, description, parameters, strict }, cache_control);
}

/** The name that a client has given to a function of the chat request. */
export function toToolName(sentName: string, { tools }: MessagesOptions): string {
  return (
    tools?.map(({ name }) => name ?? '').find((name) => toFunctionName(name) === sentName) ??
    sentName
  );
}

function toToolChoice(choice: MessagesOptions['tool_choice']): unknown {
  switch (choice?.type) {
    case 'any':
      return 'required';
    case 'tool':
      return { type: 'function', function: { name: toFunctionName(choice.name ?? '') } };
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
