import type { Completion } from '../completion/completion.ts';
import type { Frame, JsonObject } from '../reply.ts';
import { type ResponseMeta, toPieces } from './chat-format.ts';

/** A message that is not streamed. */
export function toMessagesResult(completion: Completion, meta: ResponseMeta): JsonObject {
  return {
    ...toHead(meta),
    content: toBlocks(completion),
    stop_reason: toStopReason(completion),
    usage: toUsage(completion, completion.outputTokens),
  };
}

/** The same message as a stream of events. */
export function toMessagesFrames(completion: Completion, meta: ResponseMeta): Frame[] {
  const started = { ...toHead(meta), usage: toUsage(completion, 1) };
  const events: JsonObject[] = [
    { type: 'message_start', message: started },
    { type: 'ping' },
    ...toBlocks(completion).flatMap((block, index) => toBlockEvents(block, index, completion)),
    {
      type: 'message_delta',
      delta: { stop_reason: toStopReason(completion), stop_sequence: null },
      usage: { output_tokens: completion.outputTokens },
    },
    { type: 'message_stop' },
  ];
  return events.map((data) => ({ event: String(data.type), data }));
}

function toBlockEvents(block: JsonObject, index: number, completion: Completion): JsonObject[] {
  const toDelta = (delta: JsonObject) => ({ type: 'content_block_delta', index, delta });
  return [
    { type: 'content_block_start', index, content_block: toEmptyBlock(block) },
    ...toDeltas(block, completion).map(toDelta),
    { type: 'content_block_stop', index },
  ];
}

function toEmptyBlock(block: JsonObject): JsonObject {
  if (block.type === 'tool_use') return { ...block, input: {} };
  if (block.type === 'thinking') return { ...block, thinking: '', signature: '' };
  return { ...block, text: '' };
}

function toDeltas(block: JsonObject, { pieces, reasoning }: Completion): JsonObject[] {
  if (block.type === 'tool_use') {
    return ['', ...toPieces(JSON.stringify(block.input))].map((piece) => ({
      type: 'input_json_delta',
      partial_json: piece,
    }));
  }
  if (block.type === 'text') return pieces.map((text) => ({ type: 'text_delta', text }));
  return [
    ...reasoning.map((thinking) => ({ type: 'thinking_delta', thinking })),
    { type: 'signature_delta', signature: block.signature },
  ];
}

function toBlocks({ calls, pieces, reasoning }: Completion): JsonObject[] {
  const thinking = reasoning.join('');
  return [
    ...(thinking === '' ? [] : [{ type: 'thinking', thinking, signature: 'demo-signature' }]),
    ...(calls.length === 0 ? [{ type: 'text', text: pieces.join('') }] : []),
    ...calls.map(({ id, name, arguments: written }) => ({
      type: 'tool_use',
      id,
      name,
      input: JSON.parse(written),
    })),
  ];
}

const stopReasons = { stop: 'end_turn', length: 'max_tokens', tool_calls: 'tool_use' } as const;

function toStopReason({ finish }: Completion): string {
  return stopReasons[finish];
}

function toHead({ id, model }: ResponseMeta) {
  return {
    id: `msg_${id}`,
    type: 'message',
    role: 'assistant',
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
  };
}

function toUsage({ promptTokens }: Completion, outputTokens: number) {
  const cached = Math.floor(promptTokens / 4);
  return {
    input_tokens: promptTokens - cached,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: cached,
    output_tokens: outputTokens,
  };
}
