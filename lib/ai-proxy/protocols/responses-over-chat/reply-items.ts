import type { JsonObject } from '#lib/http/json-value.ts';
import type { FinishReason } from '../chat/finish-reason.ts';
import type { CallPiece } from '../chat/read-reply.ts';
import type { ReasoningPiece } from '../chat/reasoning.ts';
import { createReplyQueue } from '../chat/reply-queue.ts';
import type { EventWriter } from '../responses/event-writer.ts';
import type { ChatTools } from './chat-tools.ts';
import type { NewId, ReplyPart } from './output-item.ts';
import { createReplyCall, type ReplyCall } from './reply-call.ts';
import { createReplyMessage, type ReplyMessage } from './reply-message.ts';
import { createReplyReasoning, type ReplyReasoning } from './reply-reasoning.ts';

export type ReplyItems = {
  addText(piece: ReplyPart): string;
  addReasoning(piece: ReasoningPiece): string;
  /** A delta of the call with this index. */
  addCall(index: number, piece: CallPiece): string;
  /** Writes and closes the remaining items. An empty reply gets one empty message. */
  finish(reason: FinishReason): string;
  /** Whether an item lacks a required value, such as the name of a function. */
  readonly isUnclear: boolean;
  /** All opened items, as far as they have been received. */
  toOutput(): readonly JsonObject[];
};

/** The items of a streamed reply, one after another. */
export function createReplyItems(
  writer: EventWriter,
  newId: NewId,
  identify: ChatTools['identify'],
): ReplyItems {
  const queue = createReplyQueue<ReplyMessage | ReplyReasoning | ReplyCall>();
  const calls = new Map<number, ReplyCall>();
  return {
    addText(piece) {
      const { last } = queue;
      if (last?.kind === 'message') return last.add(piece);
      const message = createReplyMessage(writer, newId);
      queue.add(message);
      return message.add(piece) + queue.advance();
    },
    addReasoning(piece) {
      const { last } = queue;
      if (last?.kind === 'reasoning') return last.add(piece);
      const reasoning = createReplyReasoning(writer, newId);
      queue.add(reasoning);
      return reasoning.add(piece) + queue.advance();
    },
    addCall(index, piece) {
      let call = calls.get(index);
      if (call === undefined) {
        call = createReplyCall(writer, newId, identify);
        calls.set(index, call);
        queue.add(call);
      }
      return call.add(piece) + queue.advance();
    },
    finish(reason) {
      if (queue.isEmpty) queue.add(createReplyMessage(writer, newId));
      return queue.finish(reason);
    },
    get isUnclear() {
      return queue.isUnclear;
    },
    toOutput: () => queue.opened().map((item) => item.toItem()),
  };
}
