import type { JsonObject } from '#lib/http/json-value.ts';
import type { FinishReason } from '../chat/finish-reason.ts';
import type { QueuedItem } from '../chat/reply-queue.ts';
import type { CallIdentity } from './chat-tools.ts';

export type ItemStatus = 'in_progress' | 'completed' | 'incomplete';

export type ReplyPart = Readonly<{ kind: 'text' | 'refusal'; text: string }>;

export function toContentPart({ kind, text }: ReplyPart): JsonObject {
  return kind === 'refusal'
    ? { type: 'refusal', refusal: text }
    : { type: 'output_text', text, annotations: [], logprobs: [] };
}

type MessageFields = Readonly<{
  id: string;
  status: ItemStatus;
  parts: readonly ReplyPart[];
}>;

/** An output item in the documented shape. */
export function toMessageItem({ id, status, parts }: MessageFields): JsonObject {
  return { type: 'message', id, status, role: 'assistant', content: parts.map(toContentPart) };
}

type CallFields = Readonly<{
  id: string;
  status: ItemStatus;
  callId: string;
  identity: CallIdentity;
  /** Its arguments, or the input of a custom tool. */
  text: string;
}>;

export function toCallItem({ id, status, callId, identity, text }: CallFields): JsonObject {
  const { name, namespace, isCustom } = identity;
  const common = { id, call_id: callId, name, ...(namespace !== null && { namespace }) };
  return isCustom
    ? { type: 'custom_tool_call', ...common, input: text, status }
    : { type: 'function_call', ...common, arguments: text, status };
}

type ReasoningFields = Readonly<{ id: string; text: string; token: string }>;

/** `encrypted_content` is what the client sends back in the next turn. */
export function toReasoningItem({ id, text, token }: ReasoningFields): JsonObject {
  const summary = text === '' ? [] : [{ type: 'summary_text', text }];
  return { type: 'reasoning', id, summary, encrypted_content: token };
}

/** Creates an id with a prefix: `msg_…`. */
export type NewId = (prefix: 'msg' | 'fc' | 'ctc' | 'call' | 'rs') => string;

/** One item of a streamed reply, as events of a Responses stream. */
export type ReplyItem = QueuedItem & {
  /** The item so far: `incomplete` until it is closed. */
  toItem(): JsonObject;
};

type FinalStatus = Readonly<{
  /** Of the response, and of its last item. */
  status: Exclude<ItemStatus, 'in_progress'>;
  incompleteDetails: JsonObject | null;
}>;

/** The status of a response or item for a finish reason; null: the item is complete. */
export function toFinalStatus(reason: FinishReason | null): FinalStatus {
  if (reason === 'length') {
    return { status: 'incomplete', incompleteDetails: { reason: 'max_output_tokens' } };
  }
  if (reason === 'content_filter') {
    return { status: 'incomplete', incompleteDetails: { reason: 'content_filter' } };
  }
  return { status: 'completed', incompleteDetails: null };
}
