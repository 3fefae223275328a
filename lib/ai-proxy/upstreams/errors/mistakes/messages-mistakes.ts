import type { KnownMistake } from './known-mistake.ts';

/**
 * What servers of the Messages API reject. Claude Code recovers by words of these messages, such as `cannot be
 * modified`: it leaves out what was rejected and sends the request again.
 */
export const messagesMistakes: readonly KnownMistake[] = [
  {
    code: null,
    codes: [],
    texts: [/\binvalid `?signature`? in `?thinking`? block/i],
    toMessage: () =>
      'Invalid signature in thinking block: leave out the thinking blocks of earlier replies, or send them unchanged to the model that wrote them.',
  },
  {
    code: null,
    codes: [],
    texts: [/\bthinking\.signature\W{1,3}field required/i],
    toMessage: () =>
      'thinking.signature: Field required. Send thinking blocks as they came, or leave them out.',
  },
  {
    code: null,
    codes: [],
    texts: [/\b(?:redacted_)?thinking`? blocks? .{0,80}cannot be modified/i],
    toMessage: () =>
      '`thinking` or `redacted_thinking` blocks of an earlier reply cannot be modified: send them as they came, or leave all of them out.',
  },
  {
    code: 'unsupported_parameter',
    param: 'thinking',
    codes: [],
    texts: [
      /\badaptive thinking is not supported/i,
      /\bthinking\.type\W{1,8}adaptive\b.{0,60}not supported/i,
    ],
    toMessage: () =>
      'adaptive thinking is not supported by this model: send `"thinking": {"type": "enabled"}` with `budget_tokens`, or leave `thinking` out.',
  },
  {
    code: 'unsupported_parameter',
    param: 'thinking',
    codes: [],
    texts: [/\bthinking\.type\W{1,8}enabled\b.{0,60}not supported/i],
    toMessage: () =>
      '`thinking.type.enabled` is not supported by this model: send `"thinking": {"type": "adaptive"}`.',
  },
  {
    code: 'unsupported_parameter',
    codes: [],
    texts: [
      /\bdoes not support thinking\b|\bthinking(?: budget)? is not supported (?:by|for|with) this model\b/i,
    ],
    toMessage: () =>
      'This model does not think: leave out `reasoning_effort`, or what asks for it in your API.',
  },
  {
    code: 'unsupported_parameter',
    codes: [],
    texts: [/\beffort parameter\b.{0,80}\bnot support|\bnot support (?:the )?effort parameter\b/i],
    toMessage: () =>
      'This model does not support the effort parameter: leave out `output_config.effort`.',
  },
  {
    code: 'unsupported_parameter',
    codes: [],
    texts: [
      /^(?<param>(?:output_config|context_management)(?:\.\w+)*): extra inputs are not permitted/i,
    ],
    toMessage: ({ field }) =>
      `${field ?? '`context_management` or `output_config`'}: Extra inputs are not permitted. This model does not take it: leave it out.`,
  },
  {
    code: 'context_length_exceeded',
    codes: [],
    texts: [
      /\binput length and `max_tokens` exceed context limit: (?<used>\d+) \+ (?<asked>\d+) > (?<max>\d+)/i,
    ],
    toMessage: ({ used, asked, max }) =>
      used === null || asked === null || max === null
        ? 'The prompt and `max_tokens` are too long together: shorten one of them.'
        : `input length and \`max_tokens\` exceed context limit: ${used} + ${asked} > ${max}. Shorten one of them.`,
  },
  {
    code: null,
    codes: [],
    texts: [/\btool_use\W+ids were found without\W+tool_result\b/i],
    toMessage: () =>
      '`tool_use` ids were found without `tool_result` blocks immediately after: each call needs its result in the next message.',
  },
  {
    code: null,
    codes: [],
    texts: [/\bunexpected\W+tool_use_id\W+found in\W+tool_result\b/i],
    toMessage: () =>
      'unexpected `tool_use_id` found in `tool_result`: each result needs its call in the message before.',
  },
  {
    code: null,
    codes: [],
    texts: [/\btool_use\W+ids must be unique\b/i],
    toMessage: () => '`tool_use` ids must be unique: send each call once.',
  },
  {
    code: null,
    codes: [],
    texts: [/\btext content blocks must (?:be non-empty|contain non-whitespace text)\b/i],
    toMessage: () => 'text content blocks must be non-empty: leave the empty ones out.',
  },
  {
    code: null,
    param: 'top_p',
    codes: [],
    texts: [/\btemperature\W{1,3}and\W{1,3}top_p\W{1,3}cannot both be specified\b/i],
    toMessage: () =>
      'This model does not take `temperature` and `top_p` together: leave one of them out.',
  },
  {
    code: null,
    codes: [],
    texts: [
      /\b(?<param>temperature|top_p|top_k)\W{1,3}(?:may only|must) be .{1,40}? when thinking is enabled/i,
    ],
    toMessage: ({ field }) =>
      `While this model thinks, it does not take this value of ${field ?? 'a field'}: leave it out, or turn thinking off.`,
  },
  {
    code: null,
    param: 'thinking',
    codes: [],
    texts: [/\bwhen `?thinking`? is enabled, a final `?assistant`? message must start with\b/i],
    toMessage: () =>
      'While this model thinks, the last reply has to begin with its thinking block: send replies back as they came, or turn thinking off.',
  },
  {
    code: null,
    codes: [],
    texts: [/\beach thinking block must contain thinking\b/i],
    toMessage: () => 'A thinking block is empty: send it as it came, or leave it out.',
  },
  {
    code: null,
    param: 'cache_control',
    codes: [],
    texts: [/\bmaximum of (?<max>\d+) blocks with cache_control\b/i],
    toMessage: ({ max }) =>
      `Too many blocks have \`cache_control\`: ${max === null ? 'send fewer' : `at most ${max} may have it`}.`,
  },
  {
    code: null,
    param: 'cache_control',
    codes: [],
    texts: [/\bcache_control cannot be set for empty text\b/i],
    toMessage: () => 'An empty text cannot have `cache_control`: leave the text out.',
  },
  {
    code: null,
    codes: [],
    texts: [
      /\binput should be 'user' or 'assistant'/i,
      /\bunexpected role\b.{0,40}\binput message role/i,
    ],
    toMessage: () =>
      "messages.role: Input should be 'user' or 'assistant'. Put the role `system` into the field `system`.",
  },
];
