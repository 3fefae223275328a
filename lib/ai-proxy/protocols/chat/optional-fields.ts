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

/** What a target takes of optional fields: some values, or none. */
export type FieldLimits = ReadonlyMap<OptionalField, readonly string[]>;

/** Servers take the role `system` in place of `developer`, and OpenAI takes `metadata` only with what it stores. */
const leftOutByDefault: readonly OptionalField[] = ['developer', 'metadata'];

/** @param accepts what an upstream is known to take; null: unknown, so most is tried */
export function toLimits(accepts: readonly OptionalField[] | null): FieldLimits {
  const leftOut =
    accepts === null
      ? leftOutByDefault
      : optionalFields.filter((field) => !accepts.includes(field));
  return new Map(leftOut.map((field) => [field, []]));
}

/**
 * A translated request within these limits: with the nearest value that is taken, or without the field. A tier that
 * changes the price stays: the upstream may reject it.
 */
export function limitFields(sent: JsonObject, limits: FieldLimits): JsonObject {
  const kept = Object.entries(sent).flatMap(([name, value]) => {
    const values = isOptionalField(name) ? limits.get(name) : undefined;
    if (values === undefined || (name === 'service_tier' && !isUsualTier(value))) {
      return [[name, value] as const];
    }
    const nearest = toNearestLevel(toText(value), values);
    return nearest === null ? [] : [[name, nearest] as const];
  });
  const request: JsonObject = Object.fromEntries(kept);
  const isUncached = limits.has('cache_control');
  return {
    ...request,
    messages: toJsonArray(request.messages).map((message) => {
      const named = limits.has('developer') ? asSystem(toJsonObject(message)) : message;
      return isUncached ? withPlainContent(toJsonObject(named)) : named;
    }),
    ...(isUncached && Array.isArray(request.tools) && { tools: request.tools.map(uncached) }),
  };
}

/** A request of a client without what the proxy has added to it. */
export function withoutAdded(
  sent: JsonObject,
  added: readonly OptionalField[],
  limits: FieldLimits,
): JsonObject {
  if (!added.some((field) => limits.has(field))) return sent;
  return Object.fromEntries(
    Object.entries(sent).filter(
      ([name]) => !isOptionalField(name) || !added.includes(name) || !limits.has(name),
    ),
  );
}

/** Of the tiers, those that say nothing that an upstream without tiers would not do. */
export function isUsualTier(value: unknown): boolean {
  return value === 'auto' || value === 'default';
}

/** Efforts and verbosities, from the least to the most. */
const levels = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;

/** The levels that a text names. */
export function findLevels(text: string): readonly string[] {
  const words = new Set(text.match(/\b[a-z]+\b/g));
  return levels.filter((level) => words.has(level));
}

export function isLevel(value: unknown): boolean {
  return levels.some((level) => level === value);
}

/** Fields whose values are levels. */
export const leveledFields: readonly OptionalField[] = ['reasoning_effort', 'verbosity'];

/** Of two that are as near, the higher one, as DeepSeek does it. Null: none, or only one that turns thinking off. */
function toNearestLevel(value: string, values: readonly string[]): string | null {
  const order: readonly string[] = levels;
  const place = order.indexOf(value);
  if (place < 0 && values.length > 0) return value;
  const usable = values.filter((one) => one !== 'none' || value === 'none');
  const [nearest = null] = usable.toSorted((a, b) => {
    const [first, second] = [order.indexOf(a), order.indexOf(b)];
    return Math.abs(first - place) - Math.abs(second - place) || second - first;
  });
  return nearest;
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
