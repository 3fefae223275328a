import { type JsonObject, toJsonArray, toText } from '#lib/http/json-value.ts';
import type { TargetQuirks } from '../../quirks/quirk.ts';
import { changeRequest, type Sent } from '../../quirks/quirks.ts';
import { encryptedReasoning } from '../../quirks/thinking.ts';
import { replyTokensMin } from '../chat/chat-request.ts';
import { isReasoningToken } from '../chat/reasoning.ts';
import { check, rejectFields, rejectStoredReferences, unsupportedField } from '../json/check.ts';
import { rejectOtherApi, toDocumentedForm } from '../json/other-forms.ts';
import { writeJson } from '../json/source-text.ts';
import { type RequestFields, readCommonFields } from '../protocol.ts';
import { findMark, type ReasoningMark, toOwnReasoning } from '../reasoning-mark.ts';
import {
  type InputItem,
  isEncrypted,
  readInput,
  unreadablePart,
  unreadableText,
} from './read-input.ts';
import { type ResponsesOptions, responsesOptionsSchema } from './responses-endpoint.ts';

/** A validated Responses request. */
export type ResponsesRequest = RequestFields &
  Readonly<{
    model: string;
    options: ResponsesOptions;
    input: readonly InputItem[];
    /** Whether it has tools that are no functions. */
    hasOtherTools: boolean;
    /** Whether it has what not every server of Responses knows: tools that are no functions, items of them, other results than texts. */
    hasOtherTypes: boolean;
    /** The validated body, for an upstream that supports Responses: see `toNativeBody`. */
    body: JsonObject;
  }>;

/**
 * Reads a Responses request. @throws HttpError 400 whose `param` is the first invalid
 * field; `unsupported_parameter` for what needs a server that stores conversations.
 */
export function readResponsesRequest(received: JsonObject): ResponsesRequest {
  rejectOtherApi(received, 'input');
  const body = toDocumentedForm(received, ['max_output_tokens']);
  rejectState(body);
  const options = check(responsesOptionsSchema, body);
  rejectStoredReferences(options.tools, ['tools']);
  const input = readInput(body.input);
  const hasOtherTools = (options.tools ?? []).some(({ type }) => type !== 'function');
  return {
    ...readCommonFields(body, options),
    outputTokensMax: options.max_output_tokens ?? null,
    outputTokensMin: replyTokensMin,
    options,
    input,
    hasOtherTools,
    hasOtherTypes: hasOtherTools || input.some(isOther),
    reasoningMark: input.flatMap(toTokens).map(findMark).findLast(isMark) ?? null,
    body,
  };
}

function isOther(item: InputItem): boolean {
  if (item.kind !== 'function_call_output') return item.kind === 'hosted';
  return typeof item.output !== 'string' && item.output.some(({ type }) => type !== 'input_text');
}

function toTokens({ sent }: InputItem): readonly unknown[] {
  const parts = toEncryptedParts(sent).map((part) => part.encrypted_content);
  return [sent.encrypted_content, ...parts];
}

/** Of a message between agents. */
function toEncryptedParts({ type, content }: JsonObject): readonly JsonObject[] {
  return type === 'agent_message' ? toJsonArray(content).filter(isEncrypted) : [];
}

function isMark(mark: string | null): mark is string {
  return mark !== null;
}

type Replaced = Readonly<{
  model: string;
  /** The bound of the reply; null: as the client has set it. */
  outputTokensMax: number | null;
  /** The same for tool calls. */
  toolCallsMax: number | null;
  reasoning: ReasoningMark;
  quirks: TargetQuirks;
  sent: Sent;
}>;

/** A client that would find its reasoning stored elsewhere has to send it back here, so it must get it. */
export function toAddedFields({ options: { store }, body }: ResponsesRequest) {
  const isMissing = store !== false && !toJsonArray(body.include).includes(encryptedReasoning);
  return isMissing ? (['encrypted_reasoning'] as const) : [];
}

