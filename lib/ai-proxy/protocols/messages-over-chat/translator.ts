import { type JsonObject, toText } from '#lib/http/json-value.ts';
import { toEstimatedUsage } from '#lib/spend/usage/token-usage.ts';
import { toMessagesUsage } from '#lib/spend/usage/write-usage.ts';
import type { StreamRelay } from '../../stream/stream-relay.ts';
import {
  type ItemWriter,
  type ReplyItem,
  readArguments,
  toItemText,
} from '../chat/item-sequence.ts';
import { createReplyRelay, type Reply, type ReplyWriter, toReply } from '../chat/read-reply.ts';
import type { ReplyItemsOptions } from '../chat/reply-items.ts';
import type { MessagesRequest } from '../messages/messages-request.ts';
import { noIndex } from '../messages/own-reasoning.ts';
import {
  createMessageObject,
  toMessagesFailure,
  toMessagesFrame,
  toMessagesTextFrame,
} from '../messages/writer.ts';
import { type FailedResult, mapResult, type Result } from '../read-result.ts';
import type { ReasoningMark } from '../reasoning-mark.ts';
import { toToolName } from './to-chat-request.ts';

type MessagesTranslatorOptions = Readonly<{
  /** Of the message. */
  id: string;
  /** Creates an id with a prefix: `toolu_…`. */
  newId: (prefix: 'toolu') => string;
  reasoning: ReasoningMark;
}>;

/** Translates a chat stream to the Messages stream of a request. */
export function createMessagesTranslator(
  request: MessagesRequest,
  options: MessagesTranslatorOptions,
): StreamRelay {
  return createReplyRelay(request.promptTokensEstimate, createMessagesWriter(request, options));
}

/** Converts a chat result to the message that answers a request. */
export function toMessage(
  read: Result | FailedResult,
  request: MessagesRequest,
  { id, ...options }: MessagesTranslatorOptions,
): Result | FailedResult {
  return mapResult(read, ({ result, usage }) => {
    const reply = toReply(result, toItemsOptions(request, options));
    return createMessageObject({
      id,
      model: toText(result.model),
      content: reply.items.opened.map((item) => toBlock(item, request)),
      ...toStop(reply, request),
      usage,
    });
  });
}

function createMessagesWriter(
  request: MessagesRequest,
  { id, ...options }: MessagesTranslatorOptions,
): ReplyWriter {
  return {
    id,
    items: createBlockWriter(request),
    ...toItemsOptions(request, options),
    begin(model) {
      const message = createMessageObject({
        id,
        model: model || request.model,
        content: [],
        stopReason: null,
        stopSequence: null,
        // The count comes with the end of the stream; clients then replace this one.
        usage: toEstimatedUsage(request.promptTokensEstimate, 0),
      });
      return toMessagesFrame('message_start', { message }) + toMessagesFrame('ping');
    },
    complete(reply, usage) {
      const { stopReason, stopSequence } = toStop(reply, request);
      const delta = { stop_reason: stopReason, stop_sequence: stopSequence };
      return (
        toMessagesFrame('message_delta', { delta, usage: toMessagesUsage(usage) }) +
        toMessagesFrame('message_stop')
      );
    },
    writeFailure: toMessagesFailure,
  };
}

/** Clients that have not turned thinking on take the first block for the text. */
function toItemsOptions(
  { options: { thinking } }: MessagesRequest,
  { newId, reasoning }: Omit<MessagesTranslatorOptions, 'id'>,
): ReplyItemsOptions {
  const isOn = (thinking ?? null) !== null && thinking?.type !== 'disabled';
  return { showsReasoning: isOn, newCallId: () => newId('toolu'), reasoning };
}

/** The type of the delta that has a piece of an item, and the field of the piece. */
const textDeltas: Readonly<Record<ReplyItem['kind'], readonly [type: string, field: string]>> = {
  message: ['text_delta', 'text'],
  reasoning: ['thinking_delta', 'thinking'],
  call: ['input_json_delta', 'partial_json'],
};

/** The content blocks of a streamed reply. There is no place for refusals but text and the stop reason. */
function createBlockWriter(request: MessagesRequest): ItemWriter {
  const deltaOf = ({ index }: ReplyItem, delta: object) =>
    toMessagesFrame('content_block_delta', { index, delta });
  return {
    open(item) {
      const block = toEmptyBlock(item, request);
      return toMessagesFrame('content_block_start', { index: item.index, content_block: block });
    },
    write({ index, kind }, text) {
      const [type, field] = textDeltas[kind];
      const delta = `{"type":"${type}","${field}":${JSON.stringify(text)}}`;
      return toMessagesTextFrame('content_block_delta', `"index":${index},"delta":${delta}`);
    },
    close(item) {
      const citations = toCitations(item).map((citation) =>
        deltaOf(item, { type: 'citations_delta', citation }),
      );
      const signature = item.reasoning.toToken();
      const signing =
        item.kind === 'reasoning' ? deltaOf(item, { type: 'signature_delta', signature }) : '';
      return (
        citations.join('') + signing + toMessagesFrame('content_block_stop', { index: item.index })
      );
    },
  };
}

function toEmptyBlock(item: ReplyItem, request: MessagesRequest): JsonObject {
  if (item.kind === 'call') return toToolUse(item, {}, request);
  return item.kind === 'message'
    ? { type: 'text', text: '' }
    : { type: 'thinking', thinking: '', signature: '' };
}

function toToolUse(
  { callId, name, reasoning }: ReplyItem,
  input: JsonObject,
  { options }: MessagesRequest,
): JsonObject {
  const id = reasoning.toMarkedId(callId);
  return { type: 'tool_use', id, name: toToolName(name, options), input };
}

function toBlock(item: ReplyItem, request: MessagesRequest): JsonObject {
  const { kind, reasoning } = item;
  if (kind === 'message') {
    const citations = toCitations(item);
    return { type: 'text', text: toItemText(item), ...(citations.length > 0 && { citations }) };
  }
  if (kind === 'reasoning') {
    return { type: 'thinking', thinking: reasoning.toText(), signature: reasoning.toToken() };
  }
  // A call that was cut off has no valid arguments; the stop reason says so.
  return toToolUse(item, readArguments(item) ?? {}, request);
}

/** As those of a search of the web, but for the index by which Anthropic finds its own source again. */
function toCitations({ citations }: ReplyItem): readonly JsonObject[] {
  return citations.map(({ url, title, quote }) => ({
    type: 'web_search_result_location',
    url,
    title,
    cited_text: quote,
    encrypted_index: noIndex,
  }));
}

type Stop = Readonly<{ stopReason: string; stopSequence: string | null }>;

/** Why a reply ended, in terms of Messages. */
function toStop({ reason, items, choice }: Reply, { options }: MessagesRequest): Stop {
  if (reason === 'length') return { stopReason: 'max_tokens', stopSequence: null };
  if (reason === 'content_filter') return { stopReason: 'refusal', stopSequence: null };
  // Some servers end a reply of calls with `stop`.
  if (items.hasCalls) return { stopReason: 'tool_use', stopSequence: null };
  // Some servers say which stop sequence they met.
  const met = [choice.stop_reason, choice.matched_stop, choice.native_finish_reason];
  const stopSequence = options.stop_sequences?.find((sequence) => met.includes(sequence)) ?? null;
  return { stopReason: stopSequence === null ? 'end_turn' : 'stop_sequence', stopSequence };
}
