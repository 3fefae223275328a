import {
  isJsonObject,
  type JsonObject,
  toJsonArray,
  toJsonObject,
  toText,
} from '#lib/http/json-value.ts';
import { withReadable } from '../json/arguments.ts';
import { toTakenCallId } from '../json/call-ids.ts';
import { writeJson } from '../json/source-text.ts';
import { createPlainSchemas } from './plain-schema.ts';
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
  if (limits.has('content_parts')) limited = limited.map(withOneText);
  if (limits.has('system')) limited = limited.map(asUser);
  else if (limits.has('later_system')) limited = withOneSystem(limited);
  if (limits.has('system') || limits.has('repeated_roles')) limited = withTurns(limited);
  return repairMessages(limited, limits);
}

/**
 * What is repaired for clients of chat, too. In messages of other models something is wrong or missing, since libraries drop
 * what they do not know, or send back all that they got; and few people have written the schemas of the tools that they use.
 */
export const repairedForms = [
  'broken_arguments',
  'call_ids',
  'calls_without_details',
  'calls_without_reasoning',
  'calls_without_signature',
  'null_content',
  'odd_call_ids',
  'returned_reasoning',
  'schema_bounds',
  'schema_keywords',
] as const;

/** @param limits what the upstream does not take */
export function repairMessages(
  messages: readonly JsonObject[],
  limits: Limits,
): readonly JsonObject[] {
  let limited = messages;
  if (limits.has('returned_reasoning')) limited = limited.map(withoutReasoning);
  if (limits.has('broken_arguments')) limited = limited.map(withReadableArguments);
  if (limits.has('calls_without_reasoning')) limited = limited.map(withReasoning);
  if (limits.has('call_ids') || limits.has('odd_call_ids')) {
    limited = limited.map((message) => withTakenIds(message, limits));
  }
  if (limits.has('calls_without_signature')) limited = limited.map(withSignature);
  if (limits.has('calls_without_details')) limited = limited.map(withDetails);
  if (limits.has('null_content')) limited = limited.map(withText);
  return limited;
}

/** @param limits what the upstream does not take */
export function limitTools(tools: readonly unknown[], limits: Limits): readonly unknown[] {
  let limited = limits.has('cache_control') ? tools.map(uncached) : tools;
  if (limits.has('strict')) limited = limited.map(withoutStrict);
  return repairTools(limited, limits);
}

/** @param limits what the upstream does not take */
export function repairTools(tools: readonly unknown[], limits: Limits): readonly unknown[] {
  if (!limits.has('schema_keywords')) return tools;
  const toPlainSchema = createPlainSchemas();
  return tools.map((tool) => withParameters(tool, toPlainSchema));
}

/** A format of the reply that the server does not take is an instruction; at best, the server itself ensures JSON. */
export function limitFormat(request: JsonObject, limits: Limits): JsonObject {
  const format = toJsonObject(request.response_format);
  if (isTakenFormat(format, limits)) return request;
  const { response_format: _, ...others } = request;
  const instruction = { role: 'system', content: toFormatInstruction(format) };
  const [first, ...rest] = toJsonArray(request.messages).map(toJsonObject);
  const isAfterOthers = first?.role === 'system' || first?.role === 'developer';
  const messages = isAfterOthers
    ? [{ ...first, content: joinContents([first, instruction]) }, ...rest]
    : [instruction, ...toJsonArray(request.messages)];
  const isJsonTaken = !limits.has('json_object');
  return { ...others, ...(isJsonTaken && { response_format: { type: 'json_object' } }), messages };
}

function isTakenFormat({ type, json_schema: wanted }: JsonObject, limits: Limits): boolean {
  if (type === 'json_object') return !limits.has('json_object');
  if (type !== 'json_schema') return true;
  const isLoose = toJsonObject(wanted).strict !== true;
  return !limits.has('json_schema') && !(isLoose && limits.has('loose_schema'));
}

function toFormatInstruction({ type, json_schema: wanted }: JsonObject): string {
  const isSchema = type === 'json_schema';
  return isSchema ? toSchemaInstruction(toJsonObject(wanted).schema) : 'Reply only with JSON.';
}

export function toSchemaInstruction(schema: unknown): string {
  return `Reply only with JSON that is valid by this JSON Schema: ${writeJson(toJsonObject(schema))}`;
}

function asSystem(message: JsonObject): JsonObject {
  return message.role === 'developer' ? { ...message, role: 'system' } : message;
}

/** One message at the beginning; later ones stay where they are, since moving them would defeat the prompt cache. */
function withOneSystem(messages: readonly JsonObject[]): readonly JsonObject[] {
  const found = messages.findIndex(({ role }) => role !== 'system');
  const end = found < 0 ? messages.length : found;
  const first = messages.slice(0, end);
  const rest = messages.slice(end).map(asUser);
  if (first.length < 2) return [...first, ...rest];
  return [{ role: 'system', content: joinContents(first) }, ...rest];
}

function asUser(message: JsonObject): JsonObject {
  return message.role === 'system' ? { ...message, role: 'user' } : message;
}

