import { type JsonObject, toJsonArray, toJsonObject, toText } from '#lib/http/json-value.ts';
import { toTakenBetas, withTakenBetas } from './beta-header.ts';
import { omit } from './changes.ts';
import { toNearestLevel } from './levels.ts';
import type { Quirk } from './quirk.ts';

/** Where an upstream counts the tokens of Messages, if it does. */
export const countTokensPath = '/messages/count_tokens';

/** In `include` of Responses. */
export const encryptedReasoning = 'reasoning.encrypted_content';

/**
 * What servers of the Messages API reject. Claude Code recovers by words of these messages, such as `cannot be
 * modified`: it leaves out what was rejected and sends the request again.
 */
export const thinkingQuirks: readonly Quirk[] = [
  {
    texts: [/\binvalid `?signature`? in `?thinking`? block/i],
    tell: 'Invalid signature in thinking block: leave out the thinking blocks of earlier replies, or send them unchanged to the model that wrote them.',
  },
  {
    texts: [/\bthinking\.signature\W{1,3}field required/i],
    tell: 'thinking.signature: Field required. Send thinking blocks as they came, or leave them out.',
  },
  {
    texts: [/\b(?:redacted_)?thinking`? blocks? .{0,80}cannot be modified/i],
    tell: '`thinking` or `redacted_thinking` blocks of an earlier reply cannot be modified: send them as they came, or leave all of them out.',
  },
  {
    code: 'unsupported_parameter',
    param: 'thinking',
    texts: [
      /\badaptive thinking is not supported/i,
      /\bthinking\.type\W{1,8}adaptive\b.{0,60}not supported/i,
    ],
    tell: 'adaptive thinking is not supported by this model: send `"thinking": {"type": "enabled"}` with `budget_tokens`, or leave `thinking` out.',
  },
  {
    code: 'unsupported_parameter',
    param: 'thinking',
    texts: [/\bthinking\.type\W{1,8}enabled\b.{0,60}not supported/i],
    tell: '`thinking.type.enabled` is not supported by this model: send `"thinking": {"type": "adaptive"}`.',
  },
  {
    name: 'thinking',
    field: { isSent: ({ thinking, reasoning }) => (thinking ?? reasoning) !== undefined },
    changes: { responses: withTakenEffort, messages: withoutThinking },
    server: 'does not think, in native Messages and Responses',
    gets: 'no `thinking` or `reasoning`, or the nearest effort that it names',
  },
  {
    name: 'encrypted_reasoning',
    field: { otherNames: ['include'], isSent: ({ include }) => include !== undefined },
    // OpenAI
    texts: [/^encrypted content is not supported with this model\b/i],
    changes: { added: withoutEncryptedReasoning },
  },
  {
    name: 'anthropic_beta',
    isOfRequest: true,
    texts: [
      // Google’s and Amazon’s servers of Anthropic’s models; a client may have made the values up
      /^unexpected value\(s\) (?<rejected>`[\w-]{1,80}`(?:, `[\w-]{1,80}`){0,30}) for the `anthropic-beta` header\b/i,
      /^(?:validationexception: )?invalid beta flag\b/i,
    ],
    toTaken: toTakenBetas,
    changeHeaders: withTakenBetas,
    isAvoidedIn: ['messages'],
    server: 'does not know values of the header `anthropic-beta`, which agents always send',
    gets: 'in native Messages, those that it knows',
  },
  {
    name: 'count_tokens',
    // Gateways to Bedrock
    texts: [/^the provided model does(?:n['’]t| not) support counting tokens/i],
    // Of names that clients make up there is no end.
    isShownBy: ({ path, status, isListed }) =>
      path === countTokensPath && isListed && [404, 405, 501].includes(status),
    isAvoidedIn: ['messages'],
  },
  {
    code: 'unsupported_parameter',
    texts: [
      /\bdoes not support thinking\b|\bthinking(?: budget)? is not supported (?:by|for|with) this model\b/i,
    ],
    tell: 'This model does not think: leave out `reasoning_effort`, or what asks for it in your API.',
  },
  {
    code: 'unsupported_parameter',
    texts: [/\beffort parameter\b.{0,80}\bnot support|\bnot support (?:the )?effort parameter\b/i],
    tell: 'This model does not support the effort parameter: leave out `output_config.effort`.',
  },
  {
    code: 'unsupported_parameter',
    texts: [
      /^(?<param>(?:output_config|context_management)(?:\.\w+)*): extra inputs are not permitted/i,
    ],
    tell: ({ field }) =>
      `${field ?? '`context_management` or `output_config`'}: Extra inputs are not permitted. This model does not take it: leave it out.`,
  },
  {
    code: 'context_length_exceeded',
    texts: [
      /\binput length and `max_tokens` exceed context limit: (?<used>\d+) \+ (?<asked>\d+) > (?<max>\d+)/i,
    ],
    tell: ({ used, asked, max }) =>
      used === null || asked === null || max === null
        ? 'The prompt and `max_tokens` are too long together: shorten one of them.'
        : `input length and \`max_tokens\` exceed context limit: ${used} + ${asked} > ${max}. Shorten one of them.`,
  },
  {
    texts: [/\btool_use\W+ids were found without\W+tool_result\b/i],
    tell: '`tool_use` ids were found without `tool_result` blocks immediately after: each call needs its result in the next message.',
  },
  {
    texts: [/\bunexpected\W+tool_use_id\W+found in\W+tool_result\b/i],
    tell: 'unexpected `tool_use_id` found in `tool_result`: each result needs its call in the message before.',
  },
  {
    texts: [/\btool_use\W+ids must be unique\b/i],
    tell: '`tool_use` ids must be unique: send each call once.',
  },
  {
    texts: [/\btext content blocks must (?:be non-empty|contain non-whitespace text)\b/i],
    tell: 'text content blocks must be non-empty: leave the empty ones out.',
  },
  {
    name: 'top_p',
    isOfRequest: true,
    param: 'top_p',
    texts: [/\W?\btemperature\W{1,3}and\W{1,3}top_p\W{1,3}cannot both be specified\b/i],
    tell: 'This model does not take `temperature` and `top_p` together: leave one of them out.',
  },
  ...(['temperature', 'top_p', 'top_k'] as const).map(
    (name): Quirk => ({
      name,
      isOfRequest: true,
      texts: [
        new RegExp(
          `\\W?\\b(?<param>${name})\\W{1,3}(?:may only|must) be .{1,40}? when thinking is enabled`,
          'i',
        ),
      ],
      tell: ({ field }) =>
        `While this model thinks, it does not take this value of ${field ?? 'a field'}: leave it out, or turn thinking off.`,
    }),
  ),
  {
    param: 'thinking',
    texts: [/\bwhen `?thinking`? is enabled, a final `?assistant`? message must start with\b/i],
    tell: 'While this model thinks, the last reply has to begin with its thinking block: send replies back as they came, or turn thinking off.',
  },
  {
    texts: [/\beach thinking block must contain thinking\b/i],
    tell: 'A thinking block is empty: send it as it came, or leave it out.',
  },
  {
    param: 'cache_control',
    texts: [/\bmaximum of (?<max>\d+) blocks with cache_control\b/i],
    tell: ({ max }) =>
      `Too many blocks have \`cache_control\`: ${max === null ? 'send fewer' : `at most ${max} may have it`}.`,
  },
  {
    param: 'cache_control',
    texts: [/\bcache_control cannot be set for empty text\b/i],
    tell: 'An empty text cannot have `cache_control`: leave the text out.',
  },
  {
    texts: [
      /\binput should be 'user' or 'assistant'/i,
      /\bunexpected role\b.{0,40}\binput message role/i,
    ],
    tell: "messages.role: Input should be 'user' or 'assistant'. Put the role `system` into the field `system`.",
  },
  {
    param: 'max_tokens',
    texts: [/\bgreater than `?thinking\.budget_tokens\b/i],
    tell: '`max_tokens` must be greater than `thinking.budget_tokens`.',
  },
  {
    texts: [/\bprovided without its required (?:following item|'reasoning' item)/i],
    tell: 'A reasoning item and the item that follows it belong together: send both back, or none of them.',
  },
];

/** Agents send an effort always, and this model may take another one, or none. */
function withTakenEffort(request: JsonObject, taken: readonly string[]): JsonObject {
  const { reasoning, ...rest } = request;
  const { effort, ...others } = toJsonObject(reasoning);
  if (taken.length > 0 && typeof effort !== 'string') return request;
  const nearest = toNearestLevel(toText(effort), taken);
  return nearest === null ? rest : { ...rest, reasoning: { ...others, effort: nearest } };
}

/** What asks a model to think in Messages: agents always do. */
function withoutThinking(request: JsonObject, taken: readonly string[]): JsonObject {
  const isSent = request.thinking !== undefined;
  return isSent && taken.length === 0 ? omit(request, 'thinking', 'context_management') : request;
}

/** The proxy asks for it on behalf of clients that would find their reasoning stored elsewhere. */
function withoutEncryptedReasoning(request: JsonObject): JsonObject {
  const include = toJsonArray(request.include).filter((name) => name !== encryptedReasoning);
  const others = omit(request, 'include');
  return include.length === 0 ? others : { ...others, include };
}
