import { createHash } from 'node:crypto';
import {
  isJsonObject,
  type JsonObject,
  toJsonArray,
  toJsonObject,
  toText,
} from '#lib/http/json-value.ts';
import { withReadable } from '../protocols/json/arguments.ts';
import { eachIn, eachMessage, inOrder, ofAllChat, omit } from './changes.ts';
import type { Change, Quirk } from './quirk.ts';

const reasoningFields = ['reasoning_content', 'reasoning', 'reasoning_details'];

/**
 * What servers reject of tools, of their calls, and of the reasoning that led to these. In messages of other models something is wrong
 * or missing, since libraries drop what they do not know, or send back all that they got.
 */
export const callQuirks: readonly Quirk[] = [
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
    tell: 'This model cannot use tools: leave out `tools`, or choose another model.',
  },
  {
    code: 'unsupported_parameter',
    param: 'tool_choice',
    texts: [
      /\bdoes not support this tool_choice\b|\btool_choice\b.{0,80}\bin thinking mode\b/i,
      /\bthinking may not be enabled when tool_choice forces\b/i,
    ],
    tell: 'No tool can be demanded of this model while it thinks: send `auto` as `tool_choice`, or turn thinking off.',
  },
  {
    name: 'effort_with_tools',
    code: 'unsupported_parameter',
    param: 'reasoning_effort',
    // OpenAI, of models that think with tools only in Responses
    texts: [
      /\bfunction tools with reasoning_effort are not supported\b(?: for \S{1,100} in \S{1,60}\.(?: .{0,80}?\bset reasoning_effort to '(?<taken>none)')?)?/i,
    ],
    tell: 'With tools, this model takes no `reasoning_effort` but `none` in Chat Completions: send that, or use `/responses`.',
    changes: {
      translated(request, taken) {
        if (toJsonArray(request.tools).length === 0) return request;
        const others = omit(request, 'reasoning_effort');
        return taken.includes('none') ? { ...others, reasoning_effort: 'none' } : others;
      },
    },
    server: 'thinks with tools only in Responses',
    gets: 'with tools, no effort, or `none` if it names that',
  },
  {
    name: 'returned_reasoning',
    // A client of chat writes it where it likes, and under any name.
    isOfRequest: 'chat',
    field: {
      nestedNames: reasoningFields,
      isSent: (_, sent) => reasoningFields.some((field) => sent.includes(`"${field}":`)),
    },
    changes: ofAllChat(eachMessage((message) => omit(message, ...reasoningFields))),
    server: 'takes no reasoning of former turns back',
    gets: 'messages without it',
  },
  {
    name: 'broken_arguments',
    isOfRequest: true,
    texts: [
      // llama.cpp, Ollama, gateways, Fireworks; vLLM, which says where in the arguments
      /^(?:failed to parse|invalid) tool call (?:in messages: tool_calls\[\]\.function\.)?arguments\b/i,
      /^(?:invalid request: )?messages[.[]\d+\]?\.tool_calls[.[]\d+\]?\.function\.arguments: /i,
      // At its first character, it is most often the reply of another server.
      /^(?:unterminated string starting at|expecting (?:value(?!: line 1 column 1 )|',' delimiter|':' delimiter|property name enclosed in double quotes)|invalid \\escape|invalid control character at|extra data): line \d+ column \d+/i,
    ],
    changes: {
      ...ofAllChat(
        eachCall((call) =>
          isJsonObject(call.function) ? { ...call, function: withReadable(call.function) } : call,
        ),
      ),
      responses: eachItem(withReadable),
    },
    server: 'parses the arguments of former calls',
    gets: '`{}` for those that are no JSON object, as of a call that was cut off',
  },
  {
    name: 'calls_without_reasoning',
    texts: [
      // DeepSeek, Kimi
      /^missing [`'"]?reasoning_content[`'"]? field in the assistant message/i,
      /^thinking is enabled but reasoning_content is missing in assistant/i,
      /^the [`'"]?(?:reasoning_content|content\[\]\.thinking)[`'"]? in the thinking mode must be passed back/i,
      /^missing thinking block in the assistant message at message index/i,
    ],
    changes: { ...ofAllChat(eachMessage(withReasoning)), messages: eachMessage(withThinking) },
    server: 'wants reasoning with each call of a tool',
    gets: 'an empty one with calls of other models, in native Messages, too',
  },
  {
    name: 'call_ids',
    // Mistral, and the templates of its models
    texts: [/\btool call ids? (?:was .{0,100}? but must|should) be\b/i],
    tell: 'This model takes only ids of calls that have nine letters and digits.',
    changes: changeIds(/^[a-zA-Z0-9]{9}$/),
    server: 'takes only ids of calls with nine letters and digits',
    gets: 'others for the calls of other models, and their results',
  },
  {
    name: 'odd_call_ids',
    texts: [
      // OpenAI
      /^invalid '(?:messages|input)\[\d+\]\.(?:tool_calls\[\d+\]\.id|tool_call_id|call_id)': string too long\b/i,
      // Anthropic
      /^messages\.\d+\.content\.\d+\.[\w.]*?id: string should match pattern\b/i,
    ],
    changes: changeIds(/^[\w-]{1,40}$/),
    server:
      'takes no ids of calls that are longer than 40 characters, or have others than letters, digits, `_` and `-`',
    gets: 'others for the calls of other models, and their results',
  },
  {
    name: 'calls_without_signature',
    // Gemini, Vertex AI
    texts: [
      /\bfunction call .{0,120}?\bis missing a \W?thought_signature\b/i,
      /\bis missing a \W?thought_signature\b/i,
    ],
    tell: 'This model needs its reasoning back with its calls of tools (`extra_content`, or `reasoning_details`): send its replies as they came.',
    changes: ofAllChat(eachMessage(withSignature)),
    server: 'wants its signature with each call, as Gemini does',
    gets: 'what Gemini takes in place of one with calls of other models',
  },
  {
    name: 'calls_without_details',
    // OpenRouter, of Gemini
    texts: [/^gemini models require openrouter reasoning details\b/i],
    changes: ofAllChat(eachMessage(withDetails)),
    server: 'wants reasoning details with each call, as OpenRouter does for Gemini',
    gets: 'what Gemini takes in place of these with calls of other models',
  },
  {
    texts: [
      /\btool_calls['"`]? must be followed by tool messages\b|\bmust be a response to a prece+ding message with ['"`]?tool_calls\b/i,
      /\bno tool (?:output|call) found for function call\b/i,
      /\bnumber of function (?:response parts|calls and responses)\b/i,
      /\bmust have a single result\b/i,
      /\bfunction call turn comes immediately after\b/i,
    ],
    tell: 'Tool calls and their results do not belong together: each call needs its result right after it, with the same id.',
  },
  {
    texts: [
      /\binvalid '(?<param>tools[^']+name)': string does not match\b/i,
      /^(?<param>(?:tools|messages)[\w.]+\b(?:name|id)): string should match pattern\b/i,
      // Kimi
      /\bfunction name is invalid\b/i,
    ],
    tell: ({ field }) =>
      `${field ?? 'The name of a tool'} may have only letters, digits, \`_\` and \`-\`.`,
  },
];