/** The body for an upstream that supports Responses, with its own id of the model and `store: false`. */
export function toNativeBody(
  request: ResponsesRequest,
  { outputTokensMax, toolCallsMax, quirks, sent, ...target }: Replaced,
): string {
  const include = [...toJsonArray(request.body.include), encryptedReasoning];
  const body = {
    ...toStatelessBody(request, target),
    ...(sent.added?.includes('encrypted_reasoning') && { include }),
    ...(outputTokensMax !== null && { max_output_tokens: outputTokensMax }),
    ...(toolCallsMax !== null && { max_tool_calls: toolCallsMax }),
    store: false,
  };
  return writeJson(changeRequest(body, sent, quirks));
}

/** The body without what only a server that stores conversations could read. */
export function toStatelessBody(
  { body, input }: ResponsesRequest,
  { model, reasoning }: Pick<Replaced, 'model' | 'reasoning'>,
): JsonObject {
  const { usage: _, ...rest } = body;
  const isText = typeof body.input === 'string';
  const sentInput = isText ? body.input : toSentItems(input, reasoning);
  const store = (body.store ?? null) === null ? {} : { store: false };
  return { ...rest, ...store, model, input: sentInput };
}

function toSentItems(input: readonly InputItem[], reasoning: ReasoningMark): JsonObject[] {
  const items = input.map((item) => toSentItem(item, reasoning));
  const sent = items.filter((item) => item !== null).map(withoutEmptyId);
  // The upstream would miss the reasoning that led to a call which it knows by its id.
  return sent.length === items.length ? sent : sent.map(withoutCallId);
}

function withoutCallId(item: JsonObject): JsonObject {
  const isCall = item.type === 'function_call' || item.type === 'custom_tool_call';
  return isCall ? withoutId(item) : item;
}

/** Clients that know an item by its content alone write one, and only some servers take it. */
function withoutEmptyId(item: JsonObject): JsonObject {
  return item.id === '' ? withoutId(item) : item;
}

function withoutId({ id: _, ...rest }: JsonObject): JsonObject {
  return rest;
}

/**
 * Reasoning with only an id, of a translated reply, or of another upstream is meaningless to the upstream: null. So is any
 * other item that it cannot decrypt, but for the sign that a conversation was compacted.
 */
function toSentItem({ kind, sent }: InputItem, reasoning: ReasoningMark): JsonObject | null {
  const { encrypted_content: encrypted, content } = sent;
  if (typeof encrypted !== 'string' || encrypted === '') {
    if (toEncryptedParts(sent).length > 0) return withOwnParts(sent, reasoning);
    const isReadable = Array.isArray(content) && reasoning.isLeftOut !== true;
    return kind !== 'reasoning' || isReadable ? sent : null;
  }
  const own = toOwnReasoning(encrypted, reasoning);
  if (own === null && isCompaction(sent.type)) return toUnreadable();
  if (kind !== 'reasoning') return own === null ? null : { ...sent, encrypted_content: own };
  if (own === null || isReasoningToken(encrypted)) return null;
  return own === encrypted ? sent : { ...sent, encrypted_content: own };
}

function withOwnParts(item: JsonObject, reasoning: ReasoningMark): JsonObject {
  const content = toJsonArray(item.content).map((part) => {
    if (!isEncrypted(part)) return part;
    const own = toOwnReasoning(toText(part.encrypted_content), reasoning);
    return own === null ? unreadablePart : { ...part, encrypted_content: own };
  });
  return { ...item, content };
}

function isCompaction(type: unknown): boolean {
  return type === 'compaction' || type === 'context_compaction';
}

function toUnreadable(): JsonObject {
  const content = [{ type: 'input_text', text: unreadableText }];
  return { type: 'message', role: 'system', content };
}

const statefulFields: Readonly<Record<string, string>> = {
  previous_response_id:
    'This server stores no responses: send the whole conversation in `input`, without `previous_response_id`.',
  conversation:
    'This server stores no conversations: send all turns in `input`, without `conversation`.',
  prompt:
    'This server has no stored prompts: send the text in `instructions` and `input`, without `prompt`.',
};

function rejectState(body: JsonObject): void {
  rejectFields(body, statefulFields);
  if (body.background) {
    throw unsupportedField(
      ['background'],
      'Nothing runs in the background here: leave out `background`, and set `stream: true` for long replies.',
    );
  }
}
