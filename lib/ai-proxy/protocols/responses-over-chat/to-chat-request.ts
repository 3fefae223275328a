import { type JsonObject, withoutNulls } from '#lib/http/json-value.ts';
import type { Origins } from '../chat/own-param.ts';
import { unsupportedField } from '../json/check.ts';
import { keepNumbers } from '../json/source-text.ts';
import type { ResponsesOptions } from '../responses/responses-endpoint.ts';
import type { ResponsesRequest } from '../responses/responses-request.ts';
import { toChatTools } from './chat-tools.ts';
import { type SentRequest, toChatMessages } from './to-chat-messages.ts';

/** Fields that have the same name and meaning on both sides, also those of aggregators. */
const sharedFields = [
  'temperature',
  'top_p',
  'presence_penalty',
  'frequency_penalty',
  'service_tier',
  'user',
  'prompt_cache_key',
  'safety_identifier',
  'metadata',
  'models',
  'seed',
  'stop',
  'top_k',
  'provider',
  'cache_control',
];

/**
 * Creates the request for an upstream with only Chat Completions. @throws HttpError 400 for what
 * chat does not support, such as files by id.
 */
export function toChatRequest(request: SentRequest): JsonObject {
  const { body, options, model, isStream } = request;
  rejectLogprobs(options);
  const tools = toChatTools(request);
  const sent = withoutNulls({
    model,
    messages: toChatMessages(request, tools).messages,
    ...Object.fromEntries(sharedFields.map((field) => [field, options[field]])),
    max_tokens: options.max_output_tokens,
    ...tools.fields,
    response_format: toResponseFormat(options),
    verbosity: options.text?.verbosity,
    reasoning_effort: options.reasoning?.effort,
    ...(isStream && { stream: true, stream_options: { include_usage: true } }),
  });
  return keepNumbers(body, sent);
}

/** Where the request has what the chat request was made of. */
export function toOrigins(request: ResponsesRequest): Origins {
  const tools = toChatTools(request);
  return {
    messages: toChatMessages(request, tools).paths,
    tools: tools.paths,
    schemaField: 'parameters',
    fields: {
      messages: ['input'],
      max_tokens: ['max_output_tokens'],
      max_completion_tokens: ['max_output_tokens'],
      response_format: ['text', 'format'],
      verbosity: ['text', 'verbosity'],
      reasoning_effort: ['reasoning', 'effort'],
      stream_options: null,
    },
  };
}

function rejectLogprobs({ top_logprobs: count, include }: ResponsesOptions): void {
  const isIncluded = include?.includes('message.output_text.logprobs') === true;
  if (!count && !isIncluded) return;
  throw unsupportedField(
    [count ? 'top_logprobs' : 'include'],
    'The model’s server gives no log probabilities in Responses: leave them out, or ask for them in Chat Completions.',
  );
}

function toResponseFormat({ text }: ResponsesOptions): JsonObject | undefined {
  const format = text?.format;
  if (!format || format.type === 'text') return undefined;
  if (format.type !== 'json_schema') return { type: format.type };
  const { name, description, schema, strict } = format;
  return {
    type: 'json_schema',
    json_schema: withoutNulls({ name, description, schema, strict }),
  };
}
