import {
  type Fields,
  type StandInCall,
  type StandInEvent,
  type StandInReply,
  standInError,
  tokensIn,
  tokensOut,
  toPieces,
} from './reply.ts';

/** How a server’s Chat Completions differ from OpenAI’s. */
export type ChatForm = Readonly<{
  /** What one piece of reasoning is in a delta or message. */
  toReasoning?: (text: string) => Fields;
  /** Further fields of a call. */
  call?: Fields;
  /** A call comes in one piece, without an index. */
  isCallWhole?: boolean;
  /** Its usage comes with the last choice, whether asked for or not. */
  hasUsageInLastChoice?: boolean;
}>;

const usage = {
  prompt_tokens: tokensIn,
  completion_tokens: tokensOut,
  total_tokens: tokensIn + tokensOut,
  prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
  completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 0 },
};

/** A complete reply. */
export function toChatResult(reply: StandInReply, { model }: Fields, form: ChatForm): Fields {
  const { thinking, text, calls = [] } = reply;
  const { content = [], ...thought } = thinking ? (form.toReasoning?.(thinking) ?? {}) : {};
  const parts = Array.isArray(content) ? content : [];
  const message = {
    role: 'assistant',
    content: parts.length === 0 ? (text ?? null) : [...parts, { type: 'text', text }],
    refusal: null,
    annotations: [],
    ...thought,
    ...(calls.length > 0 && { tool_calls: calls.map((call) => toCall(call, form)) }),
  };
  const choices = [{ index: 0, message, logprobs: null, finish_reason: toFinish(reply) }];
  return { ...toHead(model), object: 'chat.completion', choices, usage };
}

/** The same in chunks; `[DONE]` follows them. */
export function toChatChunks(
  reply: StandInReply,
  { model, stream_options: options }: Fields,
  form: ChatForm,
): readonly StandInEvent[] {
  const { thinking = '', text = '', calls = [] } = reply;
  const { toReasoning, hasUsageInLastChoice = false } = form;
  const toChunk = (choices: readonly Fields[], more: Fields = {}): Fields => ({
    ...toHead(model),
    object: 'chat.completion.chunk',
    choices,
    ...more,
  });
  const toDelta = (delta: Fields) =>
    toChunk([{ index: 0, delta, logprobs: null, finish_reason: null }], { obfuscation: 'a1B2' });
  const thoughts = toReasoning === undefined ? [] : toPieces(thinking).map(toReasoning);
  const last = [{ index: 0, delta: {}, logprobs: null, finish_reason: toFinish(reply) }];
  return [
    { data: toDelta({ role: 'assistant', content: '', refusal: null }) },
    ...thoughts.map((delta) => ({ data: toDelta(delta) })),
    ...toPieces(text).map((content) => ({ data: toDelta({ content }), isText: true })),
    ...calls.flatMap((call, index) =>
      toCallDeltas(call, index, form).map((delta) => ({ data: toDelta(delta) })),
    ),
    { data: toChunk(last, hasUsageInLastChoice ? { usage } : {}) },
    ...(options === undefined ? [] : [{ data: toChunk([], { usage }) }]),
  ];
}

/** As OpenAI’s and OpenRouter’s servers fail in a stream. */
export const chatFailure: Fields = { error: { ...standInError, param: null } };

function toCallDeltas(call: StandInCall, index: number, form: ChatForm): readonly Fields[] {
  if (form.isCallWhole === true) return [{ tool_calls: [toCall(call, form)] }];
  const pieces = toPieces(JSON.stringify(call.input));
  return [
    { tool_calls: [{ index, ...toCall(call, form, '') }] },
    ...pieces.map((piece) => ({ tool_calls: [{ index, function: { arguments: piece } }] })),
  ];
}

function toCall(
  { id, name, input }: StandInCall,
  { call }: ChatForm,
  text = JSON.stringify(input),
): Fields {
  return { ...call, id, type: 'function', function: { name, arguments: text } };
}

function toHead(model: unknown): Fields {
  const head = { id: 'chatcmpl-1', created: 1_760_000_000, model };
  return { ...head, service_tier: 'default', system_fingerprint: 'fp_1' };
}

function toFinish({ calls = [] }: StandInReply): string {
  return calls.length > 0 ? 'tool_calls' : 'stop';
}
