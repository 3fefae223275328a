import {
  type Fields,
  type StandInEvent,
  type StandInReply,
  standInError,
  tokensIn,
  tokensOut,
  toPieces,
} from './reply.ts';

/** How a server’s Messages differ from Anthropic’s. */
export type MessagesForm = Readonly<{
  /** Thinking has an empty signature. */
  lacksSignature?: boolean;
  /** Turns with calls must have the thinking before them. */
  wantsThinking?: boolean;
  /** What it says of system messages within the conversation, which it does not take. */
  rejectsSystem?: string;
}>;

/** What thinking must bring along in a later request. */
export const thinkingSignature = 'EqQB-signature';

const cached = { cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };

/** A complete message. */
export function toMessage(reply: StandInReply, request: Fields, form: MessagesForm): Fields {
  const usage = { input_tokens: tokensIn, ...cached, output_tokens: tokensOut };
  const content = toBlocks(reply, form);
  return { ...toHead(request), content, stop_reason: toStopReason(reply), usage };
}

/** The same in events. */
export function toMessageEvents(
  reply: StandInReply,
  request: Fields,
  form: MessagesForm,
): readonly StandInEvent[] {
  const usage = { input_tokens: tokensIn, ...cached, output_tokens: 1, service_tier: 'standard' };
  const delta = { stop_reason: toStopReason(reply), stop_sequence: null };
  const total = { input_tokens: tokensIn, ...cached, output_tokens: tokensOut };
  return [
    { data: { type: 'message_start', message: { ...toHead(request), usage } } },
    ...toBlocks(reply, form).flatMap(toBlockEvents),
    { data: { type: 'message_delta', delta, usage: total } },
    { data: { type: 'message_stop' } },
  ];
}

/** As Anthropic’s server fails in a stream. */
export const messagesFailure: Fields = {
  type: 'error',
  error: { type: 'overloaded_error', message: standInError.message },
  request_id: 'req_1',
};

function toHead({ model }: Fields): Fields {
  const head = { id: 'msg_1', type: 'message', role: 'assistant', model };
  return { ...head, content: [], stop_reason: null, stop_sequence: null };
}

function toBlocks(
  { thinking, text, calls = [] }: StandInReply,
  { lacksSignature = false }: MessagesForm,
): readonly Fields[] {
  const signature = lacksSignature ? '' : thinkingSignature;
  return [
    ...(thinking === undefined ? [] : [{ type: 'thinking', thinking, signature }]),
    ...(text === undefined ? [] : [{ type: 'text', text }]),
    ...calls.map(({ id, name, input }) => ({ type: 'tool_use', id, name, input })),
  ];
}

function toBlockEvents(block: Fields, index: number): readonly StandInEvent[] {
  const { start, deltas } = toBlockParts(block);
  const isText = block.type === 'text';
  return [
    { data: { type: 'content_block_start', index, content_block: start } },
    ...(index === 0 ? [{ data: { type: 'ping' } }] : []),
    ...deltas.map((delta) => ({ data: { type: 'content_block_delta', index, delta }, isText })),
    { data: { type: 'content_block_stop', index } },
  ];
}

function toBlockParts(block: Fields): Readonly<{ start: Fields; deltas: readonly Fields[] }> {
  if (block.type === 'text') {
    const deltas = toPieces(String(block.text)).map((text) => ({ type: 'text_delta', text }));
    return { start: { ...block, text: '' }, deltas };
  }
  if (block.type === 'tool_use') {
    const pieces = ['', ...toPieces(JSON.stringify(block.input))];
    const deltas = pieces.map((piece) => ({ type: 'input_json_delta', partial_json: piece }));
    return { start: { ...block, input: {} }, deltas };
  }
  const pieces = toPieces(String(block.thinking));
  const { signature } = block;
  const deltas = [
    ...pieces.map((thinking) => ({ type: 'thinking_delta', thinking })),
    ...(signature === '' ? [] : [{ type: 'signature_delta', signature }]),
  ];
  return { start: { ...block, thinking: '', signature: '' }, deltas };
}

function toStopReason({ calls = [] }: StandInReply): string {
  return calls.length > 0 ? 'tool_use' : 'end_turn';
}
