import { type JsonObject, toJsonArray, toJsonObject, toText } from '#lib/http/json-value.ts';
import { toPlainContent } from './read-request.ts';

type Limits = Pick<ReadonlyMap<string, unknown>, 'has'>;

/** @param limits what the upstream does not take */
export function limitMessages(
  messages: readonly JsonObject[],
  limits: Limits,
): readonly JsonObject[] {
  let limited = messages;
  if (limits.has('developer')) limited = limited.map(asSystem);
  if (limits.has('cache_control')) limited = limited.map(withPlainContent);
  if (limits.has('later_system')) limited = withOneSystem(limited);
  if (limits.has('returned_reasoning')) limited = limited.map(withoutReasoning);
  if (limits.has('calls_without_reasoning')) limited = limited.map(withReasoning);
  return limited;
}

/** @param limits what the upstream does not take */
export function limitTools(tools: readonly unknown[], limits: Limits): readonly unknown[] {
  const plain = limits.has('cache_control') ? tools.map(uncached) : tools;
  return limits.has('strict') ? plain.map(withoutStrict) : plain;
}

function asSystem(message: JsonObject): JsonObject {
  return message.role === 'developer' ? { ...message, role: 'system' } : message;
}

/** One message at the beginning; later ones stay where they are, since moving them would defeat the prompt cache. */
function withOneSystem(messages: readonly JsonObject[]): readonly JsonObject[] {
  const found = messages.findIndex(({ role }) => role !== 'system');
  const end = found < 0 ? messages.length : found;
  const first = messages.slice(0, end);
  const rest = messages
    .slice(end)
    .map((message) => (message.role === 'system' ? { ...message, role: 'user' } : message));
  if (first.length < 2) return [...first, ...rest];
  const parts = first.flatMap(({ content }) =>
    Array.isArray(content) ? content.map(toJsonObject) : [{ type: 'text', text: toText(content) }],
  );
  return [withPlainContent({ role: 'system', content: parts }), ...rest];
}

export const reasoningFields = ['reasoning_content', 'reasoning', 'reasoning_details'];

function withoutReasoning(message: JsonObject): JsonObject {
  const kept = Object.entries(message).filter(([name]) => !reasoningFields.includes(name));
  return Object.fromEntries(kept);
}

function withReasoning(message: JsonObject): JsonObject {
  const isBare =
    toJsonArray(message.tool_calls).length > 0 &&
    reasoningFields.every((name) => message[name] === undefined);
  return isBare ? { ...message, reasoning_content: '' } : message;
}

function withoutStrict(tool: unknown): JsonObject {
  const { function: definition, ...rest } = toJsonObject(tool);
  const { strict: _, ...others } = toJsonObject(definition);
  return { ...rest, function: others };
}

function uncached(value: unknown): JsonObject {
  const { cache_control: _, ...rest } = toJsonObject(value);
  return rest;
}

/** Without marks for a cache, parts of text are as good as a plain text, which more servers take. */
function withPlainContent(message: JsonObject): JsonObject {
  const { role, content } = message;
  if (!Array.isArray(content)) return message;
  const parts = content.map(uncached);
  const isText = role === 'system' && parts.every(({ type }) => type === 'text');
  const text = parts.map((part) => toText(part.text)).join('\n\n');
  return { ...message, content: isText ? text : toPlainContent(parts) };
}
