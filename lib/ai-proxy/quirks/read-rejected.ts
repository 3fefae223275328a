import { type JsonObject, parseJson, toJsonObject } from '#lib/http/json-value.ts';
import type { UpstreamError } from '../upstreams/errors/error-body.ts';
import type { RejectedField, UpstreamFailure } from '../upstreams/errors/upstream-failure.ts';
import { findLevels, isLevel, unknownFieldCodes } from './fields.ts';
import { findOwnText } from './own-words.ts';
import type { Quirk, Unsaid } from './quirk.ts';
import { quirkTable, type Sent } from './quirks.ts';

/** Those of fields, by their names and by those that servers have for them. */
type Field = Quirk & Required<Pick<Quirk, 'name' | 'field'>>;
const fields = quirkTable.filter((quirk): quirk is Field => quirk.field !== undefined);

/**
 * How servers say that they do not know a field: at its `path`, or several `names`. A message may quote the prompt, so
 * it must begin like this.
 */
const texts: readonly RegExp[] = [
  // Groq; Cerebras
  /^(?:[\w.]+: )?property '(?<path>[\w.]+)' is unsupported\b/,
  /^'messages\.\d+' : for 'role:\w+' the following must be satisfied\[.{0,500}?property '(?<path>\w+)' is unsupported\b/,
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
  // Fireworks
  /^extra inputs are not permitted, field: '(?<path>[\w.[\]]+)'/i,
  // NVIDIA
  /^body -> (?<path>\w+)\s+extra inputs are not permitted\b/i,
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
  `['"\x60]?(?<path>reasoning_effort|verbosity)['"\x60]? must be ${list}`,
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
 * What an upstream does not take, or not with its values, of what it got: forms of the request, else fields, else their values. A
 * value that no server takes is the client’s mistake. @param sent the JSON that the upstream got
 */
export function readRejected(
  errors: readonly UpstreamError[],
  sent: string,
): readonly RejectedField[] {
  const forms = readRejectedForms(errors, sent);
  if (forms.length > 0) return forms;
  const request = toJsonObject(parseJson(sent));
  const isSent = ({ name, field }: Field) =>
    field.isSent?.(request, sent) ?? request[name] !== undefined;
  const unknown = errors.flatMap((error) => readUnknown(error, sent));
  if (unknown.length > 0) {
    const found = unknown.flatMap((candidates) => candidates.find(isSent) ?? []);
    return [...new Set(found)].map((quirk) => ({ name: quirk.name, values: toValues(quirk) }));
  }
  return errors.flatMap((error) => readValue(error, sent, { request, isSent }));
}

/** The forms of requests that an upstream does not take, whatever its status. */
export function readRejectedForms(
  errors: readonly UpstreamError[],
  sent: string,
): readonly RejectedField[] {
  return errors.flatMap(({ param, message }) => {
    for (const quirk of quirkTable) {
      const { name, texts = [], isOfRequest } = quirk;
      if (name === undefined) continue;
      const found =
        findOwnText(texts, message, sent) ?? findOwnText(texts, `${param}: ${message}`, sent);
      if (found === null) continue;
      const { taken, rejected } = found;
      const values = rejected?.match(/[\w-]+/g) ?? toValues(quirk, taken);
      return [{ name, values, ...(isOfRequest === true && { isOfRequest }) }];
    }
    return [];
  });
}

/** An error, and what it shows without a word: few servers say that an endpoint is missing, or an encoding unknown. */
export function withUnsaidQuirk(
  error: UpstreamFailure,
  { sent: { dialect }, path }: Readonly<{ sent: Sent; path: string }>,
  { isListed }: Pick<Unsaid, 'isListed'>,
): UpstreamFailure {
  if (error.rejectedFields.length > 0) {
    const rejectedFields = error.rejectedFields.map((field) =>
      quirkTable.some(({ name, isOfRequest }) => name === field.name && isOfRequest === dialect)
        ? { ...field, isOfRequest: true }
        : field,
    );
    return error.with({ rejectedFields });
  }
  const unsaid = { status: error.upstreamStatus ?? 0, dialect, path, isListed };
  const { name, isOfRequest } = quirkTable.find((quirk) => quirk.isShownBy?.(unsaid, error)) ?? {};
  if (name === undefined) return error;
  const rejected = { name, values: [], isOfRequest: isOfRequest === true };
  return error.with({ rejectedFields: [rejected] });
}

/** Those that a server has named. */
function toValues({ otherName }: Quirk, taken = ''): readonly string[] {
  return otherName === undefined ? findLevels(taken) : [otherName];
}

/** The fields that a text may name: one of them is sent. */
type Candidates = readonly Field[];

function readUnknown(
  { code, type, param, message }: UpstreamError,
  sent: string,
): readonly Candidates[] {
  // It names the field as its `param`.
  if ([code, type].some((word) => unknownFieldCodes.includes(word ?? ''))) {
    const named = toFields(param ?? '');
    if (named.length > 0) return [named];
  }
  const { path, names = '' } = findOwnText(texts, message, sent) ?? {};
  const paths = path === undefined ? names.split(',') : [path];
  return paths.map(toFields).filter((candidates) => candidates.length > 0);
}

function readValue(
  { param, message }: UpstreamError,
  sent: string,
  { request, isSent }: Readonly<{ request: JsonObject; isSent: (quirk: Field) => boolean }>,
): readonly RejectedField[] {
  const found = findOwnText(valueTexts, message, sent);
  if (found === null) return [];
  const { path, taken, isDefault } = found;
  const quirk = toFields(path ?? param ?? '').find(isSent);
  if (quirk === undefined) return [];
  const { name, field } = quirk;
  if (field.toLevel !== undefined) {
    return isLevel(field.toLevel(request)) ? [{ name, values: findLevels(taken ?? '') }] : [];
  }
  // Without the field, it has this value.
  return isDefault !== undefined || field.isConverted ? [{ name, values: [] }] : [];
}

/** By a path, which may begin at the body, and whose words may be in camel case. */
function toFields(named: string): Candidates {
  const path = named.replace(/^body\./, '');
  const words = path
    .replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    .split(/\W+/)
    .filter((word) => word !== '');
  const last = words.at(-1) ?? '';
  return fields.filter(
    ({ name, field: { otherNames, nestedNames } }) =>
      otherNames?.includes(path.toLowerCase()) ||
      nestedNames?.includes(last) ||
      (words.length === 1 && name === last),
  );
}
