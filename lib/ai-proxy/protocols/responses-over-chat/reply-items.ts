import type { JsonObject } from '../json/json-value.ts';
import type { EventWriter } from '../responses/event-writer.ts';
import type { FinalStatus, NewId, ReplyPart } from './output-item.ts';
import { type CallPiece, createReplyCall, type ReplyCall } from './reply-call.ts';
import { createReplyMessage, type ReplyMessage } from './reply-message.ts';

export type ReplyItems = {
  addText(piece: ReplyPart): string;
  /** A delta of the call with this index. */
  addCall(index: number, piece: CallPiece): string;
  /** Writes and closes the remaining items. An empty reply gets one empty message. */
  finish(status: FinalStatus['status']): string;
  /** Whether an item lacks a required value, such as the name of a function. */
  readonly isUnclear: boolean;
  /** All opened items, as far as they have been received. */
  toOutput(): readonly JsonObject[];
};

/**
 * Orders the deltas of a chat reply, which may be interleaved, into consecutive items, since items
 * of Responses never overlap. The first item that is not closed is streamed; later ones are queued.
 * A message is closed when a call follows it, a call when its arguments are complete, or at the
 * end.
 */
export function createReplyItems(writer: EventWriter, newId: NewId): ReplyItems {
  const items: (ReplyMessage | ReplyCall)[] = [];
  const calls = new Map<number, ReplyCall>();
  /** Index of the item being streamed; those before it are closed. */
  let position = 0;
  let isOpen = false;

  function openNext(): string {
    const item = items[position];
    if (isOpen || item?.isReady !== true) return '';
    isOpen = true;
    return item.open(position);
  }

  function closeNext(status: FinalStatus['status']): string {
    isOpen = false;
    return items[position++]?.close(status) ?? '';
  }

  function advance(): string {
    let text = openNext();
    while (isOpen && position < items.length - 1 && items[position]?.isWhole) {
      text += closeNext('completed') + openNext();
    }
    return text;
  }

  return {
    addText(piece) {
      const last = items.at(-1);
      if (last?.kind === 'message') return last.add(piece);
      const message = createReplyMessage(writer, newId);
      items.push(message);
      message.add(piece);
      return advance();
    },
    addCall(index, piece) {
      let call = calls.get(index);
      if (call === undefined) {
        call = createReplyCall(writer, newId);
        calls.set(index, call);
        items.push(call);
      }
      return call.add(piece) + advance();
    },
    finish(status) {
      if (items.length === 0) items.push(createReplyMessage(writer, newId));
      let text = advance();
      for (let item = items[position]; item !== undefined; item = items[position]) {
        const isCut = position === items.length - 1 || !item.isWhole;
        text += closeNext(isCut ? status : 'completed') + openNext();
      }
      return text;
    },
    get isUnclear() {
      return items.some((item) => !item.isReady);
    },
    toOutput: () => items.slice(0, isOpen ? position + 1 : position).map((item) => item.toItem()),
  };
}
