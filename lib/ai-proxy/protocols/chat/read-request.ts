import type { z } from 'zod';
import { type JsonObject, toJsonArray, toJsonObject } from '#lib/http/json-value.ts';
import { estimateRequestTokens } from '#lib/spend/usage/estimate-tokens.ts';
import { badField, check } from '../json/check.ts';
import { chatMessageSchema, chatMessagesMax, chatRequestSchema } from './schema.ts';

/** A validated Chat Completions request. */
export type ChatRequest = Readonly<{
  model: string;
  /** All models that may reply, `model` first: the key must allow each. */
  models: readonly string[];
  isStream: boolean;
  /** Whether the client requested a usage chunk at the end of the stream. */
  includeUsage: boolean;
  /** The most tokens of each choice; null if the client set no limit. */
  outputTokensMax: number | null;
  choices: number;
  promptTokensEstimate: number;
  /** The body for the upstream. A stream always requests usage. */
  sent: JsonObject;
}>;

/** All fields except the messages, which are checked one by one: the first invalid one ends the check. */
const optionsSchema = chatRequestSchema.omit({ messages: true });

/**
 * Reads a Chat Completions request. @throws HttpError 400 whose `param` is the first
 * invalid field.
 */
export function readChatRequest(given: JsonObject): ChatRequest {
  const options = check(optionsSchema, given);
  checkMessages(given.messages);
  const isStream = options.stream === true;
  const streamOptions = options.stream_options;
  const { stream_options: _, ...others } = given;
  const rest = { ...others, ...toWholeBounds(options) };
  const sent = isStream
    ? { ...rest, stream_options: { ...toJsonObject(streamOptions), include_usage: true } }
    : // Upstreams reject stream options without a stream.
      rest;
  return {
    model: options.model,
    models: [options.model, ...(options.models ?? [])],
    isStream,
    includeUsage:
      isStream && (streamOptions?.include_usage === true || options.usage?.include === true),
    outputTokensMax: toOutputTokensMax(options),
    choices: options.n ?? 1,
    promptTokensEstimate: estimateRequestTokens(given),
    sent,
  };
}

/** Upstreams take only whole numbers of tokens. */
function toWholeBounds({
  max_tokens: tokens,
  max_completion_tokens: completionTokens,
}: z.output<typeof optionsSchema>): JsonObject {
  return {
    ...(typeof tokens === 'number' && { max_tokens: tokens }),
    ...(typeof completionTokens === 'number' && { max_completion_tokens: completionTokens }),
  };
}

function checkMessages(value: unknown): void {
  const messages = toJsonArray(value);
  const path = ['messages'];
  if (value === undefined || !Array.isArray(value)) {
    throw badField(path, 'an array of messages', value === undefined);
  }
  if (messages.length === 0) throw badField(path, 'an array of at least one message');
  if (messages.length > chatMessagesMax) {
    throw badField(path, `an array of at most ${chatMessagesMax} messages`);
  }
  for (const [index, message] of messages.entries()) {
    check(chatMessageSchema, message, ['messages', index]);
  }
}

function toOutputTokensMax(options: z.output<typeof optionsSchema>): number | null {
  const bounds = [options.max_tokens, options.max_completion_tokens].filter(
    (bound) => typeof bound === 'number',
  );
  return bounds.length === 0 ? null : Math.max(...bounds);
}

const boundFields = ['max_completion_tokens', 'max_tokens'] as const;

/**
 * A chat request with a smaller bound than the client's own, in the field that the client used. Null:
 * as the client set it.
 */
export function boundReply(sent: JsonObject, outputTokensMax: number | null): JsonObject {
  if (outputTokensMax === null) return sent;
  const given = boundFields.filter((field) => typeof sent[field] === 'number');
  const fields = given.length === 0 ? (['max_tokens'] as const) : given;
  const bounds = fields.map((field) => [field, toSmaller(sent[field], outputTokensMax)]);
  return { ...sent, ...Object.fromEntries(bounds) };
}

function toSmaller(given: unknown, outputTokensMax: number): number {
  return typeof given === 'number' ? Math.min(given, outputTokensMax) : outputTokensMax;
}
