import type { RejectedField } from '#lib/http/errors/errors.ts';
import { type JsonObject, parseJson, toJsonObject } from '#lib/http/json-value.ts';
import { findLevels, isLevel } from '../../../protocols/chat/levels.ts';
import {
  isOptionalField,
  leveledFields,
  mayBeLeftOut,
  type OptionalField,
} from '../../../protocols/chat/optional-fields.ts';
import { reasoningFields } from '../../../protocols/chat/optional-forms.ts';
import type { UpstreamError } from './error-body.ts';
import { isEcho } from './rejected-bound.ts';
import { readRejectedForms } from './rejected-forms.ts';

/** Errors with such a code or type name the field as their `param`. */
const unknownCodes = new Set([
  'unknown_parameter',
  'unsupported_parameter',
  'extra_forbidden',
  'value_error.extra',
]);

/**
 * How servers say that they do not know a field: at its `path`, or several `names`. A message may quote the prompt, so
 * it must begin like this.
 */
const texts: readonly RegExp[] = [
  // Groq; Cerebras
  /^(?:[\w.]+: )?property '(?<path>[\w.]+)' is unsupported\b/,
  /^'messages\.\d+' : for 'role:\w+' the following must be satisfied\[.{0,500}?property '(?<path>cache_control)' is unsupported\b/,
  // OpenAI
  /^(?:unknown|unsupported|unrecognized) parameter: '(?<path>[\w.[\]]+)'/i,
  /^unrecognized request arguments? supplied: (?<names>\w+(?:, \w+)*)/i,
  /^['"`]?(?<path>\w+)['"`]? (?:is|are) (?:not supported|deprecated) (?:with|by|for) this model\b/i,
  // NVIDIA, of Kimi
  /^(?:validation: )?['"`]?(?<path>\w+)['"`]? is immutable for this model\b/i,
  // xAI, which names fields as its SDK does
  /^argument not supported on this model: (?<path>\w+)/i,
  /^model [\w.:/-]+ does not support parameter (?<path>\w+)/i,
  // Validators of JSON Schema, such as of Azure and Databricks
  /^additional properties are not allowed \((?<names>'\w+'(?:, '\w+')*) (?:was|were) unexpected\)/i,
  // Servers in Rust and Go, such as DeepSeek and Ollama
  /^(?:Failed to deserialize the JSON body into the target type: )?(?:\w+: )?unknown field `(?<path>\w+)`/,
  /^json: unknown field "(?<path>\w+)"/,
  // vLLM
  /^\[\{'type': 'extra_forbidden', 'loc': \('body'(?<path>(?:, (?:'[\w-]+'|\d+))+)\)/,
  // Ollama, Google: of models that do not think
  /^['"`]?[\w.:/-]{1,100}['"`]? does not support (?<path>thinking)\b/i,
  /^(?:unable to submit request because )?(?<path>thinking|reasoning)(?: budget| effort)? is not supported (?:by|for|with) this model\b/i,
  // Google, also at a place within
  /^invalid json payload received\. unknown name "(?<path>\w+)"(?: at '[\w.[\]]*')?: cannot find field\./i,
  // Anthropic, and others with pydantic
  /^(?<path>[\w.]+): extra inputs are not permitted\b/i,
  // LiteLLM
  /^(?:litellm\.\w+: )?\w+ does not support parameters: \[(?<names>'\w+'(?:, '\w+')*)\]/,
];

/** A list of quoted values, and no word more: a message may quote the prompt. */
const list = String.raw`(?<taken>(?:(?:,? ?(?:and |or |one of )?)['"\x60]\w+['"\x60])+)`;
const value = String.raw`['"\x60][\w-]{1,20}['"\x60]`;

/** How servers reject a value: of the field at its `path`, else at the error’s own; `taken` has those that they take. */
const valueTexts: readonly RegExp[] = [
  // OpenAI
  `unsupported value: '(?<path>[\\w.]+)' does not support \\S{1,40} with this model\\.(?: supported values are: ${list}|(?<isDefault> only the default \\())?`,
  `(?:invalid|unsupported) value:? ${value}\\. supported values are: ${list}`,
  // Groq
  `['"\x60]?(?<path>${leveledFields.join('|')})['"\x60]? must be ${list}`,
  // Servers with pydantic; vLLM
  `(?:[\\w.]+: )?input should be ${list}`,
  `\\[\\{'type': '(?:literal_error|enum)', 'loc': \\('body', '(?<path>\\w+)'\\), 'msg': "input should be ${list}`,
  // Servers in Rust and Go, such as DeepSeek and Ollama
  `(?:failed to deserialize the json body into the target type: )?(?<path>\\w+): unknown variant ${value}, expected ${list}`,
  `invalid (?<path>reasoning|think) value: ${value} \\(must be ${list}`,
  // Gateways to models of coding agents
  `(?<path>level) ${value} not supported, valid levels: (?<taken>\\w+(?:, \\w+)*)`,
].map((text) => new RegExp(`^${text}`, 'i'));

/**
 * The optional fields that an upstream does not take, or not with their values, of those that it got. A value that no
 * server takes is the client’s mistake. @param sent the JSON that the upstream got: what stands in there is no word of
 * the upstream
 */
export function readRejectedFields(
  errors: readonly UpstreamError[],
  sent: string,
): readonly RejectedField[] {
  const forms = readRejectedForms(errors, sent);
  if (forms.length > 0) return forms;
  const unknown = errors.flatMap((error) => readNames(error, sent));
  const limited = unknown.length > 0 ? [] : errors.flatMap((error) => readValues(error, sent));
  if (unknown.length + limited.length === 0) return [];
  const request = toJsonObject(parseJson(sent));
  const fields = [
    ...[...new Set(unknown)].map((name) => ({ name, values: [] })),
    ...limited.filter(
      ({ name }) => !leveledFields.includes(name) || isLevel(toLevel(name, request)),
    ),
  ];
  return fields
    .map((field) => ({ ...field, name: toOwnName(field.name, request) }))
    .filter(({ name }) => isSent(name, request, sent));
}

/** Messages and Responses ask for thinking by fields of their own. */
function toOwnName(name: OptionalField, request: JsonObject): OptionalField {
  const isOther = name === 'reasoning_effort' && request.reasoning_effort === undefined;
  return isOther ? 'thinking' : name;
}

function readValues(
  { param, message }: UpstreamError,
  sent: string,
): Readonly<{ name: OptionalField; values: readonly string[] }>[] {
  for (const text of valueTexts) {
    const found = text.exec(message);
    if (found === null || isEcho(found[0], sent)) continue;
    const { path, taken = '', isDefault } = found.groups ?? {};
    const name = toField(path ?? param ?? '');
    if (name === null) return [];
    if (leveledFields.includes(name)) return [{ name, values: findLevels(taken) }];
    // Without the field, it has this value, and vectors are converted.
    const isReplaced = isDefault !== undefined || name === 'encoding_format';
    return isReplaced ? [{ name, values: [] }] : [];
  }
  return [];
}

function readNames({ code, type, param, message }: UpstreamError, sent: string): OptionalField[] {
  if (unknownCodes.has(code ?? '') || unknownCodes.has(type ?? '')) {
    const field = toField(param ?? '');
    if (field !== null) return [field];
  }
  for (const text of texts) {
    const found = text.exec(message);
    if (found === null || isEcho(found[0], sent)) continue;
    const { path, names = '' } = found.groups ?? {};
    const paths = path === undefined ? names.split(',') : [path];
    return paths.map(toField).filter((field) => field !== null);
  }
  return [];
}

/** As servers name them that translate the request once more, or in the words of their own API. */
const otherNames: ReadonlyMap<string, OptionalField> = new Map([
  ['reasoning.effort', 'reasoning_effort'],
  ['reasoning', 'reasoning_effort'],
  ['think', 'reasoning_effort'],
  ['thinking', 'reasoning_effort'],
  ['level', 'reasoning_effort'],
  ['text.verbosity', 'verbosity'],
  ['include', 'encrypted_reasoning'],
]);

/** Marks for a cache and reasoning stand within messages and tools, and what a stream is asked for within its options. */
function toField(path: string): OptionalField | null {
  const other = otherNames.get(path.toLowerCase());
  if (other !== undefined) return other;
  const words = path
    .replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    .split(/\W+/)
    .filter((word) => word !== '');
  const last = words[0] === 'stream_options' ? 'stream_options' : (words.at(-1) ?? '');
  if (words.length > 1 && reasoningFields.includes(last)) return 'returned_reasoning';
  const isKnown = isOptionalField(last) && (words.length === 1 || withinOthers.has(last));
  return isKnown ? last : null;
}

const withinOthers: ReadonlySet<string> = new Set(['cache_control', 'stream_options', 'strict']);

function toLevel(name: OptionalField, request: JsonObject): unknown {
  return request[name] ?? (name === 'reasoning_effort' && toJsonObject(request.reasoning).effort);
}

function isSent(name: OptionalField, request: JsonObject, sent: string): boolean {
  if (name === 'thinking') return (request.thinking ?? request.reasoning) !== undefined;
  if (name === 'encrypted_reasoning') return request.include !== undefined;
  if (name === 'returned_reasoning') {
    return reasoningFields.some((field) => sent.includes(`"${field}":`));
  }
  if (name === 'cache_control' || name === 'strict') return sent.includes(`"${name}":`);
  return request[name] !== undefined && mayBeLeftOut(name, request[name]);
}
