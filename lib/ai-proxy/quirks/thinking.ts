import { type JsonObject, toJsonArray, toJsonObject, toText } from '#lib/http/json-value.ts';
import { omit } from './changes.ts';
import { effortNames, toNearestLevel } from './fields.ts';
import type { Quirk } from './quirk.ts';

/** In `include` of Responses. */
export const encryptedReasoning = 'reasoning.encrypted_content';

/**
 * What servers reject of thinking, its effort, and what comes back of it. Claude Code recovers by words of these messages,
 * such as `cannot be modified`: it leaves out what was rejected and sends the request again.
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
    field: {
      otherNames: effortNames,
      isSent: ({ reasoning_effort: effort, thinking, reasoning }) =>
        effort === undefined && (thinking ?? reasoning) !== undefined,
      toLevel: ({ reasoning }) => toJsonObject(reasoning).effort,
    },
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
    name: 'top_p',
    isOfRequest: true,
    param: 'top_p',
    texts: [/(?:^[`'"])?\btemperature\W{1,3}and\W{1,3}top_p\W{1,3}cannot both be specified\b/i],
    tell: 'This model does not take `temperature` and `top_p` together: leave one of them out.',
  },
  ...(['temperature', 'top_p', 'top_k'] as const).map(
    (name): Quirk => ({
      name,
      isOfRequest: true,
      texts: [
        new RegExp(
          `(?:^[\`'"])?\\b(?<param>${name})\\W{1,3}(?:may only|must) be .{1,40}? when thinking is enabled`,
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
