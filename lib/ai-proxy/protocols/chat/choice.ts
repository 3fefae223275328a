import {
  isJsonObject,
  type JsonObject,
  toJsonArray,
  toJsonObject,
  toText,
} from '#lib/http/json-value.ts';

import { toArgumentsText } from '../json/arguments.ts';

export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter' | 'function_call';

/** As documented, and as other vendors name them. */
const finishReasons: ReadonlyMap<string, FinishReason | 'error'> = new Map([
  ['stop', 'stop'],
  ['length', 'length'],
  ['tool_calls', 'tool_calls'],
  ['content_filter', 'content_filter'],
  ['function_call', 'function_call'],
  ['max_tokens', 'length'],
  ['model_length', 'length'],
  ['safety', 'content_filter'],
  ['tool_use', 'tool_calls'],
  ['error', 'error'],
]);

/**
 * Why a choice is finished, in a word that clients know; null if it continues, `error` if the upstream reports
 * a failure. An unknown reason still means that the reply is complete.
 */
export function readFinishReason(choice: JsonObject): FinishReason | 'error' | null {
  const { finish_reason: reason, error } = choice;
  if ((error ?? null) !== null) return 'error';
  if (typeof reason !== 'string' || reason === '') return null;
  return finishReasons.get(reason) ?? finishReasons.get(reason.toLowerCase()) ?? 'stop';
}

/** Many servers say `stop` where calls follow, on which clients would end, or the word of the form before tools. */
export function toShownReason<T extends FinishReason | 'error' | null>(
  reason: T,
  hasCalls: boolean,
): T | 'tool_calls' {
  return hasCalls && (reason === 'stop' || reason === 'function_call') ? 'tool_calls' : reason;
}

/** A delta or message whose call in the form before tools is one of a tool. */
export function toToolCalls(delta: JsonObject): JsonObject {
  if (!isJsonObject(delta.function_call)) return delta;
  const { function_call: call, ...rest } = delta;
  return { ...rest, tool_calls: [{ function: call }] };
}

/** Text of a reply in one delta or message, reasoning included, in UTF-8 bytes: for estimates. */
export function countReplyBytes(delta: JsonObject): number {
  let bytes =
    byteLength(toContentText(delta.content)) +
    byteLength(delta.refusal) +
    byteLength(readReasoning(delta)?.text);
  if (delta.function_call) bytes += countCallBytes(delta.function_call);
  if (delta.tool_calls) {
    for (const call of toJsonArray(delta.tool_calls)) {
      bytes += countCallBytes(toJsonObject(call).function);
    }
  }
  return bytes;
}

function countCallBytes(call: unknown): number {
  const { name, arguments: text } = toJsonObject(call);
  return byteLength(name) + byteLength(toArgumentsText(text));
}

function byteLength(value: unknown): number {
  return typeof value === 'string' && value !== '' ? Buffer.byteLength(value) : 0;
}

/** Text of a reply. A few upstreams send it in parts, as in requests. */
export function toContentText(content: unknown): string {
  if (!Array.isArray(content)) return toText(content);
  return content.map((part) => toText(toJsonObject(part).text)).join('');
}

const knownFields: ReadonlySet<string> = new Set(['index', 'id', 'type', 'function', 'custom']);
const knownFunctionFields: ReadonlySet<string> = new Set(['name', 'arguments']);

/**
 * The fields of a call that only its upstream knows, and needs back with the conversation, such as Gemini’s
 * `extra_content` with a signature; null if it has none.
 */
export function readCallFields(call: JsonObject): JsonObject | null {
  const own = findOthers(call, knownFields);
  const inner = findOthers(toJsonObject(call.function), knownFunctionFields);
  return own === null && inner === null ? null : { ...own, ...(inner && { function: inner }) };
}

function findOthers(fields: JsonObject, known: ReadonlySet<string>): JsonObject | null {
  if (!hasOthers(fields, known)) return null;
  const others = Object.entries(fields).filter(
    ([name, value]) => !known.has(name) && (value ?? null) !== null,
  );
  return Object.fromEntries(others);
}

/** Of every piece of every call: most have none, and are looked through without an allocation. */
function hasOthers(fields: JsonObject, known: ReadonlySet<string>): boolean {
  for (const name in fields) {
    if (!known.has(name) && (fields[name] ?? null) !== null) return true;
  }
  return false;
}

/** Whether the delta of a choice has more than texts, such as arguments as an object, whose source counts. */
export function hasJsonInDelta(choice: unknown): boolean {
  const { delta } = toJsonObject(choice);
  const { tool_calls: calls, function_call: call, reasoning_details } = toJsonObject(delta);
  if (reasoning_details !== undefined || isJsonObject(toJsonObject(call).arguments)) return true;
  return calls !== undefined && toJsonArray(calls).some(hasJson);
}

function hasJson(call: unknown): boolean {
  const fields = toJsonObject(call);
  const called = toJsonObject(fields.function);
  return (
    isJsonObject(called.arguments) ||
    hasOthers(fields, knownFields) ||
    hasOthers(called, knownFunctionFields)
  );
}

/** Reasoning of one delta or message, in any of the fields that upstreams use. */
export type ReasoningPiece = Readonly<{
  text: string;
  /** The field of the text; null if there was none. */
  field: ReasoningField | null;
  /** OpenRouter’s `reasoning_details`, with signatures and encrypted parts. */
  details: readonly JsonObject[];
}>;

/** `content`: as parts of the text, which Mistral does not need back. */
export type ReasoningField = 'reasoning_content' | 'reasoning' | 'content';

/** Null if a delta or message has no reasoning. */
export function readReasoning(delta: JsonObject): ReasoningPiece | null {
  if (Array.isArray(delta.content)) {
    const thought = delta.content.map(toThinkingText).join('');
    if (thought !== '') return { text: thought, field: 'content', details: [] };
  }
  const field = toText(delta.reasoning_content) ? 'reasoning_content' : 'reasoning';
  const text = toText(delta[field]);
  // Most deltas have none, and are read without an allocation.
  if (text === '' && delta.reasoning_details === undefined) return null;
  const details = toJsonArray(delta.reasoning_details).filter(isJsonObject);
  if (text !== '') return { text, field, details };
  if (details.length === 0) return null;
  return { text: details.map(toDetailText).join(''), field: null, details };
}

function toThinkingText(part: unknown): string {
  const { type, thinking } = toJsonObject(part);
  return type === 'thinking' ? toContentText(thinking) : '';
}

function toDetailText({ text, summary }: JsonObject): string {
  return toText(text) || toText(summary);
}
