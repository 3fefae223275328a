import type { CallPiece } from '../chat/read-reply.ts';
import { parseJsonObject } from '../json/json-value.ts';
import type { EventWriter } from '../responses/event-writer.ts';
import {
  type ItemStatus,
  type NewId,
  type ReplyItem,
  toCallItem,
  toFinalStatus,
} from './output-item.ts';

export type ReplyCall = ReplyItem & {
  readonly kind: 'call';
  add(piece: CallPiece): string;
};

export function createReplyCall(writer: EventWriter, newId: NewId): ReplyCall {
  let status: ItemStatus | null = null;
  let id = '';
  let callId = '';
  let name = '';
  let text = '';
  let outputIndex = 0;
  // Read repeatedly while other calls wait, so the arguments are only parsed when they have grown.
  let checkedLength = 0;
  let isWhole = false;

  const toPlace = () => ({ item_id: id, output_index: outputIndex });

  function toItem(shownStatus: ItemStatus, shownText = text) {
    return toCallItem({ id, status: shownStatus, callId, name, arguments: shownText });
  }

  function writeDelta(delta: string): string {
    return writer.write('response.function_call_arguments.delta', { ...toPlace(), delta });
  }

  return {
    kind: 'call',
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
      if (status !== null && status !== 'in_progress') return '';
      callId ||= piece.id;
      name ||= piece.name;
      text += piece.arguments;
      return status === null || piece.arguments === '' ? '' : writeDelta(piece.arguments);
    },
    open(index) {
      id = newId('fc');
      callId ||= newId('call');
      outputIndex = index;
      status = 'in_progress';
      const item = toItem(status, '');
      const opening = writer.write('response.output_item.added', { output_index: index, item });
      return text === '' ? opening : opening + writeDelta(text);
    },
    close(reason) {
      status = toFinalStatus(reason).status;
      let delta = '';
      if (text === '' && status === 'completed') {
        // Functions without parameters are often called with an empty text, which is not JSON.
        text = '{}';
        delta = writeDelta(text);
      }
      const item = toItem(status);
      return (
        delta +
        writer.write('response.function_call_arguments.done', {
          ...toPlace(),
          name,
          arguments: text,
        }) +
        writer.write('response.output_item.done', { output_index: outputIndex, item })
      );
    },
    toItem: () => toItem(status === 'completed' ? status : 'incomplete'),
  };
}
