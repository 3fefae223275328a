import type { z } from 'zod';
import { type JsonObject, toJsonObject } from '#lib/http/json-value.ts';
import {
  check,
  noContainers,
  type Path,
  rejectFields,
  rejectStoredReferences,
  requireItems,
  unsupportedField,
} from '../json/check.ts';
import { rejectOtherApi, toDocumentedForm, toDocumentedMessage } from '../json/other-forms.ts';
import { type RequestFields, readCommonFields } from '../protocol.ts';
import { chatMessageSchema, chatRequestSchema } from './chat-endpoint.ts';

/** A validated Chat Completions request. */
type ChatRequest = RequestFields &
  Readonly<{
    model: string;
    /** Whether the client requested a usage chunk at the end of the stream, or the cost in any usage. */
    includeUsage: boolean;
    choices: number;
    /** The body for the upstream. A stream always requests usage. */
    sent: JsonObject;
    /** What the client has not sent itself. */
    added: readonly ['stream_options'] | readonly [];
  }>;

/** The shortest reply that is worth a call; some upstreams accept no smaller bound. */
export const replyTokensMin = 16;

/** All fields except the messages, which are checked one by one: the first invalid one ends the check. */
const optionsSchema = chatRequestSchema.omit({ messages: true });

/**
 * Reads a Chat Completions request. @throws HttpError 400 whose `param` is the first
 * invalid field.
 */
export function readChatRequest(received: JsonObject): ChatRequest {
  rejectOtherApi(received, 'messages');
  const body = toDocumentedForm(received, boundFields);
  const options = check(optionsSchema, body);
  rejectFields(body, statefulFields);
  rejectStoredReferences(options.tools, ['tools']);
  const messages = readMessages(body.messages);
  const common = readCommonFields(body, options);
  const { isStream, includesCost } = common;
  const streamOptions = options.stream_options;
  // The upstream's account is shared by all: nobody stores anything there.
  const { stream_options: _, store: __, usage: ___, ...others } = body;
  const bounds = toWholeBounds(options);
  const rest = { ...others, messages, ...bounds };
  const sent = isStream
    ? { ...rest, stream_options: { ...toJsonObject(streamOptions), include_usage: true } }
    : // Upstreams reject stream options without a stream.
      rest;
  return {
    ...common,
    includeUsage: isStream && (streamOptions?.include_usage === true || includesCost),
    outputTokensMax: toLargest(Object.values(bounds)),
    choices: options.n ?? 1,
    outputTokensMin: replyTokensMin,
    sent,
    added: isStream && !streamOptions ? ['stream_options'] : [],
  };
}

/** Upstreams take only whole numbers of tokens. */
function toWholeBounds({
  max_tokens: tokens,
  max_completion_tokens: completionTokens,
}: z.output<typeof optionsSchema>): Readonly<Record<string, number>> {
  return {
    ...(typeof tokens === 'number' && { max_tokens: tokens }),
    ...(typeof completionTokens === 'number' && { max_completion_tokens: completionTokens }),
  };
}

/** All keys share the upstream's account, so nobody may read what it stores. */
const statefulFields: Readonly<Record<string, string>> = {
  previous_response_id:
    'This server stores no responses: send the whole conversation in `messages`, without `previous_response_id`.',
  container: noContainers,
};

function rejectStored({ content, audio }: JsonObject, path: Path): void {
  rejectStoredReferences(content, [...path, 'content']);
  if (toJsonObject(audio).id === undefined) return;
  throw unsupportedField(
    [...path, 'audio', 'id'],
    'This server stores no sound: send what was said as the text of the message.',
  );
}

function readMessages(value: unknown): readonly JsonObject[] {
  return requireItems(value, 'messages', { noun: 'message' }).map((message, index) => {
    const path = ['messages', index];
    check(chatMessageSchema, message, path);
    rejectStored(toJsonObject(message), path);
    return toDocumentedMessage(toJsonObject(message));
  });
}

function toLargest(bounds: readonly number[]): number | null {
  return bounds.length === 0 ? null : Math.max(...bounds);
}

const boundFields = ['max_completion_tokens', 'max_tokens'] as const;

/** The bound of each reply that an upstream gets. */
export type ReplyBound = Readonly<{
  /** Null: as the client has set it, if it has. */
  outputTokensMax: number | null;
}>;

/** A chat request with this bound of its replies, in the field that the client has used, else in `max_tokens`. */
export function boundReply(sent: JsonObject, { outputTokensMax }: ReplyBound): JsonObject {
  if (outputTokensMax === null) return sent;
  const { max_tokens: _, max_completion_tokens: __, ...rest } = sent;
  const used = boundFields.filter((name) => typeof sent[name] === 'number');
  const names = used.length === 0 ? ['max_tokens'] : used;
  const toBound = (own: unknown) =>
    typeof own === 'number' ? Math.min(own, outputTokensMax) : outputTokensMax;
  return { ...rest, ...Object.fromEntries(names.map((name) => [name, toBound(sent[name])])) };
}

type ChatToolCall = Readonly<{
  id: string;
  type: 'function';
  function: Readonly<{ name: string; arguments: string }>;
}>;

export type Call = Readonly<{ id: string; name: string; arguments: string }>;

/** @param fields what only its upstream knows of the call, as that has sent it */
export function toToolCall(
  { id, name, arguments: text }: Call,
  { function: inner, ...fields }: JsonObject = {},
): ChatToolCall {
  const called = { ...toJsonObject(inner), name, arguments: text };
  return { ...fields, id, type: 'function', function: called };
}

export type ChatContent = string | readonly JsonObject[] | null;

/** An assistant message that may still grow: other protocols have its text and its calls in items of their own. */
export type AssistantMessage = {
  role: 'assistant';
  content: ChatContent;
  tool_calls?: ChatToolCall[];
  [reasoning: string]: unknown;
};

/** A message of a Chat Completions request. */
export type ChatMessage =
  | AssistantMessage
  | Readonly<{ role: 'system' | 'developer' | 'user'; content: ChatContent }>
  | Readonly<{ role: 'tool'; tool_call_id: string; content: ChatContent }>;

/** Content parts as a plain string where possible: many servers accept nothing else for some roles. */
export function toPlainContent(parts: readonly JsonObject[]): Exclude<ChatContent, null> {
  const [only, ...others] = parts;
  if (only === undefined) return '';
  const isPlain = others.length === 0 && typeof only.text === 'string' && !only.cache_control;
  return isPlain ? String(only.text) : parts;
}
