import type { QuirkName } from '#lib/config/quirk-names.ts';
import { type JsonObject, toJsonObject, toText } from '#lib/http/json-value.ts';
import { toChoiceWords } from '../protocols/json/fields.ts';
import { eachIn, ofAllChat, omit } from './changes.ts';
import type { Change, Details, FieldQuirk, Quirk } from './quirk.ts';

/** Of errors about a field that a server does not know. */
export const unknownFieldCodes = [
  'unsupported_parameter',
  'unknown_parameter',
  'extra_forbidden',
  'value_error.extra',
];

/** As servers name an effort, in any of their APIs. */
export const effortNames =
  'reasoning.effort reasoning reasoningeffort reasoning_effort think thinking level'.split(' ');

/** Fields that not every server knows, or not for each model, or not with each value. */
export const fieldQuirks: readonly Quirk[] = [
  {
    name: 'unset_fields',
    texts: [
      // Qwen at Alibaba
      /^\[\] is too short - '(?:messages\.\d+\.)?\w+'/,
      /^(?:<\d+> \w+: )?empty tool_calls is not supported in message\b/i,
      // OpenAI
      /^invalid '(?:messages\[\d+\]\.)?\w+': empty array\b/i,
      // Groq
      /^'messages\.\d+' : for 'role:assistant' the following must be satisfied\[\('messages\.\d+\.tool_calls' : minimum number of items is 1\b/,
      // vLLM
      /^(?:1 validation error:\s+)?`\w+` must not be an empty array\b/,
      // Servers with pydantic
      /^(?:[\w.]+: )?list should have at least 1 item after validation, not 0\b/i,
      // llama.cpp
      /^field '\w+': \[json\.exception\.type_error\.302\] type must be \w+, but is null\b/i,
      // Servers in Rust
      /^(?:failed to deserialize the json body into the target type: )?(?:\w+: )?invalid type: null, expected\b/i,
      // Amazon
      /^malformed input request: #\/\w+: expected type: \w+, found: null\b/i,
    ],
    changes: {
      ...ofAllChat(withoutUnset),
      responses: withoutUnset,
      messages: withoutUnset,
      embeddings: withoutUnset,
    },
    server: 'takes neither `null` nor an empty list for what is not set',
    gets: 'no such fields, from clients of Chat Completions, too',
  },
  {
    name: 'strict',
    field: { nestedNames: ['strict'], isSent: (_, sent) => sent.includes('"strict":') },
    changes: {
      translated: eachIn('tools', (tool) => ({
        ...tool,
        function: omit(toJsonObject(tool.function), 'strict'),
      })),
    },
  },
  {
    name: 'encoding_format',
    field: { isConverted: true },
    // vLLM, in its older versions
    texts: [/^base64 encoding is not (?:currently )?supported\b/i],
    changes: { embeddings: (request) => omit(request, 'encoding_format') },
  },
  {
    name: 'encoding_format',
    isOfRequest: true,
    // Few servers have words for the encoding in which they send vectors.
    isShownBy: ({ dialect, status }) =>
      dialect === 'embeddings' && (status === 400 || status === 422),
  },
  toFieldQuirk('frequency_penalty'),
  toFieldQuirk('metadata'),
  toFieldQuirk('parallel_tool_calls'),
  toFieldQuirk('presence_penalty'),
  toFieldQuirk('prompt_cache_key'),
  toFieldQuirk('reasoning_effort', {
    toLevel: ({ reasoning_effort: effort }) => effort,
    otherNames: effortNames,
  }),
  toFieldQuirk('safety_identifier'),
  toFieldQuirk('seed'),
  // One that changes the price is never left out.
  toFieldQuirk('service_tier', {
    isSent: ({ service_tier: tier }) => tier === 'auto' || tier === 'default',
  }),
  toFieldQuirk('stop'),
  toFieldQuirk('stream_options', { nestedNames: ['stream_options', 'include_usage'] }),
  toFieldQuirk('temperature'),
  // Nor is the demand for a tool.
  toFieldQuirk('tool_choice', { isSent: ({ tool_choice: choice }) => choice === 'auto' }),
  toFieldQuirk('top_k'),
  toFieldQuirk('top_p'),
  toFieldQuirk('user'),
  toFieldQuirk('verbosity', {
    toLevel: ({ verbosity }) => verbosity,
    otherNames: ['text.verbosity'],
  }),
  {
    code: 'unsupported_parameter',
    codes: unknownFieldCodes,
    texts: [
      /\bunsupported parameter: '(?<param>[^']+)'(?:.{0,200}?\buse '(?<instead>[^']+)' instead)?/i,
      /\b(?:unknown|unrecognized|unexpected) (?:parameter|argument|field|name)s?:? ['"`](?<param>[^'"`]+)/i,
      /\bunrecognized request arguments? supplied: (?<param>\w+)/i,
      /\binvalid json payload received\. unknown name "(?<param>\w+)"/i,
      // vLLM, of vectors; Fireworks; NVIDIA
      /\b(?<param>dimensions) (?:is currently not supported|will lead to poor results)\b/i,
      /\bextra inputs are not permitted, field: '(?<param>[\w.[\]]+)'/i,
      /\bbody -> (?<param>\w+)\s+extra inputs are not permitted\b/i,
      /^(?<param>[\w.]+): extra inputs are not permitted/i,
      /\bextra inputs are not permitted\b/i,
      /^'messages\.\d+' : .{0,500}?property '(?<param>\w+)' is unsupported\b/i,
      /['"`](?<param>\w+)['"`]? (?:is|are) (?:not supported|deprecated|immutable) (?:with|by|for) this model/i,
    ],
    tell: ({ field, instead }) =>
      `This model does not take ${field ?? 'a field of the request'}${instead === null ? ': leave it out' : `: use ${instead}`}.`,
  },
  {
    codes: ['missing_required_parameter', 'missing', 'value_error.missing'],
    texts: [
      /\bmissing required (?:parameter|field|argument)s?:? ['"`]?(?<param>[\w.[\]]+)/i,
      /^(?<param>[\w.]+): field required/i,
    ],
    tell: ({ field }) => `${field ?? 'A required field'} is missing from the request.`,
  },
  {
    codes: ['array_above_max_length', 'string_above_max_length'],
    texts: [
      /\binvalid '(?<param>[^']+)': (?:array|string) too long(?:\. expected an? \w+ with maximum length (?<max>\d+))?/i,
      /^(?<param>[\w.]+): (?:string|list) should have at most (?<max>\d+)/i,
      // Of lists of texts: Qwen, SiliconFlow, Gemini
      /\bbatch size is invalid, it should not be larger than (?<max>\d+)\.: (?<param>input)\b/i,
      /^(?<param>input) batch size \d+ > maximum allowed batch size (?<max>\d+)/i,
      /\bat most (?<max>\d+) requests can be in one batch\b/i,
    ],
    tell: ({ field, max }) =>
      `${field ?? 'A field of the request'} is too long: ${max === null ? 'shorten it' : `its length may be at most ${max}`}.`,
  },
  {
    codes: ['unsupported_value', 'integer_above_max_value', 'integer_below_min_value'],
    texts: [
      /\bunsupported value: '(?<param>[^']+)'(?:.{0,200}?\bsupported values are:? (?<values>['"\w, ]+))?/i,
      /\binvalid value for '(?<param>[^']+)': at most (?<max>\d+)/i,
      /\binvalid value:? (?:for )?'(?<param>[^']+)'(?:.{0,200}?\bsupported values are:? (?<values>['"\w, ]+))?/i,
      /\binvalid '(?<param>[^']+)':(?:.{0,200}?expected a value (?:>= (?<min>\d+)|<= (?<max>\d+)))?/i,
      /\binvalid type for '(?<param>[^']+)'/i,
      /\bsupported values are:? (?<values>['"\w, ]+)/i,
      // GigaChat, Z.ai
      /\b(?<param>\w+) (?:must be in range|parameter is illegal)\b/i,
      /^['"`]?(?<param>\w+)['"`]? must be one of (?<values>['"`\w, ]+)/i,
      /^(?:(?<param>[\w.]+): )?input should be (?<values>'['\w, ]+)/i,
      /\b(?<param>\w+): unknown variant `[\w-]+`, expected (?:one of )?(?<values>[`\w, ]+)/,
    ],
    tell: ({ field, ...allowed }) =>
      `This model does not take this value of ${field ?? 'a field'}: ${toAllowed(allowed)}.`,
  },
];

