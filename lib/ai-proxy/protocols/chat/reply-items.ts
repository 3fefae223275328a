import {
  type JsonObject,
  parseJsonObject,
  toJsonArray,
  toJsonObject,
  toText,
} from '#lib/http/json-value.ts';
import { type FinishReason, readReasoning, toContentText, toToolCallIndex } from './choice.ts';
import { createReasoningCollector, type ReasoningCollector } from './reasoning.ts';

/** Text of one kind within an item; a message may have several parts. */
export type ReplyPart = {
  readonly kind: 'text' | 'refusal' | 'reasoning' | 'arguments';
  text: string;
};

/** One item of a reply: what other protocols send as an output item or a content block. */
export type ReplyItem = {
  readonly kind: 'message' | 'reasoning' | 'call';
  /** `waiting`: another item is being sent. `cut`: the reply ended within it. */
  status: 'waiting' | 'open' | 'complete' | 'cut';
  /** Its place in the reply, from when it is opened. */
  index: number;
  readonly parts: ReplyPart[];
  /** Of a call, as the upstream named it; empty if it did not. */
  callId: string;
  name: string;
  readonly reasoning: ReasoningCollector;
  /** Of a call: its arguments, once they are complete JSON; see `readArguments`. */
  parsedArguments: JsonObject | null;
  checkedLength: number;
};

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

/** For replies that are not streamed. */
const silent: ItemWriter = { open: () => '', write: () => '', close: () => '' };

/**
 * Orders the deltas of a chat reply, which may be interleaved, into consecutive items, since those of other
 * protocols never overlap. The first item that is not closed is streamed; later ones wait. Text is closed when
 * something follows it, a call when its arguments are complete, or at the end.
 */
export function createReplyItems(
  { showsReasoning }: Readonly<{ showsReasoning: boolean }>,
  writer: ItemWriter = silent,
): ReplyItems {
  const items: ReplyItem[] = [];
  const calls = new Map<number, ReplyItem>();
  const callIds: unknown[] = [];
  /** Index of the item being sent; those before it are closed. */
  let position = 0;

  function addItem(kind: ReplyItem['kind']): ReplyItem {
    const item = createItem(kind);
    items.push(item);
    return item;
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
    const last = items.at(-1);
    const item = last?.kind === 'reasoning' ? last : addItem('reasoning');
    item.reasoning.add(piece);
    return append(item, 'reasoning', piece.text) + advance();
  }

  function addCall(call: JsonObject): string {
    const index = toToolCallIndex(call, callIds);
    const item = calls.get(index) ?? addItem('call');
    calls.set(index, item);
    const { name, arguments: text } = toJsonObject(call.function);
    if (item.status === 'waiting') {
      item.callId ||= toText(call.id);
      item.name ||= toText(name);
    }
    return append(item, 'arguments', toText(text)) + advance();
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
    // A call that was cut off before its name cannot be shown.
    for (const item of items.splice(position).filter(isReady)) items.push(item);
    if (items.every(({ kind }) => kind === 'reasoning')) addItem('message');
    const ending = reason === 'length' || reason === 'content_filter' ? 'cut' : 'complete';
    let text = openNext();
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
      let text = showsReasoning ? addReasoning(delta) : '';
      const content = toContentText(delta.content);
      const refusal = toText(delta.refusal);
      if (content !== '') text += addText('message', 'text', content);
      if (refusal !== '') text += addText('message', 'refusal', refusal);
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

function createItem(kind: ReplyItem['kind']): ReplyItem {
  return {
    kind,
    status: 'waiting',
    index: -1,
    parts: [],
    callId: '',
    name: '',
    reasoning: createReasoningCollector(),
    parsedArguments: null,
    checkedLength: 0,
  };
}

function isClosed({ status }: ReplyItem): boolean {
  return status === 'complete' || status === 'cut';
}

function isReady({ kind, name }: ReplyItem): boolean {
  return kind !== 'call' || name !== '';
}

/** Whether it may be closed as soon as another item follows. */
function isComplete(item: ReplyItem): boolean {
  return item.kind !== 'call' || readArguments(item) !== null;
}

/** The arguments of a call; null if they are no complete JSON object. */
export function readArguments(item: ReplyItem): JsonObject | null {
  const text = item.parts[0]?.text ?? '';
  // Read repeatedly while other calls wait, so they are only parsed when they have grown.
  if (item.checkedLength !== text.length) {
    item.checkedLength = text.length;
    item.parsedArguments = text.trimEnd().endsWith('}') ? parseJsonObject(text) : null;
  }
  return item.parsedArguments;
}

export function toItemText({ parts }: ReplyItem): string {
  return parts.map(({ text }) => text).join('');
}
