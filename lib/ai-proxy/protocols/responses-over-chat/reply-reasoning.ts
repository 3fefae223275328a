import { createReasoningCollector, type ReasoningPiece } from '../chat/reasoning.ts';
import type { EventWriter } from '../responses/event-writer.ts';
import { type NewId, type ReplyItem, toReasoningItem } from './output-item.ts';

export type ReplyReasoning = ReplyItem & {
  readonly kind: 'reasoning';
  add(piece: ReasoningPiece): string;
};

/** Reasoning is shown as a summary, the one form that every client displays. */
export function createReplyReasoning(writer: EventWriter, newId: NewId): ReplyReasoning {
  const collector = createReasoningCollector();
  let isOpen = false;
  let isClosed = false;
  let hasPart = false;
  let id = '';
  let outputIndex = 0;

  const toPlace = () => ({ item_id: id, output_index: outputIndex, summary_index: 0 });
  const toItem = () => toReasoningItem({ id, text: collector.text, token: collector.toToken() });

  function writeDelta(delta: string): string {
    if (delta === '') return '';
    const part = { type: 'summary_text', text: '' };
    const opening = hasPart
      ? ''
      : writer.write('response.reasoning_summary_part.added', { ...toPlace(), part });
    hasPart = true;
    return opening + writer.write('response.reasoning_summary_text.delta', { ...toPlace(), delta });
  }

  return {
    kind: 'reasoning',
    isReady: true,
    isWhole: true,
    add(piece) {
      if (isClosed) return '';
      collector.add(piece);
      return isOpen ? writeDelta(piece.text) : '';
    },
    open(index) {
      id = newId('rs');
      outputIndex = index;
      isOpen = true;
      const item = { type: 'reasoning', id, summary: [] };
      const opening = writer.write('response.output_item.added', { output_index: index, item });
      return opening + writeDelta(collector.text);
    },
    close() {
      isOpen = false;
      isClosed = true;
      const { text } = collector;
      const part = { type: 'summary_text', text };
      const ending = hasPart
        ? writer.write('response.reasoning_summary_text.done', { ...toPlace(), text }) +
          writer.write('response.reasoning_summary_part.done', { ...toPlace(), part })
        : '';
      const item = toItem();
      return (
        ending + writer.write('response.output_item.done', { output_index: outputIndex, item })
      );
    },
    toItem,
  };
}
