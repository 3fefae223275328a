import {
  boundFields,
  optionalFields,
  optionalForms,
  usualFields,
} from '#lib/config/upstream-fields.ts';
import { type JsonObject, toJsonArray, toJsonObject, toText } from '#lib/http/json-value.ts';
import { limitSchemas } from '../json/schema-bounds.ts';
import { keepNumbers } from '../json/source-text.ts';
import { toNearestLevel } from './levels.ts';
import {
  limitFormat,
  limitMessages,
  limitTools,
  repairedForms,
  repairMessages,
  repairTools,
} from './optional-forms.ts';

/** What the proxy writes although not every chat server takes it: fields, and forms of messages and tools. */
export type OptionalField =
  | (typeof optionalFields)[number]
  | (typeof usualFields)[number]
  | (typeof optionalForms)[number];

const names: ReadonlySet<string> = new Set([...optionalFields, ...usualFields, ...optionalForms]);

export function isOptionalField(name: string): name is OptionalField {
  return names.has(name);
}

/** An optional field, or the bound of a reply: the name that is taken for `max_tokens`, and the largest number. */
export type LimitedField = OptionalField | (typeof boundFields)[number];

export function isLimitedField(name: string): name is LimitedField {
  return isOptionalField(name) || boundFields.some((field) => field === name);
}

/** What a target takes of these fields: some values, or none. */
export type FieldLimits = ReadonlyMap<LimitedField, readonly string[]>;

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

/** Fields whose values are levels. */
export const leveledFields: readonly OptionalField[] = ['reasoning_effort', 'verbosity'];

/**
 * A translated request within these limits: with the nearest value that is taken, or without the field, if that may be
 * left out.
 */
export function limitFields(sent: JsonObject, limits: FieldLimits): JsonObject {
  const kept = Object.entries(withEffort(sent, limits)).flatMap(([name, value]) => {
    const values = isOptionalField(name) ? limits.get(name) : undefined;
    if (values === undefined || !mayBeLeftOut(name, value)) {
      return [[name, value] as const];
    }
    const nearest = toNearestLevel(toText(value), values);
    return nearest === null ? [] : [[name, nearest] as const];
  });
  const taken = limitSchemas(Object.fromEntries(kept), limits);
  const request = limitFormat(taken, limits);
  const messages = limitMessages(toJsonArray(request.messages).map(toJsonObject), limits);
  const { tools } = request;
  return keepNumbers(sent, {
    ...request,
    messages,
    ...(Array.isArray(tools) && { tools: limitTools(tools, limits) }),
  });
}

/** With tools, some models think only in Responses: they want to be told so, or not to be told of it. */
function withEffort(sent: JsonObject, limits: FieldLimits): JsonObject {
  const taken = limits.get('effort_with_tools');
  if (taken === undefined || toJsonArray(sent.tools).length === 0) return sent;
  const { reasoning_effort: _, ...others } = sent;
  return taken.includes('none') ? { ...others, reasoning_effort: 'none' } : others;
}

/** A request of a client of chat, without what the proxy has added to it, and with messages and tools as the upstream takes them. */
export function limitOwnRequest(
  sent: JsonObject,
  added: readonly OptionalField[],
  limits: FieldLimits,
): JsonObject {
  const isTaken = !added.some((field) => limits.has(field));
  const areFormsTaken = !repairedForms.some((form) => limits.has(form));
  if (isTaken && areFormsTaken) return sent;
  const kept = Object.entries(sent).filter(
    ([name]) => !isOptionalField(name) || !added.includes(name) || !limits.has(name),
  );
  const request: JsonObject = Object.fromEntries(kept);
  if (areFormsTaken) return keepNumbers(sent, request);
  const messages = repairMessages(toJsonArray(sent.messages).map(toJsonObject), limits);
  const { tools, ...bounded } = limitSchemas(request, limits);
  const repaired = Array.isArray(tools) ? repairTools(tools, limits) : tools;
  return keepNumbers(sent, {
    ...bounded,
    messages,
    ...(repaired !== undefined && { tools: repaired }),
  });
}

/** A tier that changes the price, or the demand for a tool, is never left out. */
export function mayBeLeftOut(name: string, value: unknown): boolean {
  if (name === 'service_tier') return value === 'auto' || value === 'default';
  return name !== 'tool_choice' || value === 'auto';
}
