import { type JsonObject, toJsonObject, toText } from '#lib/http/json-value.ts';
import { parseArguments, toArgumentsText } from '../json/arguments.ts';
import { markField, type ReasoningMark } from '../reasoning-mark.ts';
import type { ResponsesRequest } from '../responses/read-request.ts';
import type { ToClientItem } from '../responses/response-object.ts';
import { createIdentify, type Identify, toChatName } from './chat-tools.ts';
import { toCallItem } from './output-items.ts';

/**
 * Encrypted reasoning names its upstream. Servers that know only functions give the calls of all tools back as those of
 * functions, at which agents abort: they get the form of their tools.
 */
export function createToClientItem(
  request: ResponsesRequest,
  reasoning: ReasoningMark,
): ToClientItem {
  const identify = createIdentify(request);
  return (item) => {
    const marked = withMark(toJsonObject(item), reasoning);
    return marked.type === 'function_call' ? toOwnCall(marked, identify) : marked;
  };
}

/** Messages between agents are encrypted, too. */
function withMark(item: JsonObject, reasoning: ReasoningMark): JsonObject {
  const mark = (value: JsonObject) => markField(value, 'encrypted_content', reasoning);
  const { content } = item;
  if (item.type !== 'agent_message' || !Array.isArray(content)) return mark(item);
  return { ...item, content: content.map((part) => mark(toJsonObject(part))) };
}

function toOwnCall(call: JsonObject, identify: Identify): JsonObject {
  const { arguments: written, name, namespace, ...rest } = call;
  const identity = identify(toChatName(toText(name), namespace));
  const isFunction = !identity.isCustom && identity.clientTool === null;
  if (isFunction && (identity.namespace ?? null) === (namespace ?? null)) return call;
  const text = toText(toArgumentsText(written));
  const { id, call_id: callId = id, status } = rest;
  const item = { id, callId, status: status ?? 'completed', parsed: parseArguments(text), text };
  return { ...rest, ...toCallItem(identity, item) };
}
