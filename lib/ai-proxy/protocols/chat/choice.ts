import type { HttpError } from '#lib/http/errors/errors.ts';
import {
  isJsonObject,
  type JsonObject,
  toJsonArray,
  toJsonObject,
  toText,
} from '#lib/http/json-value.ts';
import { toUpstreamFailure } from '../../upstreams/errors/reported-error.ts';
import { toArgumentsText } from '../json/arguments.ts';

export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter' | 'function_call';

/** Z.ai and Anthropic: the reply has come to the end of the window, or the prompt alone has filled it. */
const windowExceeded = 'model_context_window_exceeded';

/** As documented, and as other services name them. */
const finishReasons: ReadonlyMap<string, FinishReason> = new Map([
  ['stop', 'stop'],
  ['length', 'length'],
  ['tool_calls', 'tool_calls'],
  ['content_filter', 'content_filter'],
  ['function_call', 'function_call'],
  ['max_tokens', 'length'],
  ['model_length', 'length'],
  ['repetition_truncation', 'length'],
  [windowExceeded, 'length'],
  ['safety', 'content_filter'],
  ['sensitive', 'content_filter'],
  ['prohibited_content', 'content_filter'],
  ['recitation', 'content_filter'],
  ['blocklist', 'content_filter'],
  ['spii', 'content_filter'],
  ['refusal', 'content_filter'],
  ['tool_use', 'tool_calls'],
]);

/** Z.ai, DeepSeek, SGLang: the service has given up; Google: it cannot read the call that the model wrote. */
const failedReasons: ReadonlySet<string> = new Set([
  'error',
  'abort',
  'aborted',
  'network_error',
  'insufficient_system_resource',
  'malformed_function_call',
  'unexpected_tool_call',
  'function_call_filter',
]);

/**
 * Why a choice is finished, in a word that clients know; null if it continues. An unknown reason still means that the
 * reply is complete.
 */
export function readFinishReason({ finish_reason: reason }: JsonObject): FinishReason | null {
  if (typeof reason !== 'string' || reason === '') return null;
  return finishReasons.get(reason) ?? finishReasons.get(toWord(reason)) ?? 'stop';
}

/** The failure that a chunk reports in place of a reply, or as the event of this name; null: it reports none. */
export function readChunkFailure(
  chunk: JsonObject,
  event: string | undefined,
  replyBytes: number,
): HttpError | null {
  const { error, error_message: message, error_type: type } = chunk;
  if ((error ?? null) !== null) return toUpstreamFailure(error, replyBytes);
  // DeepInfra
  if (typeof message === 'string') return toUpstreamFailure({ message, type }, replyBytes);
  return event === 'error' ? toUpstreamFailure(chunk, replyBytes) : null;
}

/**
 * The failure that a choice contains, or names as its reason; null: it has not failed. @param countBytes of all that has
 * come of the reply: nothing, where the prompt alone has filled the window
 */
export function readChoiceFailure(
  { finish_reason: reason, error }: JsonObject,
  countBytes: () => number,
): HttpError | null {
  if ((error ?? null) !== null) return toUpstreamFailure(error, countBytes());
  if (typeof reason !== 'string' || reason === '') return null;
  const hasFailed =
    reason === windowExceeded ? countBytes() === 0 : failedReasons.has(toWord(reason));
  return hasFailed ? toUpstreamFailure({ code: reason }) : null;
}

/** `function_call_filter: MALFORMED_FUNCTION_CALL` at Google. */
function toWord(reason: string): string {
  const [word = ''] = reason.toLowerCase().split(':');
  return word.replaceAll('-', '_');
}

/** Many servers say `stop` where calls follow, on which clients would end, or the word of the form before tools. */
export function toShownReason<T extends FinishReason | null>(
  reason: T,
  hasCalls: boolean,
): T | 'tool_calls' | 'stop' {
  // Agents would wait for calls that never came (opencode2api PR 27).
  if (reason === 'tool_calls' && !hasCalls) return 'stop';
  return hasCalls && (reason === 'stop' || reason === 'function_call') ? 'tool_calls' : reason;
}

/** What a choice of a chunk adds. Some servers send a whole message in place of deltas. */
export function toDelta({ delta, message }: JsonObject): JsonObject {
  return isJsonObject(delta) ? delta : toJsonObject(message);
}

/** A delta or message whose call in the form before tools is one of a tool. */
export function toToolCalls(delta: JsonObject): JsonObject {
  if (!isJsonObject(delta.function_call)) return delta;
  const { function_call: call, ...rest } = delta;
  return { ...rest, tool_calls: [{ function: call }] };
}

