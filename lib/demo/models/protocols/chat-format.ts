import type { Completion } from '../completion/completion.ts';
import type { Conversation } from '../completion/conversation.ts';
import type { Frame, JsonObject } from '../reply.ts';

export type ResponseMeta = Readonly<{
  id: string;
  createdAt: number;
  model: string;
  /** The fields of the request; a Responses result repeats some of them. */
  request: JsonObject;
}>;

/** The result of a chat completion that is not streamed. */
export function toChatResult(completion: Completion, meta: ResponseMeta): JsonObject {
  const { calls, finish, pieces, reasoning } = completion;
  const message = {
    role: 'assistant',
    content: calls.length > 0 ? null : pieces.join(''),
    refusal: null,
    ...(reasoning.length > 0 && toReasoning(reasoning.join(''))),
    ...(calls.length > 0 && { tool_calls: calls.map((call) => toCallObject(call)) }),
  };
  return {
    ...toHead(meta, 'chat.completion'),
    choices: [{ index: 0, message, logprobs: null, finish_reason: finish }],
    usage: toUsage(completion),
  };
}

/** The same result as a stream: role, deltas, finish reason, usage if requested, `[DONE]`. */
export function toChatFrames(
  completion: Completion,
  meta: ResponseMeta,
  { includeUsage }: Pick<Conversation, 'includeUsage'>,
): Frame[] {
  const head = toHead(meta, 'chat.completion.chunk');
  const usage = includeUsage ? { usage: null } : {};
  const toFrame = (delta: JsonObject, finish: string | null): Frame => ({
    event: null,
    data: {
      ...head,
      choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
      ...usage,
    },
  });
  const usageFrame: Frame = {
    event: null,
    data: { ...head, choices: [], usage: toUsage(completion) },
  };
  return [
    toFrame({ role: 'assistant', content: completion.calls.length > 0 ? null : '' }, null),
    ...completion.reasoning.map((piece) => toFrame(toReasoning(piece), null)),
    ...completion.pieces.map((piece) => toFrame({ content: piece }, null)),
    ...completion.calls.flatMap((call, index) => [
      toFrame({ tool_calls: [{ index, ...toCallObject({ ...call, arguments: '' }) }] }, null),
      ...toPieces(call.arguments).map((piece) =>
        toFrame({ tool_calls: [{ index, function: { arguments: piece } }] }, null),
      ),
    ]),
    toFrame({}, completion.finish),
    ...(includeUsage ? [usageFrame] : []),
    { event: null, data: '[DONE]' },
  ];
}

/** Arguments are split at arbitrary places. */
export function toPieces(text: string): string[] {
  return text.match(/[\s\S]{1,9}/g) ?? [];
}

/** In both of OpenRouter’s fields. */
function toReasoning(text: string): JsonObject {
  const detail = { type: 'reasoning.text', text, format: 'demo-v1', index: 0 };
  return { reasoning: text, reasoning_details: [detail] };
}

function toHead({ id, createdAt, model }: ResponseMeta, object: string) {
  return { id: `chatcmpl-${id}`, object, created: createdAt, model };
}

function toCallObject({ id, name, arguments: written }: Completion['calls'][number]) {
  return { id, type: 'function', function: { name, arguments: written } };
}

function toUsage({ promptTokens, outputTokens }: Completion) {
  return {
    prompt_tokens: promptTokens,
    completion_tokens: outputTokens,
    total_tokens: promptTokens + outputTokens,
    prompt_tokens_details: { cached_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 0 },
  };
}
