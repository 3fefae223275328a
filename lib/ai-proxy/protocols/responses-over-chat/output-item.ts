import type { JsonObject } from '../json/json-value.ts';

/** The items that a translated reply is made of, in the documented shape. */

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

export function toMessageItem({ id, status, parts }: MessageFields): JsonObject {
  return { type: 'message', id, status, role: 'assistant', content: parts.map(toContentPart) };
}

type CallFields = Readonly<{
  id: string;
  status: ItemStatus;
  callId: string;
  name: string;
  arguments: string;
}>;

export function toCallItem({ id, status, callId, name, arguments: text }: CallFields): JsonObject {
  return { type: 'function_call', id, call_id: callId, name, arguments: text, status };
}

/** Makes an id that begins with the given word: `msg_…`. */
export type NewId = (prefix: 'msg' | 'fc' | 'call') => string;