/** Without tools there is nothing to choose from. */
function withoutUnset(request: JsonObject): JsonObject {
  const names = Object.keys(request).filter((name) => isUnset(request[name]));
  const changed = withoutUnsetCalls(omit(request, ...names));
  return changed.tools === undefined ? omit(changed, 'tool_choice') : changed;
}

const withoutUnsetCalls = eachIn('messages', (message) =>
  isUnset(message.tool_calls) ? omit(message, 'tool_calls') : message,
);

function isUnset(value: unknown): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}

/** A field that is left out, or gets the nearest value that is taken. */
function toFieldQuirk(name: QuirkName, field: FieldQuirk = {}): Quirk {
  const { isSent = (request: JsonObject) => request[name] !== undefined } = field;
  const change: Change = (request, taken) => {
    if (!isSent(request, '')) return request;
    const nearest = toNearestLevel(toText(request[name]), taken);
    return nearest === null ? omit(request, name) : { ...request, [name]: nearest };
  };
  return { name, field, changes: { translated: change, added: change } };
}

function toAllowed({ min, max, values }: Pick<Details, 'min' | 'max' | 'values'>): string {
  if (values.length > 0) return `it may be ${toChoiceWords(values)}`;
  if (min !== null) return `it must be ${min} or more`;
  return max === null ? 'see its documentation' : `it may be at most ${max}`;
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

/** Of two that are as near, the higher one, as DeepSeek does it. Null: none, or only one that turns thinking off. */
export function toNearestLevel(value: string, values: readonly string[]): string | null {
  const order: readonly string[] = levels;
  const place = order.indexOf(value);
  if (place < 0 && values.length > 0) return value;
  const usable = values.filter((level) => level !== 'none' || value === 'none');
  const [nearest = null] = usable.toSorted((a, b) => {
    const [first, second] = [order.indexOf(a), order.indexOf(b)];
    return Math.abs(first - place) - Math.abs(second - place) || second - first;
  });
  return nearest;
}
