import { isJsonObject, type JsonObject, toJsonObject, toText } from '#lib/http/json-value.ts';
import { type RelayContext, toSingleLine } from '../../stream/stream-relay.ts';
import { createOverflowFailure, replyBytesMax } from '../../upstreams/errors/failure.ts';
import { toArgumentsText } from '../json/arguments.ts';
import { keepSource } from '../json/source-text.ts';
import { markField, type ReasoningMark } from '../reasoning-mark.ts';
import { partIndexOf, shownDeltaTypes } from './event-types.ts';
import type { EventWriter } from './event-writer.ts';
import { closeEarly, createItemLog } from './item-log.ts';
import { ItemPlaces, isPlacedAt, toIds } from './item-places.ts';
import { repairItem, repairPart } from './response-object.ts';

/**
 * The limit for complete items, which are longer than their text: each is sent twice, and again at
 * the end.
 */
const itemsLengthMax = 3 * replyBytesMax;

/** Events that clients expect `logprobs` in. */
const textTypes: ReadonlySet<string> = new Set([
  'response.output_text.delta',
  'response.output_text.done',
]);

type RelayedItemsParts = Readonly<{
  writer: EventWriter;
  reasoning: ReasoningMark;
  context: RelayContext;
  /** Of the response as the client knows it. */
  responseId: () => string;
}>;

/** The items of a native Responses stream. Each method returns the text to send. */
export class RelayedItems {
  readonly #parts: RelayedItemsParts;
  readonly #log = createItemLog();
  readonly #places = new ItemPlaces();
  /** Total JSON length of all items, which the final event repeats. */
  #itemsLength = 0;

  constructor(parts: RelayedItemsParts) {
    this.#parts = parts;
  }

