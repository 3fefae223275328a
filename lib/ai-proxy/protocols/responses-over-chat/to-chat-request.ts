import type { JsonObject } from '../json/json-value.ts';
import type { ResponsesRequest } from '../responses/read-request.ts';
import type { ResponsesOptions } from '../responses/schema.ts';
import { toChatTools } from './chat-tools.ts';
import { toChatMessages } from './to-chat-messages.ts';

export type ToChatOptions = Readonly<{
  /** The upstream's name for the output token limit. */
  maxTokensField: 'max_completion_tokens' | 'max_tokens';
}>;

/** Fields that have the same name and meaning on both sides, also those of aggregators. */
const sharedFields = [
  ...['temperature', 'top_p', 'presence_penalty', 'frequency_penalty', 'service_tier', 'user'],
  ...['prompt_cache_key', 'safety_identifier', 'models', 'seed', 'stop', 'top_k', 'provider'],
  ...['cache_control'],
];

/**
 * Creates the request for an upstream with only Chat Completions. @throws ProxyError 400 for what
 * chat does not support, such as files by id.
 */
export function toChatRequest(
  request: ResponsesRequest,
  { maxTokensField }: ToChatOptions,
): JsonObject {
  const { options } = request;
  const tools = toChatTools(request);
  const sent: Record<string, unknown> = {
    model: request.model,
    messages: toChatMessages(request, tools),
  };
  for (const field of sharedFields) addSomething(sent, field, options[field]);
  addSomething(sent, maxTokensField, options.max_output_tokens);
  Object.assign(sent, tools.fields);
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

function toResponseFormat({ text }: ResponsesOptions): JsonObject | undefined {
  const format = text?.format;
  if (!format || format.type === 'text') return undefined;
  if (format.type !== 'json_schema') return { type: format.type };
  const schema: Record<string, unknown> = {};
  for (const field of ['name', 'description', 'schema', 'strict']) {
    addSomething(schema, field, format[field]);
  }
  return { type: 'json_schema', json_schema: schema };
}
