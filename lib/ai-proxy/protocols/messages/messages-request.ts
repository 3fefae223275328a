import { HttpError } from '#lib/http/errors/errors.ts';
import { type JsonObject, toJsonArray, toJsonObject } from '#lib/http/json-value.ts';
import type { TargetQuirks } from '../../quirks/quirk.ts';
import { changeRequest } from '../../quirks/quirks.ts';
import { replyTokensMin } from '../chat/chat-request.ts';
import {
  check,
  noContainers,
  type Path,
  rejectFields,
  rejectStoredReference,
  rejectStoredReferences,
  requireItems,
  unsupportedField,
  visitObjects,
} from '../json/check.ts';
import { isEndless, rejectOtherApi, tokensMax } from '../json/other-forms.ts';
import { writeJson } from '../json/source-text.ts';
import { type RequestFields, readCommonFields } from '../protocol.ts';
import type { ReasoningMark } from '../reasoning-mark.ts';
import {
  countTokensOptionsSchema,
  hasOtherBlocks,
  type MessageParam,
  type MessagesOptions,
  messageSchema,
  messagesOptionsSchema,
} from './messages-endpoint.ts';
import { countThinking, findNewestMark, toOwnMessage } from './own-reasoning.ts';

/** A validated Messages request. */
export type MessagesRequest = RequestFields &
  Readonly<{
    model: string;
    options: MessagesOptions;
    messages: readonly MessageParam[];
    /** Whether it has tools that are no functions. */
    hasOtherTools: boolean;
    /** Whether it has tools or blocks that not every server of Messages knows. */
    hasOtherTypes: boolean;
    /** The validated body, for an upstream that has Messages. */
    body: JsonObject;
  }>;

/** @throws HttpError 400 whose `param` is the first invalid field. */
export function readMessagesRequest(received: JsonObject): MessagesRequest {
  rejectOtherApi(received, 'messages');
  const isUnbound = isEndless(received.max_tokens);
  const body = isUnbound ? { ...received, max_tokens: tokensMax } : received;
  const options = check(messagesOptionsSchema, body);
  return {
    ...readCommon(body, options),
    outputTokensMax: isUnbound ? null : options.max_tokens,
  };
}

/** Reads a request to count the tokens of a prompt. @throws HttpError 400 */
export function readCountTokensRequest(body: JsonObject): MessagesRequest {
  rejectOtherApi(body, 'messages');
  const { stream: _, ...options } = check(countTokensOptionsSchema, body);
  return { ...readCommon(body, options), outputTokensMax: null };
}

function readCommon(
  body: JsonObject,
  options: MessagesOptions,
): Omit<MessagesRequest, 'outputTokensMax'> {
  rejectState(body);
  rejectStoredReferences(options.tools, ['tools']);
  rejectStoredReferences(options.system, ['system']);
  const messages = readMessages(body.messages);
  const hasOtherTools = (options.tools ?? []).some(({ type }) => (type ?? 'custom') !== 'custom');
  return {
    ...readCommonFields(body, options),
    outputTokensMin: Math.max(replyTokensMin, (options.thinking?.budget_tokens ?? 0) + 1),
    options,
    messages,
    hasOtherTools,
    hasOtherTypes: hasOtherTools || hasOtherBlocks(messages),
    reasoningMark: findNewestMark(toJsonArray(body.messages)),
    body,
  };
}

function readMessages(value: unknown): readonly MessageParam[] {
  return requireItems(value, 'messages', { noun: 'message' }).map((message, index) => {
    const path = ['messages', index];
    const read = check(messageSchema, message, path);
    const { content } = toJsonObject(message);
    visitObjects(content, [...path, 'content'], rejectStoredContent);
    return read;
  });
}

/** All keys share the upstream’s account, so nobody may read what it stores. */
function rejectState({ container, thread }: JsonObject): void {
  if ((thread ?? null) !== null) {
    throw new HttpError(400, {
      code: 'unsupported_parameter',
      param: 'thread',
      message: 'This server stores no threads: send the whole conversation, without `thread`.',
      // Anthropic’s SDK then does so by itself.
      details: { error_code: 'thread_unsupported_request', unsupported: ['thread'] },
    });
  }
  rejectFields({ container }, { container: noContainers });
}

function rejectStoredContent(block: JsonObject, path: Path): void {
  const isUpload = block.type === 'container_upload';
  if (isUpload || toJsonObject(block.source).type === 'file') {
    throw unsupportedField(
      isUpload ? path : [...path, 'source'],
      'This server stores no files: send the content itself, as a `base64` or `url` source.',
    );
  }
  rejectStoredReference(block, path);
}

type Replaced = Readonly<{
  model: string;
  /** The bound of the reply; null: the client's. */
  outputTokensMax: number | null;
  reasoning: ReasoningMark;
  quirks: TargetQuirks;
}>;

/** The body for an upstream that has Messages. */
export function toNativeBody(
  { body, options }: MessagesRequest,
  { model, outputTokensMax, reasoning, quirks }: Replaced,
): string {
  // The upstream's account is shared by all: nobody stores anything there.
  const { store: _, usage: __, ...rest } = body;
  const received = toJsonArray(body.messages).map(toJsonObject);
  const own = { ...rest, messages: received.map((message) => toOwnMessage(message, reasoning)) };
  const changed = changeRequest(own, { dialect: 'messages' }, quirks);
  const sent = toJsonArray(changed.messages).map(toJsonObject);
  return writeJson({
    ...withoutBareThinking(changed, countLastThinking(received) > countLastThinking(sent)),
    messages: sent.filter(({ content }) => !Array.isArray(content) || content.length > 0),
    model,
    max_tokens: outputTokensMax ?? options.max_tokens,
  });
}

function countLastThinking(messages: readonly JsonObject[]): number {
  return countThinking(messages.findLast(({ role }) => role === 'assistant'));
}

/** With a fixed budget of thinking, the last reply would have to begin with a block of it. @param isBare it has lost that */
function withoutBareThinking(body: JsonObject, isBare: boolean): JsonObject {
  const { thinking, context_management: _, ...rest } = body;
  return isBare && toJsonObject(thinking).type === 'enabled' ? rest : body;
}
