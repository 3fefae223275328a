import { unsupportedField } from '../json/check.ts';
import { type JsonObject, toJsonArray, toJsonObject } from '../json/json-value.ts';
import type { ResponsesRequest } from '../responses/read-request.ts';
import type { ResponsesOptions } from '../responses/schema.ts';
import { toChatMessages } from './to-chat-messages.ts';

export type ToChatOptions = Readonly<{
  /** The upstream's name for the output token limit. */
  maxTokensField: 'max_completion_tokens' | 'max_tokens';
}>;

/** Fields that have the same name and meaning on both sides. */
const sharedFields = [
  'temperature',
  'top_p',
  'presence_penalty',
  'frequency_penalty',
  'service_tier',
  'user',
  'prompt_cache_key',
  'safety_identifier',
  'models',
] as const;

/**
 * Creates the request for an upstream with only Chat Completions. @throws ProxyError 400 for what
 * chat does not support: tools other than functions, files by id.
 */
export function toChatRequest(
  request: ResponsesRequest,
  { maxTokensField }: ToChatOptions,
): JsonObject {
  const { options } = request;
  const sent: Record<string, unknown> = {
    model: request.model,
    messages: toChatMessages(request),
  };
  for (const field of sharedFields) addSomething(sent, field, options[field]);
  addSomething(sent, maxTokensField, options.max_output_tokens);
  Object.assign(sent, toToolFields(options));
  addSomething(sent, 'response_format', toResponseFormat(options));
  addSomething(sent, 'verbosity', options.text?.verbosity);
  addSomething(sent, 'reasoning_effort', options.reasoning?.effort);
  if (request.isStream) {
    sent.stream = true;
    sent.stream_options = { include_usage: true };
  }
  return sent;
}

function addSomething(sent: Record<string, unknown>, field: string, value: unknown): void {
  if (value !== undefined && value !== null) sent[field] = value;
}

function withoutNothing(fields: JsonObject): JsonObject {
  const sent: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(fields)) addSomething(sent, field, value);
  return sent;
}

/** Upstreams reject an empty list of tools, and the other two fields without one. */
function toToolFields(options: ResponsesOptions): JsonObject {
  const tools = (options.tools ?? []).map(toChatTool);
  const { choice, allowed } = toToolChoice(options.tool_choice);
  const offered = allowed === null ? tools : tools.filter(({ name }) => allowed.has(name));
  if (offered.length === 0) return {};
  return withoutNothing({
    tools: offered.map(({ tool }) => tool),
    tool_choice: choice,
    parallel_tool_calls: options.parallel_tool_calls,
  });
}

type NamedTool = Readonly<{ name: unknown; tool: JsonObject }>;

function toChatTool(tool: JsonObject, index: number): NamedTool {
  const { type, name, description, parameters, strict } = tool;
  if (type !== 'function') {
    throw unsupportedField(
      ['tools', index, 'type'],
      'The model’s server takes only tools of the type `function`: leave the others out.',
    );
  }
  return {
    name,
    tool: { type, function: withoutNothing({ name, description, parameters, strict }) },
  };
}

type ToolChoice = Readonly<{ choice: unknown; allowed: ReadonlySet<unknown> | null }>;

function toToolChoice(given: ResponsesOptions['tool_choice']): ToolChoice {
  if (typeof given !== 'object' || given === null) return { choice: given, allowed: null };
  if (given.type === 'function' && given.name !== undefined) {
    const choice = { type: 'function', function: { name: given.name } };
    return { choice, allowed: null };
  }
  if (given.type === 'allowed_tools') {
    // Few chat servers support this choice; offering only these tools has the same effect.
    const names = toJsonArray(given.tools).map((tool) => toJsonObject(tool).name);
    return { choice: given.mode ?? 'auto', allowed: new Set(names) };
  }
  throw unsupportedField(
    ['tool_choice'],
    'The model’s server takes `none`, `auto`, `required` or {"type": "function", "name": "…"} as `tool_choice`.',
  );
}

function toResponseFormat({ text }: ResponsesOptions): JsonObject | undefined {
  const format = text?.format;
  if (!format || format.type === 'text') return undefined;
  if (format.type !== 'json_schema') return { type: format.type };
  const { name, description, schema, strict } = format;
  return {
    type: 'json_schema',
    json_schema: withoutNothing({ name, description, schema, strict }),
  };
}