function eachCall(change: (call: JsonObject) => JsonObject): Change {
  return eachMessage(eachIn('tool_calls', change));
}

/** Of the calls and their results in an input of Responses. */
function eachItem(change: (item: JsonObject) => JsonObject): Change {
  return (request) =>
    Array.isArray(request.input)
      ? {
          ...request,
          input: request.input.map((item) =>
            isJsonObject(item) && typeof item.call_id === 'string' ? change(item) : item,
          ),
        }
      : request;
}

/**
 * Ids of calls that a server takes: a conversation that changes its model carries those of another one. The server’s own ids
 * stay as they are, and with them its prompt cache.
 */
function changeIds(taken: RegExp) {
  const toId = (id: unknown) =>
    taken.test(toText(id)) ? id : createHash('sha256').update(toText(id)).digest('hex').slice(0, 9);
  const change = (name: string) => (object: JsonObject) =>
    object[name] === undefined ? object : { ...object, [name]: toId(object[name]) };
  const ofBlock = (block: JsonObject) => {
    if (block.type === 'tool_use') return change('id')(block);
    return block.type === 'tool_result' ? change('tool_use_id')(block) : block;
  };
  return {
    ...ofAllChat(inOrder(eachCall(change('id')), eachMessage(change('tool_call_id')))),
    responses: eachItem(change('call_id')),
    messages: eachMessage(eachIn('content', ofBlock)),
  };
}

function withReasoning(message: JsonObject): JsonObject {
  const isBare =
    toJsonArray(message.tool_calls).length > 0 &&
    reasoningFields.every((name) => message[name] === undefined);
  return isBare ? { ...message, reasoning_content: '' } : message;
}

/** The same in Messages. */
function withThinking(message: JsonObject): JsonObject {
  const blocks = toJsonArray(message.content).map(toJsonObject);
  const has = (...types: readonly unknown[]) => blocks.some(({ type }) => types.includes(type));
  const isBare = has('tool_use') && !has('thinking', 'redacted_thinking');
  if (message.role !== 'assistant' || !isBare) return message;
  return { ...message, content: [{ type: 'thinking', thinking: '', signature: '' }, ...blocks] };
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

function isSigned({ extra_content: extra }: JsonObject): boolean {
  return toJsonObject(toJsonObject(extra).google).thought_signature !== undefined;
}

/** The same as OpenRouter wants it. */
function withDetails(message: JsonObject): JsonObject {
  const [first] = toJsonArray(message.tool_calls).map(toJsonObject);
  if (first === undefined || message.reasoning_details !== undefined) return message;
  const detail = { type: 'reasoning.encrypted', format: 'google-gemini-v1', data: noSignature };
  return { ...message, reasoning_details: [{ ...detail, id: first.id, index: 0 }] };
}
