import { isJsonObject, type JsonObject, toJsonObject } from '#lib/http/json-value.ts';
import { type FinishReason, readFinishReason } from './finish-reason.ts';

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
  const isWhole =
    delta === given && choice.index === index && choice.finish_reason === finishReason;
  return isWhole ? choice : { ...choice, index, delta, finish_reason: finishReason };
}

function repairToolCalls(delta: JsonObject, { toolCallIds }: ChoiceState): JsonObject {
  const given = delta.tool_calls;
  if (!Array.isArray(given)) {
    const { tool_calls: _, ...rest } = delta;
    return rest;
  }
  let isWhole = true;
  const calls = given.map((call: unknown) => {
    if (!isJsonObject(call)) return call;
    const index = toToolCallIndex(call, toolCallIds);
    if (index === call.index) return call;
    isWhole = false;
    return { ...call, index };
  });
  return isWhole ? delta : { ...delta, tool_calls: calls };
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
