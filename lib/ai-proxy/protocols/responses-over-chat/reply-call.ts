import { parseJsonObject } from '#lib/http/json-value.ts';
import type { CallPiece } from '../chat/read-reply.ts';
import type { EventWriter } from '../responses/event-writer.ts';
import { type CallIdentity, type ChatTools, readCustomInput } from './chat-tools.ts';
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

export function createReplyCall(
  writer: EventWriter,
  newId: NewId,
  identify: ChatTools['identify'],
): ReplyCall {
  let status: ItemStatus | null = null;
  let id = '';
  let callId = '';
  let name = '';
  let text = '';
  let identity: CallIdentity = { name, namespace: null, isCustom: false };
  let outputIndex = 0;
  // Read repeatedly while other calls wait, so the arguments are only parsed when they have grown.
  let checkedLength = 0;
  let given: ReturnType<typeof parseJsonObject> = null;

  const toPlace = () => ({ item_id: id, output_index: outputIndex });

  function readGiven(): typeof given {
    if (checkedLength !== text.length) {
      checkedLength = text.length;
      given = text.trimEnd().endsWith('}') ? parseJsonObject(text) : null;
    }
    return given;
  }

  function toItem(shownStatus: ItemStatus) {
    const shown = identity.isCustom ? readCustomInput(readGiven(), text) : text;
    return toCallItem({ id, status: shownStatus, callId, identity, text: shown });
  }

  function writeDelta(delta: string): string {
    if (delta === '') return '';
    return writer.write('response.function_call_arguments.delta', { ...toPlace(), delta });
  }

  function writeArguments(): string {
    let delta = '';
    if (text === '' && status === 'completed') {
      // Functions without parameters are often called with an empty text, which is not JSON.
      text = '{}';
      delta = writeDelta(text);
    }
    const done = { ...toPlace(), name: identity.name, arguments: text };
    return delta + writer.write('response.function_call_arguments.done', done);
  }

  /** The input comes as JSON, so it is clear only at the end. */
  function writeInput(): string {
    const input = readCustomInput(readGiven(), text);
    return (
      writer.write('response.custom_tool_call_input.delta', { ...toPlace(), delta: input }) +
      writer.write('response.custom_tool_call_input.done', { ...toPlace(), input })
    );
  }

  return {
    kind: 'call',
    get isReady() {
      return name !== '';
    },
    get isWhole() {
      return readGiven() !== null;
    },
    add(piece) {
      if (status !== null && status !== 'in_progress') return '';
      callId ||= piece.id;
      name ||= piece.name;
      text += piece.arguments;
      return status === null || identity.isCustom ? '' : writeDelta(piece.arguments);
    },
    open(index) {
      identity = identify(name);
      id = newId(identity.isCustom ? 'ctc' : 'fc');
      callId ||= newId('call');
      outputIndex = index;
      status = 'in_progress';
      const item = toCallItem({ id, status, callId, identity, text: '' });
      const opening = writer.write('response.output_item.added', { output_index: index, item });
      return identity.isCustom ? opening : opening + writeDelta(text);
    },
    close(reason) {
      status = toFinalStatus(reason).status;
      const ending = identity.isCustom ? writeInput() : writeArguments();
      const item = toItem(status);
      return (
        ending + writer.write('response.output_item.done', { output_index: outputIndex, item })
      );
    },
    toItem: () => toItem(status === 'completed' ? status : 'incomplete'),
  };
}