/** One message of the user, then one of the assistant, except for calls and their results. */
function withTurns(messages: readonly JsonObject[]): readonly JsonObject[] {
  const turns: JsonObject[] = [];
  for (const message of messages) {
    const before = turns.at(-1);
    const isSame =
      before?.role === message.role &&
      (message.role === 'user' || message.role === 'assistant') &&
      before?.tool_calls === undefined;
    if (before === undefined || !isSame) turns.push(message);
    else turns.splice(-1, 1, { ...before, ...message, content: joinContents([before, message]) });
  }
  return turns;
}

/** As one text, unless there is more than text. */
function joinContents(messages: readonly JsonObject[]): string | readonly JsonObject[] {
  const parts = messages
    .flatMap(({ content }) =>
      Array.isArray(content) ? content.map(uncached) : [{ type: 'text', text: toText(content) }],
    )
    .filter(({ text }) => text !== '');
  const isText = parts.every(({ type }) => type === 'text');
  return isText ? parts.map(({ text }) => toText(text)).join('\n\n') : parts;
}

export const reasoningFields = ['reasoning_content', 'reasoning', 'reasoning_details'];

function withoutReasoning(message: JsonObject): JsonObject {
  const kept = Object.entries(message).filter(([name]) => !reasoningFields.includes(name));
  return Object.fromEntries(kept);
}

/** Pictures and files stay parts. */
function withOneText(message: JsonObject): JsonObject {
  const { content } = message;
  return Array.isArray(content) ? { ...message, content: joinContents([message]) } : message;
}

function withText(message: JsonObject): JsonObject {
  return (message.content ?? null) === null ? { ...message, content: '' } : message;
}

function withReadableArguments(message: JsonObject): JsonObject {
  const { tool_calls: calls } = message;
  if (!Array.isArray(calls)) return message;
  const toCall = (call: JsonObject) =>
    isJsonObject(call.function) ? { ...call, function: withReadable(call.function) } : call;
  return { ...message, tool_calls: calls.map(toJsonObject).map(toCall) };
}

function withReasoning(message: JsonObject): JsonObject {
  const isBare =
    toJsonArray(message.tool_calls).length > 0 &&
    reasoningFields.every((name) => message[name] === undefined);
  return isBare ? { ...message, reasoning_content: '' } : message;
}

function withTakenIds(message: JsonObject, limits: Limits): JsonObject {
  const { tool_calls: calls, tool_call_id: id, ...rest } = message;
  const toId = (own: unknown) => toTakenCallId(toText(own), limits);
  const toCall = (call: JsonObject) => ({ ...call, id: toId(call.id) });
  return {
    ...rest,
    ...(calls !== undefined && { tool_calls: toJsonArray(calls).map(toJsonObject).map(toCall) }),
    ...(id !== undefined && { tool_call_id: toId(id) }),
  };
}

/** What Gemini takes in place of a signature that another model could not give: its documentation on thought signatures. */
const noSignature = 'skip_thought_signature_validator';

/** The first of parallel calls has the signature of all. */
function withSignature(message: JsonObject): JsonObject {
  const [first, ...others] = toJsonArray(message.tool_calls).map(toJsonObject);
  if (first === undefined || [first, ...others].some(isSigned)) return message;
  const extra = toJsonObject(first.extra_content);
  const google = { ...toJsonObject(extra.google), thought_signature: noSignature };
  const signed = { ...first, extra_content: { ...extra, google } };
  return { ...message, tool_calls: [signed, ...others] };
}

/** The same as OpenRouter wants it. */
function withDetails(message: JsonObject): JsonObject {
  const [first] = toJsonArray(message.tool_calls).map(toJsonObject);
  if (first === undefined || message.reasoning_details !== undefined) return message;
  const detail = { type: 'reasoning.encrypted', format: 'google-gemini-v1', data: noSignature };
  return { ...message, reasoning_details: [{ ...detail, id: first.id, index: 0 }] };
}

function isSigned({ extra_content: extra }: JsonObject): boolean {
  return toJsonObject(toJsonObject(extra).google).thought_signature !== undefined;
}

function withoutStrict(tool: unknown): JsonObject {
  const { function: definition, ...rest } = toJsonObject(tool);
  const { strict: _, ...others } = toJsonObject(definition);
  return { ...rest, function: others };
}

function withParameters(tool: unknown, toSchema: (schema: unknown) => JsonObject): JsonObject {
  const { function: definition, ...rest } = toJsonObject(tool);
  const { parameters, ...others } = toJsonObject(definition);
  const isDefined = parameters !== undefined;
  return {
    ...rest,
    function: { ...others, ...(isDefined && { parameters: toSchema(parameters) }) },
  };
}

function uncached(value: unknown): JsonObject {
  const { cache_control: _, ...rest } = toJsonObject(value);
  return rest;
}

/** Without marks for a cache, parts of text are as good as a plain text, which more servers take. */
function withPlainContent(message: JsonObject): JsonObject {
  const { role, content } = message;
  if (!Array.isArray(content)) return message;
  const plain = role === 'system' ? joinContents([message]) : toPlainContent(content.map(uncached));
  return { ...message, content: plain };
}
