import { parseJsonObject } from '#lib/http/json-value.ts';
import type { FinishReason } from '../chat/finish-reason.ts';
import type { CallPiece } from '../chat/read-reply.ts';
import { createReasoningCollector, type ReasoningPiece } from '../chat/reasoning.ts';
import { createReplyQueue, type QueuedItem } from '../chat/reply-queue.ts';
import { toMessagesFrame } from '../messages/event-writer.ts';

/** Creates an id with a prefix: `toolu_…`. */
export type NewId = (prefix: 'toolu') => string;

type TextBlock = QueuedItem & { readonly kind: 'text'; add(text: string): string };
type ThinkingBlock = QueuedItem & { readonly kind: 'thinking'; add(piece: ReasoningPiece): string };
type ToolUseBlock = QueuedItem & { readonly kind: 'tool_use'; add(piece: CallPiece): string };

export type ReplyBlocks = {
  addText(text: string): string;
  addReasoning(piece: ReasoningPiece): string;
  /** A delta of the call with this index. */
  addCall(index: number, piece: CallPiece): string;
  /** Writes and closes the remaining blocks. An empty reply gets one empty text. */
  finish(reason: FinishReason): string;
  readonly isUnclear: boolean;
  readonly hasCalls: boolean;
};

/** The content blocks of a streamed reply, one after another. */
export function createReplyBlocks(newId: NewId): ReplyBlocks {
  const queue = createReplyQueue<TextBlock | ThinkingBlock | ToolUseBlock>();
  const calls = new Map<number, ToolUseBlock>();
  return {
    addText(text) {
      const { last } = queue;
      if (last?.kind === 'text') return last.add(text);
      const block = createTextBlock();
      queue.add(block);
      return block.add(text) + queue.advance();
    },
    addReasoning(piece) {
      const { last } = queue;
      if (last?.kind === 'thinking') return last.add(piece);
      const block = createThinkingBlock();
      queue.add(block);
      return block.add(piece) + queue.advance();
    },
    addCall(index, piece) {
      let block = calls.get(index);
      if (block === undefined) {
        block = createToolUseBlock(newId);
        calls.set(index, block);
        queue.add(block);
      }
      return block.add(piece) + queue.advance();
    },
    finish(reason) {
      if (queue.isEmpty) queue.add(createTextBlock());
      return queue.finish(reason);
    },
    get isUnclear() {
      return queue.isUnclear;
    },
    get hasCalls() {
      return calls.size > 0;
    },
  };
}

/** The frames that every block has, and whether it is open. */
function createBlockFrames() {
  let index = -1;
  let isOpen = false;
  return {
    get isOpen() {
      return isOpen;
    },
    start(at: number, block: object): string {
      index = at;
      isOpen = true;
      return toMessagesFrame('content_block_start', { index, content_block: block });
    },
    delta: (delta: object) => toMessagesFrame('content_block_delta', { index, delta }),
    stop(): string {
      isOpen = false;
      return toMessagesFrame('content_block_stop', { index });
    },
  };
}

function createTextBlock(): TextBlock {
  const frames = createBlockFrames();
  let waiting = '';
  const toDelta = (text: string) => frames.delta({ type: 'text_delta', text });
  return {
    kind: 'text',
    isReady: true,
    isWhole: true,
    add(text) {
      if (frames.isOpen) return toDelta(text);
      waiting += text;
      return '';
    },
    open(at) {
      const start = frames.start(at, { type: 'text', text: '' });
      return waiting === '' ? start : start + toDelta(waiting);
    },
    close: () => frames.stop(),
  };
}

function createThinkingBlock(): ThinkingBlock {
  const frames = createBlockFrames();
  const collector = createReasoningCollector();
  const toDelta = (thinking: string) =>
    thinking === '' ? '' : frames.delta({ type: 'thinking_delta', thinking });
  return {
    kind: 'thinking',
    isReady: true,
    isWhole: true,
    add(piece) {
      collector.add(piece);
      return frames.isOpen ? toDelta(piece.text) : '';
    },
    open: (at) =>
      frames.start(at, { type: 'thinking', thinking: '', signature: '' }) + toDelta(collector.text),
    close: () =>
      frames.delta({ type: 'signature_delta', signature: collector.toToken() }) + frames.stop(),
  };
}

function createToolUseBlock(newId: NewId): ToolUseBlock {
  const frames = createBlockFrames();
  let id = '';
  let name = '';
  let text = '';
  // Read repeatedly while other calls wait, so the arguments are only parsed when they have grown.
  let checkedLength = 0;
  let isWhole = false;
  let isClosed = false;
  const toDelta = (json: string) =>
    json === '' ? '' : frames.delta({ type: 'input_json_delta', partial_json: json });
  return {
    kind: 'tool_use',
    get isReady() {
      return name !== '';
    },
    get isWhole() {
      if (checkedLength !== text.length) {
        checkedLength = text.length;
        isWhole = text.trimEnd().endsWith('}') && parseJsonObject(text) !== null;
      }
      return isWhole;
    },
    add(piece) {
      if (isClosed) return '';
      id ||= piece.id;
      name ||= piece.name;
      text += piece.arguments;
      return frames.isOpen ? toDelta(piece.arguments) : '';
    },
    open(at) {
      id ||= newId('toolu');
      return frames.start(at, { type: 'tool_use', id, name, input: {} }) + toDelta(text);
    },
    close() {
      isClosed = true;
      return frames.stop();
    },
  };
}
