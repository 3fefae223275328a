import type { KnownMistake } from './known-mistake.ts';

/** What servers reject of tools, their calls and what belongs to these. */
export const toolMistakes: readonly KnownMistake[] = [
  {
    code: 'unsupported_parameter',
    param: 'tools',
    codes: ['tools_not_supported'],
    texts: [
      /\bdoes not support (?:tools|tool use|tool calling|function calling)\b/i,
      /\bsupport tool use\b|\btool choice requires\b|\btools? (?:is|are) not supported\b|\bfunction calling is not enabled\b/i,
      // llama.cpp
      /\btools param requires --jinja\b|\bunsupported param: tools\b/i,
    ],
    toMessage: () => 'This model cannot use tools: leave out `tools`, or choose another model.',
  },
  {
    code: 'unsupported_parameter',
    param: 'tool_choice',
    codes: [],
    texts: [
      /\bdoes not support this tool_choice\b/i,
      /\bthinking may not be enabled when tool_choice forces\b/i,
    ],
    toMessage: () =>
      'No tool can be demanded of this model while it thinks: send `auto` as `tool_choice`, or turn thinking off.',
  },
  {
    code: 'unsupported_parameter',
    param: 'reasoning_effort',
    codes: [],
    texts: [/\bfunction tools with reasoning_effort are not supported\b/i],
    toMessage: () =>
      'With tools, this model takes no `reasoning_effort` but `none` in Chat Completions: send that, or use `/responses`.',
  },
  {
    code: null,
    codes: [],
    texts: [/\bis missing a \W?thought_signature\b/i],
    toMessage: () =>
      'This model needs its reasoning back with its calls of tools (`extra_content`, or `reasoning_details`): send its replies as they came.',
  },
  {
    code: null,
    codes: [],
    texts: [/\btool call ids? (?:was .{0,100}? but must|should) be\b/i],
    toMessage: () => 'This model takes only ids of calls that have nine letters and digits.',
  },
  {
    code: null,
    codes: [],
    texts: [
      /\btool_calls['"`]? must be followed by tool messages\b|\bmust be a response to a prece+ding message with ['"`]?tool_calls\b/i,
      /\bno tool (?:output|call) found for function call\b/i,
      /\bnumber of function (?:response parts|calls and responses)\b/i,
      /\bmust have a single result\b/i,
      /\bfunction call turn comes immediately after\b/i,
    ],
    toMessage: () =>
      'Tool calls and their results do not belong together: each call needs its result right after it, with the same id.',
  },
  {
    code: null,
    codes: [],
    texts: [/\bfailed to parse grammar\b|\bjson schema conversion failed\b/i],
    toMessage: () =>
      'The server of this model can make no grammar of the JSON Schemas of the request: leave out `pattern`, `format` and bounds such as `maxLength`, or send fewer tools.',
  },
  {
    code: null,
    codes: [],
    texts: [
      /\binvalid '(?<param>tools[^']+name)': string does not match\b/i,
      /^(?<param>(?:tools|messages)[\w.]+\b(?:name|id)): string should match pattern\b/i,
    ],
    toMessage: ({ field }) =>
      `${field ?? 'The name of a tool'} may have only letters, digits, \`_\` and \`-\`.`,
  },
];
