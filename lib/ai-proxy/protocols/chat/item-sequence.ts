import type { JsonObject } from '#lib/http/json-value.ts';
import { parseArguments } from '../json/arguments.ts';
import type { FinishReason } from './choice.ts';
import type { Citation } from './citations.ts';
import type { ReasoningCollector } from './reasoning.ts';

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
  /** Of a message: the sources of its text. */
  readonly citations: Citation[];
  /** Of a call, as the upstream named it, or a new one. */
  callId: string;
  name: string;
  /** Of a call, what is not shown. */
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

/**
 * The items of a reply, written one after the other: the first that is not closed is streamed, later ones wait. Text is
 * closed when something follows it, a call when its arguments are complete, or at the end.
 */
export class ItemSequence {
  readonly #items: ReplyItem[] = [];
  readonly #writer: ItemWriter;
  readonly #newCallId: () => string;
  /** Index of the item being sent; those before it are closed. */
  #position = 0;

  constructor(writer: ItemWriter, newCallId: () => string) {
    this.#writer = writer;
    this.#newCallId = newCallId;
  }

  get last(): ReplyItem | undefined {
    return this.#items.at(-1);
  }

  /** Whether a call has no name yet. */
  get hasNamelessCall(): boolean {
    return !this.#items.every(isReady);
  }

  /** Those that have been opened, as far as they have been received. */
  get opened(): readonly ReplyItem[] {
    return this.#items.filter(({ status }) => status !== 'waiting');
  }

  add(kind: ReplyItem['kind'], reasoning: ReasoningCollector): ReplyItem {
    const item = createItem(kind, reasoning);
    this.#items.push(item);
    return item;
  }

  /** Adds text to an item, and returns what can be sent. */
  append(item: ReplyItem, kind: ReplyPart['kind'], text: string): string {
    return this.#addText(item, kind, text) + this.#advance();
  }

  /** Closes all items. A reply without text or calls gets an empty message, whose reasoning is `empty`. */
  finish(reason: FinishReason, empty: ReasoningCollector): string {
    // A call that was cut off before its name cannot be shown.
    this.#items.push(...this.#items.splice(this.#position).filter(isReady));
    if (this.#items.every(({ kind }) => kind === 'reasoning')) this.add('message', empty);
    const ending = reason === 'length' || reason === 'content_filter' ? 'cut' : 'complete';
    let text = this.#openNext();
    for (let item = this.#current; item !== undefined; item = this.#current) {
      const isLast = this.#position === this.#items.length - 1;
      // A message has at least one part.
      if (item.kind === 'message' && item.parts.length === 0) text += this.#addPart(item, 'text');
      const status = isLast || !isComplete(item) ? ending : 'complete';
      text += this.#close(item, status) + this.#openNext();
    }
    return text;
  }

  get #current(): ReplyItem | undefined {
    return this.#items[this.#position];
  }

  #addText(item: ReplyItem, kind: ReplyPart['kind'], text: string): string {
    // What comes after its end is dropped.
    if (text === '' || isClosed(item)) return '';
    const opening = item.parts.at(-1)?.kind === kind ? '' : this.#addPart(item, kind);
    const part = item.parts.at(-1);
    if (part === undefined) return opening;
    part.text += text;
    return item.status === 'open' ? opening + this.#writer.write(item, text, part) : '';
  }

  #addPart(item: ReplyItem, kind: ReplyPart['kind']): string {
    const closing = this.#closeLastPart(item);
    const part: ReplyPart = { kind, text: '' };
    item.parts.push(part);
    return item.status === 'open' ? closing + this.#openPart(item, part) : '';
  }

  #openPart(item: ReplyItem, part: ReplyPart): string {
    return this.#writer.openPart?.(item, part) ?? '';
  }

  #closePart(item: ReplyItem, part: ReplyPart): string {
    return this.#writer.closePart?.(item, part) ?? '';
  }

  #closeLastPart(item: ReplyItem): string {
    const last = item.parts.at(-1);
    return last === undefined || item.status !== 'open' ? '' : this.#closePart(item, last);
  }

  /** Opens the next item, and writes what has waited in it. */
  #openNext(): string {
    const item = this.#current;
    if (item === undefined || item.status !== 'waiting' || !isReady(item)) return '';
    item.status = 'open';
    item.index = this.#position;
    if (item.kind === 'call') item.callId ||= this.#newCallId();
    const { parts } = item;
    let text = this.#writer.open(item);
    for (const [at, part] of parts.entries()) {
      text += this.#openPart(item, part) + this.#writer.write(item, part.text, part);
      if (at < parts.length - 1) text += this.#closePart(item, part);
    }
    return text;
  }

  #close(item: ReplyItem, status: 'complete' | 'cut'): string {
    this.#position++;
    const closing = this.#closeLastPart(item);
    item.status = status;
    return closing + this.#writer.close(item);
  }

  /** Opens and closes what can be. */
  #advance(): string {
    let text = this.#openNext();
    while (this.#position < this.#items.length - 1) {
      const item = this.#current;
      if (item?.status !== 'open' || !isComplete(item)) break;
      text += this.#close(item, 'complete') + this.#openNext();
    }
    return text;
  }
}

function createItem(kind: ReplyItem['kind'], reasoning: ReasoningCollector): ReplyItem {
  return {
    kind,
    status: 'waiting',
    index: -1,
    parts: [],
    citations: [],
    callId: '',
    name: '',
    reasoning,
    parsedArguments: null,
    checkedLength: 0,
  };
}

export function isClosed({ status }: ReplyItem): boolean {
  return status === 'complete' || status === 'cut';
}

function isReady({ kind, name }: ReplyItem): boolean {
  return kind !== 'call' || name !== '';
}

/** Whether it may be closed as soon as another item follows. */
function isComplete(item: ReplyItem): boolean {
  return item.kind !== 'call' || readArguments(item) !== null;
}

export function isCut(item: ReplyItem): boolean {
  return toItemText(item) !== '' && !isComplete(item);
}

/** The arguments of a call; null if they are no complete JSON object. */
export function readArguments(item: ReplyItem): JsonObject | null {
  const text = item.parts[0]?.text ?? '';
  // Read repeatedly while other calls wait, so they are only parsed when they have grown.
  if (item.checkedLength !== text.length) {
    item.checkedLength = text.length;
    item.parsedArguments = text.trimEnd().endsWith('}') ? parseArguments(text) : null;
  }
  return item.parsedArguments;
}

export function toItemText({ parts }: ReplyItem): string {
  return parts.map(({ text }) => text).join('');
}