  /** Takes `response.output_item.added`, or `done`. @param length of the event */
  take(type: string, event: JsonObject, length: number): string {
    this.#itemsLength += length;
    if (this.#itemsLength > itemsLengthMax)
      return this.#parts.context.fail(createOverflowFailure());
    const item = this.#toMarked(event.item);
    return type === 'response.output_item.added'
      ? this.#open(item, event.output_index)
      : this.#close(item, event.output_index);
  }

  /** Takes an event of an open item. @param data its text, which is passed on where nothing is missing */
  takePiece(type: string, event: JsonObject, data: string): string {
    const { tokens, fail } = this.#parts.context;
    const index = this.#places.find(event.item_id, event.output_index);
    if (isJsonObject(event.delta) || isJsonObject(event.arguments)) keepSource(event, data);
    const delta = toArgumentsText(event.delta);
    if (typeof delta === 'string') {
      tokens.addReplyBytes(Buffer.byteLength(delta));
      if (tokens.replyBytes > replyBytesMax) return fail(createOverflowFailure());
      if (index !== null) this.#log.append(index, delta, shownDeltaTypes.has(type));
    }
    if (index === null || !this.#log.isOpen(index)) return '';
    const part = repairPart(event.part);
    this.#logPart(type, index, toJsonObject(part));
    return this.#writePiece({ type, event, data }, { index, delta, part });
  }

  /** Closes all open items as far as they have been received. An empty reply is one empty message. */
  closeAll(): string {
    const isEmpty = this.#log.toOutput().length === 0;
    const opening = isEmpty ? this.#open({ type: 'message' }, undefined) : '';
    const closing = this.#log.openItems().map((open) => {
      const { text, item } = closeEarly(this.#parts.writer, open);
      this.#end(open.index, item);
      return text;
    });
    return opening + closing.join('');
  }

  /** All items in order; open ones as far as they have been received. */
  toOutput(): readonly JsonObject[] {
    return this.#log.toOutput();
  }

  /** Items of the final response. Each has the id with which it was opened, whatever they call it. */
  toFinal(output: readonly unknown[]): readonly JsonObject[] {
    return output.map((value, at) => {
      const item = this.#toMarked(value);
      const id = this.#log.idOf(this.#places.ofItem(item) ?? at) ?? item.id;
      return repairItem({ ...item, id }, { id: this.#toItemId(at), status: 'completed' });
    });
  }

  /** Counts the items of the final response that did not come before it. */
  countUnseen(output: readonly unknown[]): void {
    for (const [at, item] of output.entries()) {
      if (!this.#log.has(this.#places.ofItem(toJsonObject(item)) ?? at)) this.#count(item);
    }
  }

  #open(item: JsonObject, outputIndex: unknown): string {
    // A new id is a new item; without any, it may be the one that is open.
    const hasIds = toIds(item).length > 0;
    const known = hasIds ? this.#places.ofItem(item) : this.#findOpen(item, outputIndex);
    return known === null ? this.#add(item, outputIndex) : '';
  }

  #add(item: JsonObject, outputIndex: unknown): string {
    const index = this.#places.add(item, outputIndex);
    const opened = repairItem(item, { id: this.#toItemId(index), status: 'in_progress' });
    this.#log.open(index, opened);
    const fields = { output_index: index, item: opened };
    return this.#parts.writer.write('response.output_item.added', fields);
  }

  #close(item: JsonObject, outputIndex: unknown): string {
    // An item that was never opened is opened first: some clients look up the item that a done event names.
    const isNew = this.#places.ofItem(item) === null && this.#findOpen(item, outputIndex) === null;
    const opening = isNew ? this.#add({ ...item, status: 'in_progress' }, outputIndex) : '';
    const index = this.#places.ofItem(item) ?? this.#findOpen(item, outputIndex);
    if (index === null || !this.#log.isOpen(index)) return '';
    if (!this.#log.hasDeltas(index)) this.#count(item);
    const id = this.#log.idOf(index);
    const done = repairItem({ ...item, id }, { id: '', status: 'completed' });
    this.#end(index, done);
    const fields = { output_index: index, item: done };
    return opening + this.#parts.writer.write('response.output_item.done', fields);
  }

  /** The open item of the same type at the place that an event names. */
  #findOpen({ type }: JsonObject, outputIndex: unknown): number | null {
    const index = this.#places.find('', outputIndex);
    const isSame = index !== null && this.#log.isOpen(index) && this.#log.typeOf(index) === type;
    return isSame ? index : null;
  }

  #end(index: number, item: JsonObject): void {
    this.#log.close(index, item);
    this.#places.close(index);
  }

  #logPart(type: string, index: number, part: JsonObject): void {
    if (type === 'response.content_part.added') this.#log.openPart(index, toText(part.type));
    if (type === 'response.content_part.done') this.#log.closePart(index, part);
  }

  #writePiece(
    { type, event, data }: Readonly<{ type: string; event: JsonObject; data: string }>,
    { index, delta, part }: Readonly<{ index: number; delta: unknown; part: unknown }>,
  ): string {
    const { writer } = this.#parts;
    const lacksLogprobs = textTypes.has(type) && !Array.isArray(event.logprobs);
    const id = this.#log.idOf(index);
    const partIndex = partIndexOf(type);
    const isComplete =
      event.sequence_number === writer.nextNumber() &&
      event.type === type &&
      part === event.part &&
      delta === event.delta &&
      typeof (event.arguments ?? '') === 'string' &&
      isPlacedAt(event, index, id) &&
      (partIndex === null || event[partIndex] !== undefined);
    if (isComplete && !lacksLogprobs) return writer.pass(type, toSingleLine(data));
    keepSource(event, data);
    const { type: _, sequence_number: __, ...fields } = event;
    return writer.write(type, {
      ...fields,
      ...(partIndex !== null && { [partIndex]: fields[partIndex] ?? 0 }),
      item_id: id,
      output_index: index,
      ...(delta !== undefined && { delta }),
      ...(event.arguments !== undefined && { arguments: toArgumentsText(event.arguments) }),
      ...(part !== undefined && { part }),
      ...(lacksLogprobs && { logprobs: [] }),
    });
  }

  /** Counts an item whose text did not come in deltas. */
  #count(item: unknown): void {
    const { content, arguments: text, input, summary } = toJsonObject(item);
    const written = [content, text, input, summary].filter((part) => part !== undefined);
    if (written.length === 0) return;
    this.#parts.context.tokens.addReplyBytes(Buffer.byteLength(JSON.stringify(written)));
  }

  #toMarked(item: unknown): JsonObject {
    return markField(toJsonObject(item), 'encrypted_content', this.#parts.reasoning);
  }

  #toItemId(index: number): string {
    return toText(this.#log.idOf(index)) || `item_${this.#parts.responseId()}_${index}`;
  }
}
