import { toChoiceWords } from '../../../protocols/json/fields.ts';
import { formatMistakes } from './format-mistakes.ts';
import type { Details, KnownMistake } from './known-mistake.ts';
import { mediaMistakes } from './media-mistakes.ts';
import { messagesMistakes } from './messages-mistakes.ts';
import { toolMistakes } from './tool-mistakes.ts';
import { unknownTypes } from './unknown-types.ts';

const unsupported = 'unsupported_parameter';
const tooLong = 'context_length_exceeded';
const filtered = 'content_filter';

/** In order: the first that matches is reported. */
export const knownMistakes: readonly KnownMistake[] = [
  ...messagesMistakes,
  ...unknownTypes,
  ...toolMistakes,
  ...formatMistakes,
  ...mediaMistakes,
  {
    code: null,
    codes: [],
    texts: [
      /(?<param>max_\w{0,20}tokens)\W* is too large.{0,200}?at most (?<max>\d+)/i,
      /^(?<param>max_tokens): \d+ > (?<max>\d+)/,
      /(?<param>max_\w{0,20}tokens)\W* must be less than or equal to \D{0,3}(?<max>\d+)/i,
    ],
    toMessage: ({ field, max }) =>
      `${field ?? 'The bound of the reply'} is larger than this model allows: ${max === null ? 'lower it' : `at most ${max}`}.`,
  },
  {
    code: tooLong,
    codes: [
      tooLong,
      'exceed_context_size_error',
      'context_window_exceeded',
      'model_context_window_exceeded',
      'model_max_prompt_tokens_exceeded',
      // Z.ai
      '1261',
    ],
    texts: [
      // OpenAI, vLLM
      /maximum context length (?:is|of) (?<max>\d+) tokens\. However, .{0,60}?(?:messages resulted in|prompt contains at least) (?<used>\d+)/i,
      /maximum context length (?:is|of) (?<max>\d+)/i,
      // Anthropic, Fireworks
      /prompt is too long: (?<used>\d+) tokens > (?<max>\d+)/i,
      /prompt is too long: (?<used>\d+), model maximum context length: (?<max>\d+)/i,
      // llama.cpp, LM Studio
      /request \((?<used>\d+) tokens\) exceeds the available context size \((?<max>\d+)/i,
      /keep the first (?<used>\d+) tokens .{0,80}?context length of only (?<max>\d+)/i,
      // Google
      /input token count \(?(?<used>\d+)\)? exceeds the maximum number of tokens allowed \(?(?<max>\d+)/i,
      /maximum number of tokens allowed \(?(?<max>\d+)/i,
      // TGI
      /`inputs` tokens \+ `max_new_tokens` must be <= (?<max>\d+)/,
      // xAI, Kimi, GitHub
      /maximum prompt length is (?<max>\d+) but the request contains (?<used>\d+)/i,
      /exceeded model token limit: (?<max>\d+) \(requested: (?<used>\d+)\)/i,
      /prompt token count of (?<used>\d+) exceeds the limit of (?<max>\d+)/i,
      // SGLang, TensorRT-LLM and gateways before them
      /input \((?<used>\d+) tokens\) is longer than the model's context length \((?<max>\d+)/i,
      /input length \(?(?<used>\d+)(?: tokens)?\)? exceeds (?:the )?(?:model's )?maximum (?:\w+ ){0,2}length \(?(?:of )?(?<max>\d+)/i,
      // Qwen
      /range of input length should be \[\d+, ?(?<max>\d+)\]/i,
      // vLLM, NVIDIA: what is left for the reply
      /\bmax_tokens must be at least ?1, got -\d+/i,
      // Bedrock, Groq, Kimi, Z.ai and others
      /\bcontext (?:length|window|limit|size)\b/i,
      /\bprompt is too long\b|\binput is too long for\b|\btoo many (?:input )?tokens\b|\blonger than the maximum model length\b/i,
      /\bexceeded model token limit\b|\btoken limit exceeded\b|\bmore than max tokens allowed\b|\bprompt exceeds max length\b/i,
      /\bexceeds (?:the )?maximum allowed input length\b|\breduce the length of the messages\b|\bcontext shift is disabled\b/i,
    ],
    toMessage: ({ used, max }) =>
      used !== null && max !== null
        ? `The prompt is too long: ${used} tokens > ${max} maximum, prompt and reply together. Shorten one of them.`
        : `The prompt is too long: this model takes ${max === null ? 'less' : `${max} tokens`}, prompt and reply together. Shorten one of them.`,
  },
  {
    code: filtered,
    codes: [
      filtered,
      'content_policy_violation',
      'ResponsibleAIPolicyViolation',
      'invalid_prompt',
      'bio_policy',
      'misalignment_policy_violation',
      // Z.ai
      '1301',
    ],
    texts: [
      /\bcontent (?:management|filtering|filter|safety|usage) polic/i,
      /\bblocked by content filter|\byour input was flagged\b|\binappropriate content\b|\bsafety system\b/i,
    ],
    toMessage: () =>
      'The content filter of the service behind this model rejects this prompt: change it.',
  },
  {
    // At OpenAI. Codex explains it to its user, and sends the request again where it does not know why it has failed.
    code: 'cyber_policy',
    codes: ['cyber_policy'],
    texts: [/\bflagged\b.{0,60}?\bcybersecurity\b/i],
    toMessage: () =>
      'The service behind this model takes this request for a possible cybersecurity risk: word it differently, or choose another model.',
  },
  {
    code: null,
    codes: [],
    texts: [
      /\bsystem role (?:is )?not supported\b|\bdeveloper instruction is not enabled\b/i,
      /\binvalid message role: system\b/i,
    ],
    toMessage: () =>
      'This model takes no role `system`: put instructions into the first message of the role `user`.',
  },
  {
    code: null,
    codes: [],
    texts: [
      /\bsystem messages? must be (?:at the beginning|the first)\b|\binvalid chat setting\b/i,
    ],
    toMessage: () =>
      'This model takes the role `system` only in the first message: send later ones as `user`.',
  },
  {
    code: unsupported,
    codes: [unsupported, 'unknown_parameter', 'extra_forbidden', 'value_error.extra'],
    texts: [
      /\bunsupported parameter: '(?<param>[^']+)'(?:.{0,200}?\buse '(?<instead>[^']+)' instead)?/i,
      /\b(?:unknown|unrecognized|unexpected) (?:parameter|argument|field|name)s?:? ['"`](?<param>[^'"`]+)/i,
      /\bunrecognized request arguments? supplied: (?<param>\w+)/i,
      /\binvalid json payload received\. unknown name "(?<param>\w+)"/i,
      /^(?<param>[\w.]+): extra inputs are not permitted/i,
      /\bextra inputs are not permitted\b/i,
      /['"`](?<param>\w+)['"`]? (?:is|are) (?:not supported|deprecated|immutable) (?:with|by|for) this model/i,
    ],
    toMessage: ({ field, instead }) =>
      `This model does not take ${field ?? 'a field of the request'}${instead === null ? ': leave it out' : `: use ${instead}`}.`,
  },
  {
    code: null,
    codes: [],
    texts: [/\bprovided without its required (?:following item|'reasoning' item)/i],
    toMessage: () =>
      'A reasoning item and the item that follows it belong together: send both back, or none of them.',
  },
  {
    code: null,
    codes: ['missing_required_parameter', 'missing', 'value_error.missing'],
    texts: [
      /\bmissing required (?:parameter|field|argument)s?:? ['"`]?(?<param>[\w.[\]]+)/i,
      /^(?<param>[\w.]+): field required/i,
    ],
    toMessage: ({ field }) => `${field ?? 'A required field'} is missing from the request.`,
  },
  {
    code: null,
    codes: [],
    texts: [/\broles must alternate\b|\bmust alternate between\b|\bshould alternate with\b/i],
    toMessage: () => 'The messages must alternate between `user` and `assistant` for this model.',
  },
  {
    code: null,
    codes: [],
    texts: [
      /\bmust (?:be|have) non-empty\b|\bnon-empty content\b|\bmust contain at least one part\b|\bcontents? (?:is|are) not specified\b/i,
    ],
    toMessage: ({ field }) => `${field ?? 'The content of a message'} must not be empty.`,
  },
  {
    code: null,
    codes: [],
    texts: [/\bmust contain the word ['"`]json['"`]/i],
    toMessage: () => 'For replies of type `json_object` the prompt has to contain the word “json”.',
  },
  {
    code: unsupported,
    codes: [],
    texts: [
      /\bassistant message prefill\b|\bmust end with a user message\b|\bexpected last role user\b/i,
    ],
    toMessage: () => 'The last message has to be one of the user for this model.',
  },
  {
    code: null,
    param: 'stream',
    codes: [],
    texts: [/\bonly supports? stream\b|\bfor non-streaming calls\b|\bstreaming is required\b/i],
    toMessage: () => 'This model replies in a stream only: send `"stream": true`.',
  },
  {
    code: null,
    param: 'max_tokens',
    codes: [],
    texts: [/\bgreater than `?thinking\.budget_tokens\b/i],
    toMessage: () => '`max_tokens` must be greater than `thinking.budget_tokens`.',
  },
  {
    code: null,
    codes: ['array_above_max_length', 'string_above_max_length'],
    texts: [
      /\binvalid '(?<param>[^']+)': (?:array|string) too long(?:\. expected an? \w+ with maximum length (?<max>\d+))?/i,
      /^(?<param>[\w.]+): (?:string|list) should have at most (?<max>\d+)/i,
    ],
    toMessage: ({ field, max }) =>
      `${field ?? 'A field of the request'} is too long: ${max === null ? 'shorten it' : `its length may be at most ${max}`}.`,
  },
  {
    code: null,
    codes: ['unsupported_value', 'integer_above_max_value', 'integer_below_min_value'],
    texts: [
      /\bunsupported value: '(?<param>[^']+)'(?:.{0,200}?\bsupported values are:? (?<values>['"\w, ]+))?/i,
      /\binvalid value for '(?<param>[^']+)': at most (?<max>\d+)/i,
      /\binvalid value:? (?:for )?'(?<param>[^']+)'(?:.{0,200}?\bsupported values are:? (?<values>['"\w, ]+))?/i,
      /\binvalid '(?<param>[^']+)':(?:.{0,200}?expected a value (?:>= (?<min>\d+)|<= (?<max>\d+)))?/i,
      /\binvalid type for '(?<param>[^']+)'/i,
      /\bsupported values are:? (?<values>['"\w, ]+)/i,
      /^['"`]?(?<param>\w+)['"`]? must be one of (?<values>['"`\w, ]+)/i,
      /^(?:(?<param>[\w.]+): )?input should be (?<values>'['\w, ]+)/i,
      /\b(?<param>\w+): unknown variant `[\w-]+`, expected (?:one of )?(?<values>[`\w, ]+)/,
    ],
    toMessage: ({ field, ...allowed }) =>
      `This model does not take this value of ${field ?? 'a field'}: ${toAllowed(allowed)}.`,
  },
];

function toAllowed({ min, max, values }: Pick<Details, 'min' | 'max' | 'values'>): string {
  if (values.length > 0) return `it may be ${toChoiceWords(values)}`;
  if (min !== null) return `it must be ${min} or more`;
  return max === null ? 'see its documentation' : `it may be at most ${max}`;
}
