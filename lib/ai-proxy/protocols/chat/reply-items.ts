import {
  isJsonObject,
  type JsonObject,
  toJsonArray,
  toJsonObject,
  toText,
} from '#lib/http/json-value.ts';
import { type FinishReason, readCallFields, readReasoning, toContentText } from './choice.ts';
import { createReasoningCollector, type ReasoningCollector } from './reasoning.ts';
import {
  createItem,
  isClosed,
  isComplete,
  isReady,
  type ReplyItem,
  type ReplyPart,
} from './reply-item.ts';
import { type CallPiece, ToolCalls } from './tool-calls.ts';

/** Writes the items in another protocol. Each method returns the text to send. */
export type ItemWriter = Readonly<{
  open(item: ReplyItem): string;
  openPart?(item: ReplyItem, part: ReplyPart): string;
  /** Writes a piece of a part, which already has it. */
  write(item: ReplyItem, piece: string, part: ReplyPart): string;
  closePart?(item: ReplyItem, part: ReplyPart): string;
  close(item: ReplyItem): string;
}>;

export type ReplyItems = Readonly<{
  /** Takes a delta; returns what can be sent of it. */
  add(delta: JsonObject): string;
  /** Writes and closes the remaining items. A reply without text or calls gets an empty message. */
  finish(reason: FinishReason): string;
  /** Whether a call has no name yet. */
  hasNamelessCall(): boolean;
  hasCalls(): boolean;
  /** Those that have been opened, as far as they have been received. */
  opened(): readonly ReplyItem[];
}>;

export type ReplyItemsOptions = Readonly<{
  /** Whether there are items of reasoning; else what the next turn needs of it comes with the calls. */
  showsReasoning: boolean;
  newCallId: () => string;
}>;

/** For replies that are not streamed. */
const silent: ItemWriter = { open: () => '', write: () => '', close: () => '' };

/**
 * Orders the deltas of a chat reply, which may be interleaved, into consecutive items, since those of other
 * protocols never overlap. The first item that is not closed is streamed; later ones wait. Text is closed when
 * something follows it, a call when its arguments are complete, or at the end.
 */
