import {
  isJsonObject,
  type JsonObject,
  toJsonArray,
  toJsonObject,
  toText,
} from '#lib/http/json-value.ts';
import { readReasoning } from './reasoning.ts';

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
  return byteLength(name) + byteLength(text);
}

function byteLength(value: unknown): number {
  return typeof value === 'string' && value !== '' ? Buffer.byteLength(value) : 0;
}

/** Text of a reply. A few upstreams send it in parts, as in requests. */
export function toContentText(content: unknown): string {
  if (!Array.isArray(content)) return toText(content);
  return content.map((part) => toText(toJsonObject(part).text)).join('');
}

/** The state of one choice of a streamed chat. */
export type ChoiceState = {
  hasRole: boolean;
  finishReason: FinishReason | 'error' | null;
  /** Ids of its tool calls, by index. */
  toolCallIds: unknown[];
};

export function createChoiceState(): ChoiceState {
  return { hasRole: false, finishReason: null, toolCallIds: [] };
}

/**
 * Adds what clients need to a choice of a chunk: an index, a delta, the role in the first one, a
 * known finish reason, the indices of tool calls. Returns the same object if nothing is missing.
 */
export function repairChoice(choice: JsonObject, index: number, state: ChoiceState): JsonObject {
  const given = choice.delta;
  let delta = toJsonObject(given);
  if (delta.role === 'assistant') {
    state.hasRole = true;
  } else if (!state.hasRole) {
    state.hasRole = true;
    delta = { ...delta, role: 'assistant' };
  }
  if (delta.tool_calls !== undefined) delta = repairToolCalls(delta, state);
  const finishReason = readFinishReason(choice);
  if (finishReason !== null) state.finishReason = finishReason;
  const isValid =
    delta === given && choice.index === index && choice.finish_reason === finishReason;
  return isValid ? choice : { ...choice, index, delta, finish_reason: finishReason };
}

function repairToolCalls(delta: JsonObject, { toolCallIds }: ChoiceState): JsonObject {
  const given = delta.tool_calls;
  if (!Array.isArray(given)) {
    const { tool_calls: _, ...rest } = delta;
    return rest;
  }
  let isValid = true;
  const calls = given.map((call: unknown) => {
    if (!isJsonObject(call)) return call;
    const index = toToolCallIndex(call, toolCallIds);
    if (index === call.index) return call;
    isValid = false;
    return { ...call, index };
  });
  return isValid ? delta : { ...delta, tool_calls: calls };
}

/** Far more than any model makes in one reply. An array with a hole of millions takes seconds to search. */
const toolCallsMax = 10_000;

/**
 * The index of a tool call delta. Some upstreams omit it, or send 0 for every call: a new id
 * together with a name then starts a new call.
 */
export function toToolCallIndex(call: JsonObject, ids: unknown[]): number {
  const { id } = call;
  const isNamed = typeof id === 'string' && typeof toJsonObject(call.function).name === 'string';
  const at = Number(call.index);
  const given = Number.isSafeInteger(call.index) && at >= 0 && at < toolCallsMax ? at : null;
  if (given !== null && !(isNamed && ids[given] !== undefined && ids[given] !== id)) {
    if (isNamed) ids[given] ??= id;
    return given;
  }
  const known = isNamed ? ids.indexOf(id) : ids.length - 1;
  if (known >= 0) return known;
  return ids.push(id) - 1;
}
