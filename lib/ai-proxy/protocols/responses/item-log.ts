import { type JsonObject, toJsonArray, toJsonObject, toText } from '#lib/http/json-value.ts';
import { eventLengthMax } from '../../stream/event-reader.ts';
import { replyBytesMax } from '../../upstreams/errors/upstream-failure.ts';

/** More than any reply has: where all have one id, each event looks at all of them. */
export const itemsMax = 10_000;
/** Of complete parts, which are longer than their text: each is sent twice, and again at the end. */
const partsLengthMax = 3 * replyBytesMax;
/** One of the items may be a picture. */
const itemsLengthMax = partsLengthMax + eventLengthMax;

/** A content part of a message as far as it has been received: `output_text` or `refusal`. */
export type ContentPart = { readonly type: string; text: string };

/** Of an item in its stream. */
export type Place = Readonly<{ item_id: unknown; output_index: number }>;

/** An item of a stream, as far as it has been received. */
export class LoggedItem {
  readonly index: number;
  /** As it was begun, or is complete. */
  item: JsonObject;
  isClosed = false;
  /** Whether its text came in deltas, too. */
  hasDeltas = false;
  /** The arguments of a call are complete. */
  isTextEnded = false;
  /** The content part that is open; `isOwn`: the upstream has not begun it. */
  part: (ContentPart & Readonly<{ isOwn: boolean }>) | null = null;
  /** Those that are complete. */
  parts: JsonObject[] = [];
  #text = '';

  constructor(index: number, item: JsonObject) {
    this.index = index;
    this.item = item;
  }

  get isCall(): boolean {
    return this.item.type === 'function_call';
  }

  get place(): Place {
    return { item_id: this.item.id, output_index: this.index };
  }

  openPart(type: string, isOwn = false): void {
    this.part = { type, text: '', isOwn };
  }

  closePart(part: JsonObject): void {
    this.part = null;
    this.parts.push(part);
  }

  /** Takes an event of a content part. */
  takePart(type: string, part: JsonObject): void {
    if (type === 'response.content_part.added') this.openPart(toText(part.type));
    if (type === 'response.content_part.done') this.closePart(part);
  }

  /** @param isShown the text is part of the item in a failed response */
  append(text: string, isShown: boolean): void {
    this.hasDeltas = true;
    if (isShown) this.#text += text;
    if (this.part !== null) this.part.text += text;
  }

  /** @param text the arguments of a call, complete */
  endText(text: string): void {
    this.isTextEnded = true;
    if (toText(this.item.arguments) === '') this.#text ||= text;
  }

  /** A call or an event at its end: arguments that came only before it are added. */
  withArguments(value: unknown): JsonObject {
    const item = toJsonObject(value);
    if (!this.isCall || !isBare(item.arguments)) return item;
    const received = this.isClosed ? toText(this.item.arguments) : this.#text;
    return received === '' ? item : { ...item, arguments: received };
  }

  close(item: JsonObject): void {
    this.item = item;
    this.isClosed = true;
    this.#text = '';
    this.parts = [];
  }

  /** As it is shown in a response: an open one as far as it has been received. */
  toItem(): JsonObject {
    const { item } = this;
    if (this.isClosed) return item;
    if (this.isCall) {
      return { ...item, arguments: toText(item.arguments) + this.#text, status: 'incomplete' };
    }
    if (item.type !== 'message') return item;
    const content = toJsonArray(item.content);
    const isEmpty = this.#text === '' && content.length === 0;
    const text = toText(toJsonObject(content[0]).text) + this.#text;
    const part = { type: 'output_text', text, annotations: [], logprobs: [] };
    return { ...item, content: isEmpty ? [] : [part], status: 'incomplete' };
  }
}

/** The items of a stream so far: to check events, and as the output of a failed response. */
export class ItemLog {
  readonly #items = new Map<number, LoggedItem>();
  #itemsLength = 0;
  #partsLength = 0;

  get size(): number {
    return this.#items.size;
  }

  /** Whether items are more than is kept. @param length of an event with one */
  isFullWith(length: number): boolean {
    this.#itemsLength += length;
    return this.#itemsLength > itemsLengthMax || this.size > itemsMax;
  }

  /** The same for their parts. */
  isFullWithPart(length: number): boolean {
    this.#partsLength += length;
    return this.#partsLength > partsLengthMax || this.size > itemsMax;
  }

  open(index: number, item: JsonObject): void {
    this.#items.set(index, new LoggedItem(index, item));
  }

  find(index: number): LoggedItem | null {
    return this.#items.get(index) ?? null;
  }

  findOpen(index: number | null): LoggedItem | null {
    const found = index === null ? null : this.find(index);
    return found === null || found.isClosed ? null : found;
  }

  listOpen(): LoggedItem[] {
    return this.#inOrder().filter(({ isClosed }) => !isClosed);
  }

  toOutput(): JsonObject[] {
    return this.#inOrder().map((logged) => logged.toItem());
  }

  #inOrder(): LoggedItem[] {
    return [...this.#items.values()].sort((a, b) => a.index - b.index);
  }
}

/** Some servers have an empty object in place of what they have streamed. */
function isBare(text: unknown): boolean {
  return (text ?? '') === '' || text === '{}';
}