export function createReplyItems(
  { showsReasoning, newCallId }: ReplyItemsOptions,
  writer: ItemWriter = silent,
): ReplyItems {
  const items: ReplyItem[] = [];
  const calls = new Map<number, ReplyItem>();
  const toolCalls = new ToolCalls();
  /** What is not shown, for the next call. */
  let hidden = createReasoningCollector();
  /** Index of the item being sent; those before it are closed. */
  let position = 0;

  function addItem(kind: ReplyItem['kind'], reasoning = createReasoningCollector()): ReplyItem {
    const item = createItem(kind, reasoning);
    items.push(item);
    return item;
  }

  /** The reasoning at the end of what has come so far. */
  function lastReasoning(): ReplyItem {
    const last = items.at(-1);
    return last?.kind === 'reasoning' ? last : addItem('reasoning');
  }

  /** Adds text to the last item, if it is of this kind, or to a new one. */
  function addText(
    kind: 'message' | 'reasoning',
    partKind: ReplyPart['kind'],
    text: string,
  ): string {
    const last = items.at(-1);
    const item = last?.kind === kind ? last : addItem(kind);
    return append(item, partKind, text) + advance();
  }

  function addReasoning(delta: JsonObject): string {
    const piece = readReasoning(delta);
    if (piece === null) return '';
    if (!showsReasoning) {
      hidden.add(piece);
      return '';
    }
    const item = lastReasoning();
    item.reasoning.add(piece);
    return append(item, 'reasoning', piece.text) + advance();
  }

  function addCall(call: JsonObject): string {
    const pieces = toolCalls.take(call);
    const fields = readCallFields(call);
    return pieces
      .map((piece, at) => addPiece(piece, at === pieces.length - 1 ? fields : null))
      .join('');
  }

  function addPiece({ index, id, name, text }: CallPiece, fields: JsonObject | null): string {
    // Shown before the call that it belongs to, unless that has come earlier.
    const shown = fields !== null && showsReasoning ? lastReasoning() : null;
    const item = calls.get(index) ?? addItem('call', takeHidden());
    calls.set(index, item);
    if (item.status === 'waiting') {
      item.callId ||= id;
      item.name ||= name;
    }
    if (fields !== null) {
      item.callId ||= newCallId();
      (shown ?? item).reasoning.addCall(item.callId, fields);
    }
    return append(item, 'arguments', text) + advance();
  }

  function takeHidden(): ReasoningCollector {
    const taken = hidden;
    hidden = createReasoningCollector();
    return taken;
  }

  function append(item: ReplyItem, kind: ReplyPart['kind'], text: string): string {
    // What comes after its end is dropped.
    if (text === '' || isClosed(item)) return '';
    let part = item.parts.at(-1);
    let opening = '';
    if (part?.kind !== kind) {
      const closing = part !== undefined && item.status === 'open' ? closePart(item, part) : '';
      part = { kind, text: '' };
      item.parts.push(part);
      if (item.status === 'open') opening = closing + openPart(item, part);
    }
    part.text += text;
    return item.status === 'open' ? opening + writer.write(item, text, part) : '';
  }

  const openPart = (item: ReplyItem, part: ReplyPart) => writer.openPart?.(item, part) ?? '';
  const closePart = (item: ReplyItem, part: ReplyPart) => writer.closePart?.(item, part) ?? '';

  /** Opens the next item, and writes what has waited in it. */
  function openNext(): string {
    const item = items[position];
    if (item === undefined || item.status !== 'waiting' || !isReady(item)) return '';
    item.status = 'open';
    item.index = position;
    if (item.kind === 'call') item.callId ||= newCallId();
    const { parts } = item;
    let text = writer.open(item);
    for (const [at, part] of parts.entries()) {
      text += openPart(item, part) + writer.write(item, part.text, part);
      if (at < parts.length - 1) text += closePart(item, part);
    }
    return text;
  }

  function close(item: ReplyItem, status: 'complete' | 'cut'): string {
    position++;
    const last = item.parts.at(-1);
    const closing = last === undefined ? '' : closePart(item, last);
    item.status = status;
    return closing + writer.close(item);
  }

  /** Opens and closes what can be. */
  function advance(): string {
    let text = openNext();
    while (position < items.length - 1) {
      const item = items[position];
      if (item?.status !== 'open' || !isComplete(item)) break;
      text += close(item, 'complete') + openNext();
    }
    return text;
  }

  function finish(reason: FinishReason): string {
    const ends = toolCalls.end().map((piece) => addPiece(piece, null));
    // A call that was cut off before its name cannot be shown.
    for (const item of items.splice(position).filter(isReady)) items.push(item);
    if (items.every(({ kind }) => kind === 'reasoning')) addItem('message');
    const ending = reason === 'length' || reason === 'content_filter' ? 'cut' : 'complete';
    let text = ends.join('') + openNext();
    for (let item = items[position]; item !== undefined; item = items[position]) {
      const isLast = position === items.length - 1;
      // A message has at least one part.
      if (item.kind === 'message' && item.parts.length === 0) {
        const part: ReplyPart = { kind: 'text', text: '' };
        item.parts.push(part);
        text += openPart(item, part);
      }
      text += close(item, isLast || !isComplete(item) ? ending : 'complete') + openNext();
    }
    return text;
  }

  return {
    add(delta) {
      let text = addReasoning(delta);
      const content = toContentText(delta.content);
      const refusal = toText(delta.refusal);
      if (content !== '') text += addText('message', 'text', content);
      if (refusal !== '') text += addText('message', 'refusal', refusal);
      // The form before tools.
      if (isJsonObject(delta.function_call)) text += addCall({ function: delta.function_call });
      if (delta.tool_calls === undefined) return text;
      for (const call of toJsonArray(delta.tool_calls)) text += addCall(toJsonObject(call));
      return text;
    },
    finish,
    hasNamelessCall: () => !items.every(isReady),
    hasCalls: () => calls.size > 0,
    opened: () => items.filter(({ status }) => status !== 'waiting'),
  };
}
