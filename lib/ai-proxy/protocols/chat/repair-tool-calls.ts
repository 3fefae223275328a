import {
  isJsonObject,
  type JsonObject,
  toJsonArray,
  toJsonObject,
  toText,
} from '#lib/http/json-value.ts';
import type { CallPiece, ToolCalls } from './tool-calls.ts';

/** The calls of a delta as clients expect them. Returns the same object if nothing is to be changed. */
export function repairToolCalls(
  delta: JsonObject,
  calls: ToolCalls,
  newCallId: () => string,
): JsonObject {
  const received = delta.tool_calls;
  if (!Array.isArray(received)) {
    const { tool_calls: _, ...rest } = delta;
    return rest;
  }
  const repaired: JsonObject[] = [];
  for (const call of received) {
    const pieces = isJsonObject(call) ? calls.take(call) : [];
    const own = pieces.at(-1);
    if (own === undefined) continue;
    if (pieces.length > 1) repaired.push(...pieces.slice(0, -1).map(toEndOfCall));
    repaired.push(isAsDocumented(call, own) ? call : repairCall(call, own, newCallId));
  }
  const isValid =
    repaired.length === received.length && repaired.every((call, at) => call === received[at]);
  return isValid ? delta : { ...delta, tool_calls: repaired };
}

/** The first piece has all fields; what a later one repeats, some clients would add to it. */
function isAsDocumented(call: JsonObject, { index, isFirst, name, text }: CallPiece): boolean {
  if (call.index !== index) return false;
  const { name: receivedName, arguments: received } = toJsonObject(call.function);
  if (isFirst) {
    const isFunction = call.type === 'function' && received === text;
    return toText(call.id) !== '' && (isFunction || call.type === 'custom');
  }
  const repeats = (call.id ?? null) !== null || ((receivedName ?? null) !== null && name === '');
  return !repeats && (received === text || (received ?? null) === null);
}

function repairCall(
  call: JsonObject,
  { index, isFirst, id, name, text }: CallPiece,
  newCallId: () => string,
): JsonObject {
  const { id: _id, index: _index, type: _type, function: received, ...rest } = call;
  const { name: _name, ...others } = toJsonObject(received);
  const isCustom = isJsonObject(call.custom);
  return {
    index,
    ...((isFirst || id !== '') && { id: id || newCallId() }),
    ...(isFirst && { type: isCustom ? 'custom' : 'function' }),
    ...(!isCustom && {
      function: { ...((isFirst || name !== '') && { name }), ...others, arguments: text },
    }),
    ...rest,
  };
}

function toEndOfCall({ index, text }: CallPiece): JsonObject {
  return { index, function: { arguments: text } };
}

/** Adds what calls still lack when their choice ends. */
export function withEndOfCalls(delta: JsonObject, calls: ToolCalls): JsonObject {
  const ends = calls.end().map(toEndOfCall);
  return ends.length === 0
    ? delta
    : { ...delta, tool_calls: [...toJsonArray(delta.tool_calls), ...ends] };
}
