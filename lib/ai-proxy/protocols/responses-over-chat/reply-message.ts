import type { EventWriter } from '../responses/event-writer.ts';
import {
  type ItemStatus,
  type NewId,
  type ReplyItem,
  type ReplyPart,
  toContentPart,
  toFinalStatus,
  toMessageItem,
} from './output-item.ts';

export type ReplyMessage = ReplyItem & {
  readonly kind: 'message';
  /** Adds a delta. A change between text and refusal starts a new part of the message. */
  add(piece: ReplyPart): string;
};

export function createReplyMessage(writer: EventWriter, newId: NewId): ReplyMessage {
  const waiting: ReplyPart[] = [];
  const closedParts: ReplyPart[] = [];
  let status: ItemStatus | null = null;
  let id = '';
  let outputIndex = 0;
  let partKind: ReplyPart['kind'] | null = null;
  let partText = '';
  // The constant fields of a delta as JSON: deltas are by far the most frequent event.
  let beforeDelta = '';

  const toPlace = () => ({
    item_id: id,
    output_index: outputIndex,
    content_index: closedParts.length,
  });

  function toItem(shownStatus: ItemStatus) {
    const open = partKind === null ? [] : [{ kind: partKind, text: partText }];
    return toMessageItem({ id, status: shownStatus, parts: [...closedParts, ...open] });
  }

  function openPart(kind: ReplyPart['kind']): string {
    partKind = kind;
    partText = '';
    beforeDelta = `${JSON.stringify(toPlace()).slice(1, -1)},"delta":`;
    const part = toContentPart({ kind, text: '' });
    return writer.write('response.content_part.added', { ...toPlace(), part });
  }

  function closePart(): string {
    if (partKind === null) return '';
    const part: ReplyPart = { kind: partKind, text: partText };
    const place = toPlace();
    const done =
      part.kind === 'text'
        ? writer.write('response.output_text.done', { ...place, text: part.text, logprobs: [] })
        : writer.write('response.refusal.done', { ...place, refusal: part.text });
    closedParts.push(part);
    partKind = null;
    const shown = toContentPart(part);
    return done + writer.write('response.content_part.done', { ...place, part: shown });
  }

  function write({ kind, text }: ReplyPart): string {
    const opening = partKind === kind ? '' : closePart() + openPart(kind);
    partText += text;
    const delta = beforeDelta + JSON.stringify(text);
    return kind === 'text'
      ? opening + writer.writeText('response.output_text.delta', `${delta},"logprobs":[]`)
      : opening + writer.writeText('response.refusal.delta', delta);
  }

  return {
    kind: 'message',
    isReady: true,
    isWhole: true,
    add(piece) {
      if (status === 'in_progress') return write(piece);
      if (status === null) waiting.push(piece);
      return '';
    },
    open(index) {
      id = newId('msg');
      outputIndex = index;
      status = 'in_progress';
      const item = toItem(status);
      const opening = writer.write('response.output_item.added', { output_index: index, item });
      return opening + waiting.map(write).join('');
    },
    close(reason) {
      // An empty reply is a message with one empty part.
      const isEmpty = partKind === null && closedParts.length === 0;
      const parts = (isEmpty ? openPart('text') : '') + closePart();
      status = toFinalStatus(reason).status;
      const item = toItem(status);
      return parts + writer.write('response.output_item.done', { output_index: outputIndex, item });
    },
    toItem: () => toItem(status === 'completed' ? status : 'incomplete'),
  };
}
