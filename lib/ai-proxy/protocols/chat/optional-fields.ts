import { optionalFields } from '#lib/config/upstreams-schema.ts';
import { type JsonObject, toJsonArray, toJsonObject, toText } from '#lib/http/json-value.ts';
import { toPlainContent } from './read-request.ts';

/** What chat servers know, but not for each model: left out only where it has been rejected. */
const usualFields = [
  'frequency_penalty',
  'presence_penalty',
  'reasoning_effort',
  'seed',
  'stop',
  'stream_options',
  'temperature',
  'top_k',
  'top_p',
] as const;

/** What the proxy writes although not every chat server takes it. */
export type OptionalField = (typeof optionalFields)[number] | (typeof usualFields)[number];

const names: ReadonlySet<string> = new Set([...optionalFields, ...usualFields]);

export function isOptionalField(name: string): name is OptionalField {
  return names.has(name);
}

/** Servers take the role `system` in place of `developer`, and OpenAI takes `metadata` only with what it stores. */
const leftOutByDefault: readonly OptionalField[] = ['developer', 'metadata'];

/** @param accepts what an upstream is known to take; null: unknown, so most is tried */
export function toLeftOut(accepts: readonly OptionalField[] | null): readonly OptionalField[] {
  return accepts === null
    ? leftOutByDefault
    : optionalFields.filter((field) => !accepts.includes(field));
}

/** A translated request without these fields. A tier that changes the price stays: the upstream may reject it. */
export function leaveOut(sent: JsonObject, fields: ReadonlySet<OptionalField>): JsonObject {
  const kept = Object.entries(sent).filter(
    ([name, value]) =>
      !isOptionalField(name) ||
      !fields.has(name) ||
      (name === 'service_tier' && !isUsualTier(value)),
  );
  const request: JsonObject = Object.fromEntries(kept);
  const isUncached = fields.has('cache_control');
  return {
    ...request,
    messages: toJsonArray(request.messages).map((message) => {
      const named = fields.has('developer') ? asSystem(toJsonObject(message)) : message;
      return isUncached ? withPlainContent(toJsonObject(named)) : named;
    }),
    ...(isUncached && Array.isArray(request.tools) && { tools: request.tools.map(uncached) }),
  };
}

/** A request of a client without what the proxy has added to it. */
export function withoutAdded(
  sent: JsonObject,
  added: readonly OptionalField[],
  fields: ReadonlySet<OptionalField>,
): JsonObject {
  if (!added.some((field) => fields.has(field))) return sent;
  return Object.fromEntries(
    Object.entries(sent).filter(
      ([name]) => !isOptionalField(name) || !added.includes(name) || !fields.has(name),
    ),
  );
}

/** Of the tiers, those that say nothing that an upstream without tiers would not do. */
export function isUsualTier(value: unknown): boolean {
  return value === 'auto' || value === 'default';
}

function asSystem(message: JsonObject): JsonObject {
  return message.role === 'developer' ? { ...message, role: 'system' } : message;
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