/** What a delta or message says, besides calls. */
export type DeltaTexts = Readonly<{
  content: string;
  refusal: string;
  reasoning: ReasoningPiece | null;
}>;

export function readTexts(delta: JsonObject): DeltaTexts {
  return {
    content: toContentText(delta.content),
    refusal: toText(delta.refusal),
    reasoning: readReasoning(delta),
  };
}

/** Text of a reply in one delta or message, reasoning included, in UTF-8 bytes: for estimates. */
export function countReplyBytes(delta: JsonObject, texts = readTexts(delta)): number {
  const { content, refusal, reasoning } = texts;
  let bytes = byteLength(content) + byteLength(refusal) + byteLength(reasoning?.text);
  if (delta.function_call) bytes += countCallBytes(delta.function_call);
  if (delta.tool_calls) {
    for (const call of toJsonArray(delta.tool_calls)) {
      const { function: called, custom } = toJsonObject(call);
      bytes += countCallBytes(called ?? custom);
    }
  }
  return bytes;
}

/** Whether nothing of a reply is in it. */
export function isEmptyDelta(delta: JsonObject): boolean {
  return toJsonArray(delta.tool_calls).length === 0 && countReplyBytes(delta) === 0;
}

function countCallBytes(call: unknown): number {
  const { name, arguments: text, input } = toJsonObject(call);
  return byteLength(name) + byteLength(toArgumentsText(text ?? input));
}

/** Longer texts may have a picture in them. */
const textLengthMax = 64 * 1024;

function byteLength(value: unknown): number {
  if (typeof value !== 'string' || value === '') return 0;
  return Buffer.byteLength(value.length > textLengthMax ? withoutPictures(value) : value);
}

/** Pictures as data URLs have other tokens than their text. One pattern for all of it would run out of stack. */
function withoutPictures(text: string): string {
  const pictureStart = /data:image\/[\w.+-]{1,100};base64,/g;
  const pictureEnd = /[^\w+/=]/g;
  let rest = '';
  let from = 0;
  for (let start = pictureStart.exec(text); start !== null; start = pictureStart.exec(text)) {
    rest += text.slice(from, start.index);
    pictureEnd.lastIndex = pictureStart.lastIndex;
    from = pictureEnd.exec(text)?.index ?? text.length;
    pictureStart.lastIndex = from;
  }
  return rest + text.slice(from);
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
  const {
    tool_calls: calls,
    function_call: call,
    reasoning_details,
  } = toDelta(toJsonObject(choice));
  if (reasoning_details !== undefined) return true;
  if (call !== undefined && isJsonObject(toJsonObject(call).arguments)) return true;
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

/** `content`: as parts of the text, which their servers do not need back. */
export type ReasoningField = 'reasoning_content' | 'reasoning' | 'content';

/** Null if a delta or message has no reasoning. */
function readReasoning(delta: JsonObject): ReasoningPiece | null {
  if (Array.isArray(delta.content)) {
    const thought = delta.content.map(toThinkingText).join('');
    if (thought !== '') return { text: thought, field: 'content', details: [] };
  }
  const { reasoning_content, reasoning, reasoning_details } = delta;
  // Most deltas have none.
  if ((reasoning_content ?? reasoning ?? reasoning_details) === undefined) return null;
  const field = toText(reasoning_content) ? 'reasoning_content' : 'reasoning';
  const text = toText(delta[field]);
  const details = toJsonArray(reasoning_details).filter(isJsonObject);
  if (text !== '') return { text, field, details };
  if (details.length === 0) return null;
  return { text: details.map(toDetailText).join(''), field: null, details };
}

/** Mistral’s parts, and those of Databricks. */
function toThinkingText(part: unknown): string {
  const { type, thinking, summary } = toJsonObject(part);
  if (type === 'reasoning') return toContentText(summary);
  return type === 'thinking' ? toContentText(thinking) : '';
}

const textParts: ReadonlySet<unknown> = new Set(['text', 'thinking', 'reasoning', 'reference']);

/**
 * A delta or message as clients of chat know it, with a text as its content: Mistral and Databricks send what a model thinks
 * and says as parts of one content.
 */
export function toPlainReply(delta: JsonObject): JsonObject {
  if (!Array.isArray(delta.content)) return delta;
  const { content, ...rest } = delta;
  const parts = toJsonArray(content).map(toJsonObject);
  if (!parts.every(({ type }) => textParts.has(type))) return delta;
  const thought = parts.map(toThinkingText).join('');
  return {
    ...rest,
    content: toContentText(content),
    ...(thought !== '' && { reasoning_content: thought }),
  };
}

function toDetailText({ text, summary }: JsonObject): string {
  return toText(text) || toText(summary);
}
