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
    texts: [/\beffort parameter\b.*\bnot support|\bnot support (?:the )?effort parameter\b/i],
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
    code: null,
    codes: [],
    texts: [/\bunexpected value\(s\) `?(?<beta>[\w-]+)`? for the `?anthropic-beta`? header/i],
    toMessage: ({ beta }) =>
      `The service behind this model does not know ${beta === null ? 'a value' : `\`${beta}\``} of the header anthropic-beta: leave it out.`,
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
