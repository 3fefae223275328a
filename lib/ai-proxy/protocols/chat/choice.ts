import type { HttpError } from '#lib/http/errors/errors.ts';
import {
  isJsonObject,
  type JsonObject,
  toJsonArray,
  toJsonObject,
  toText,
} from '#lib/http/json-value.ts';
import { findReported, toUpstreamFailure } from '../../upstreams/errors/reported-error.ts';
import { toArgumentsText } from '../json/arguments.ts';

export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter' | 'function_call';

/** Z.ai and Anthropic: the reply has come to the end of the window, or the prompt alone has filled it. */
const windowExceeded = 'model_context_window_exceeded';

/** What services say at the end of a reply, in order; null: they have failed. Any other reason ends a complete one. */
const reasonWords: readonly (readonly [words: RegExp, reason: FinishReason | null])[] = [
  // Google cannot read the call that the model wrote, or finds none of its own in an earlier one.
  [/malformed|unexpected|missing|^function_call_filter|rate_limit/, null],
  [/filter|safety|sensitive|prohibit|recitation|block|spii|refus|toxic|guard/, 'content_filter'],
  [/length|max_\w{0,10}tokens|limit|truncat|window|incomplete/, 'length'],
  [/error|abort|cancel|timeout|overload|insufficient/, null],
  [/^function_call$/, 'function_call'],
  [/tool_(?:use|call)/, 'tool_calls'],
];

function findReason(reason: string): FinishReason | null {
  // As most replies end.
  if (reason === 'stop') return reason;
  const word = reason.toLowerCase().replaceAll('-', '_').split(':', 1).join();
  const found = reasonWords.find(([words]) => words.test(word));
  return found === undefined ? 'stop' : found[1];
}

/**
 * Why a choice is finished, in a word that clients know; null if it continues. An unknown reason still means that the
 * reply is complete.
 */
export function readFinishReason({ finish_reason: reason }: JsonObject): FinishReason | null {
  if (typeof reason !== 'string' || reason === '') return null;
  return findReason(reason) ?? 'stop';
}

/**
 * The failure that a chunk reports in place of a reply, or as the event of this name; null: it reports none.
 * @param countBytes of all that has come of the reply
 */
export function readChunkFailure(
  chunk: JsonObject,
  event: string | undefined,
  countBytes: () => number,
): HttpError | null {
  const reported = findReported(chunk) ?? (event === 'error' ? chunk : undefined);
  return reported === undefined ? null : toUpstreamFailure(reported, countBytes());
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
  const hasFailed = reason === windowExceeded ? countBytes() === 0 : findReason(reason) === null;
  return hasFailed ? toUpstreamFailure({ code: reason }) : null;
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

/** The calls of a delta or message: some servers send one without a list, or without `function` around it. */
export function readCalls({ tool_calls: received }: JsonObject): readonly JsonObject[] {
  if ((received ?? null) === null) return noCalls;
  return (Array.isArray(received) ? received : [received]).filter(isJsonObject).map(toNestedCall);
}

const noCalls: readonly JsonObject[] = [];

function toNestedCall(call: JsonObject): JsonObject {
  const { name, arguments: text, ...rest } = call;
  const isNested = (name ?? text) === undefined || isJsonObject(call.function ?? call.custom);
  return isNested ? call : { ...rest, function: { name, arguments: text } };
}

/** What a delta or message has of a reply. */
export type DeltaPieces = Readonly<{
  content: string;
  refusal: string;
  reasoning: ReasoningPiece | null;
  calls: readonly JsonObject[];
}>;

export function readPieces(delta: JsonObject): DeltaPieces {
  return {
    content: toContentText(delta.content),
    refusal: toText(delta.refusal),
    reasoning: readReasoning(delta),
    calls: readCalls(delta),
  };
}

/** Text of a reply in one delta or message, reasoning included, in UTF-8 bytes: for estimates. */
export function countReplyBytes(delta: JsonObject, pieces = readPieces(delta)): number {
  const { content, refusal, reasoning, calls } = pieces;
  let bytes = byteLength(content) + byteLength(refusal) + byteLength(reasoning?.text);
  if (delta.function_call) bytes += countCallBytes(delta.function_call);
  for (const { function: called, custom } of calls) {
    bytes += countCallBytes(called ?? custom);
  }
  return bytes;
}

/** Whether nothing of a reply is in it. */
export function isEmptyDelta(delta: JsonObject, pieces = readPieces(delta)): boolean {
  return pieces.calls.length === 0 && countReplyBytes(delta, pieces) === 0;
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
  return typeof content === 'string' ? content : toParts(content).map(toPartText).join('');
}

function toParts(content: unknown): readonly unknown[] {
  return isJsonObject(content) ? [content] : toJsonArray(content);
}

function toPartText(part: unknown): string {
  return typeof part === 'string' ? part : toText(toJsonObject(part).text);
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
  const delta = toDelta(toJsonObject(choice));
  const { function_call: call, tool_calls: calls, reasoning_details } = delta;
  if (reasoning_details !== undefined) return true;
  if (call !== undefined && isJsonObject(toJsonObject(call).arguments)) return true;
  return calls !== undefined && readCalls(delta).some(hasJson);
}

function hasJson(call: JsonObject): boolean {
  const called = toJsonObject(call.function);
  return (
    isJsonObject(called.arguments) ||
    hasOthers(call, knownFields) ||
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

const textParts: ReadonlySet<unknown> = new Set([
  'text',
  'output_text',
  'thinking',
  'reasoning',
  'reference',
]);

/**
 * A delta or message as clients of chat know it, with a text as its content: Mistral and Databricks send what a model thinks
 * and says as parts of one content.
 */
export function toPlainReply(delta: JsonObject): JsonObject {
  if (typeof delta.content !== 'object' || delta.content === null) return delta;
  const { content, ...rest } = delta;
  const parts = toParts(content);
  const isText = (part: unknown) =>
    typeof part === 'string' || textParts.has(toJsonObject(part).type);
  if (!parts.every(isText)) return delta;
  const thought = parts.map(toThinkingText).join('');
  return {
    ...rest,
    content: toContentText(content),
    ...(thought !== '' && { reasoning_content: thought }),
  };
}

/** A choice with logprobs as documented: SDKs fail on tokens without lists, as of LiteLLM, and on the form of Completions. */
export function withLogprobs(choice: JsonObject): JsonObject {
  const { logprobs } = choice;
  if ((logprobs ?? null) === null) return choice;
  const lists = toJsonObject(Array.isArray(logprobs) ? { content: logprobs } : logprobs);
  const [content, refusal] = [toTokens(lists.content), toTokens(lists.refusal)];
  return { ...choice, logprobs: (content ?? refusal) === null ? null : { content, refusal } };
}

function toTokens(tokens: unknown): readonly JsonObject[] | null {
  if (!Array.isArray(tokens)) return null;
  const withBytes = (token: unknown) => ({ bytes: null, ...toJsonObject(token) });
  const topOf = (token: unknown) => toJsonArray(toJsonObject(token).top_logprobs).map(withBytes);
  return tokens.map((token) => ({ ...withBytes(token), top_logprobs: topOf(token) }));
}

function toDetailText({ text, summary }: JsonObject): string {
  return toText(text) || toText(summary);
}
