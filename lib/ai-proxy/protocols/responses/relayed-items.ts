import { isJsonObject, type JsonObject, toJsonObject, toText } from '#lib/http/json-value.ts';
import { type RelayContext, toSingleLine } from '../../stream/stream-relay.ts';
import { createOverflowFailure, replyBytesMax } from '../../upstreams/errors/upstream-failure.ts';
import { toArgumentsText, toWholeArguments } from '../json/arguments.ts';
import { keepSource } from '../json/source-text.ts';
import type { PieceKind } from './event-types.ts';
import type { EventWriter } from './event-writer.ts';
import {
  closeEarly,
  endArguments,
  endItem,
  endOpenPart,
  measureItem,
  startMissingPart,
  toBeginning,
  writeInput,
} from './item-events.ts';
import { ItemLog, type LoggedItem, type Place } from './item-log.ts';
import { ItemPlaces, isPlacedAt, toIds } from './item-places.ts';
import { repairItem, repairPart, type ToClientItem } from './response-object.ts';

type RelayedItemsParts = Readonly<{
  writer: EventWriter;
  toClientItem: ToClientItem;
  context: RelayContext;
  /** Of the response as the client knows it. */
  responseId: () => string;
}>;

/** The items of a native Responses stream. Each method returns the text to send. */
export class RelayedItems {
  readonly #parts: RelayedItemsParts;
  readonly #log = new ItemLog();
  readonly #places = new ItemPlaces();

  constructor(parts: RelayedItemsParts) {
    this.#parts = parts;
  }

  /** Takes `response.output_item.added`, or `done`. @param length of the event */
  take(type: string, event: JsonObject, length: number): string {
    if (this.#log.isFullWith(length)) return this.#parts.context.fail(createOverflowFailure());
    // It is shown once it is known.
    if (!isJsonObject(event.item)) return '';
    return type === 'response.output_item.added'
      ? this.#open(this.#parts.toClientItem(event.item), event)
      : this.#close(event);
  }

  /** Takes an event of an open item. @param data its text, which is passed on where nothing is missing */
  takePiece(kind: PieceKind, event: JsonObject, data: string): string {
    const { writer, context } = this.#parts;
    const { tokens, fail } = context;
    if (isJsonObject(event.delta) || isJsonObject(event.arguments)) keepSource(event, data);
    const delta = toArgumentsText(event.delta);
    if (typeof delta === 'string') {
      tokens.addReplyBytes(Buffer.byteLength(delta));
      if (tokens.replyBytes > replyBytesMax) return fail(createOverflowFailure());
    }
    if (kind.isOfPart && this.#log.isFullWithPart(data.length))
      return fail(createOverflowFailure());
    const { item_id: id, output_index } = event;
    const find = () => this.#places.find(id, output_index);
    const isOfNone = kind.partOfDelta !== null && find() === null;
    if (isOfNone && this.#log.isFullWith(data.length)) return fail(createOverflowFailure());
    let opening = isOfNone ? this.#add({ type: 'message', id }, { output_index }) : '';
    const logged = this.#log.findOpen(find());
    if (logged === null) return '';
    if (typeof delta === 'string') {
      opening += startMissingPart(writer, logged, kind, event.content_index);
      logged.append(delta, kind.isShown);
    } else if (kind.endsText) {
      const ending = endOpenPart(writer, logged);
      if (ending !== '') return ending;
    }
    // Those of another tool are clear only when they are complete.
    if (kind.isOfCall && !logged.isCall) return '';
    const part = repairPart(event.part);
    if (kind.isOfPart) logged.takePart(kind.type, toJsonObject(part));
    let text = event.arguments;
    if (text !== undefined) {
      text = toWholeArguments(logged.withArguments(event).arguments);
      opening += endArguments(writer, logged, toText(text));
    }
    const shown = { ...logged.place, delta, part, text };
    return opening + writePiece(writer, { kind, event, data }, shown);
  }

  /**
   * Takes an event of an unknown type, at the place that it names.
   * @param data its text, which is passed on where nothing is missing
   */
  takeUnknown(type: string, event: JsonObject, data: string): string {
    const { writer, context } = this.#parts;
    const { item_id: id, output_index: outputIndex, delta } = event;
    const isPlaced = id !== undefined || outputIndex !== undefined;
    const index = isPlaced ? this.#places.find(id, outputIndex) : null;
    // Sound costs what is reported of it.
    if (typeof delta === 'string' && !type.includes('audio')) {
      context.tokens.addReplyBytes(Buffer.byteLength(delta));
    }
    const ownId = index === null ? id : this.#log.find(index)?.item.id;
    const isComplete =
      event.sequence_number === writer.nextNumber() &&
      event.type === type &&
      (index === null || isPlacedAt(event, index, ownId));
    if (isComplete) return writer.pass(type, toSingleLine(data));
    const { type: _, sequence_number: __, ...rest } = event;
    const place = index === null ? {} : { item_id: ownId, output_index: index };
    return writer.write(type, { ...rest, ...place });
  }

  /** Closes all open items as far as they have been received. An empty reply is one empty message. */
  closeAll(): string {
    const opening = this.#log.size === 0 ? this.#open({ type: 'message' }, {}) : '';
    const closing = this.#log.listOpen().map((logged) => {
      const { text, item } = closeEarly(this.#parts.writer, logged);
      this.#end(logged, item);
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
      const item = this.#parts.toClientItem(value);
      const logged = this.#findFinal(value, at);
      const id = logged?.item.id ?? item.id;
      const defaults = { id: this.#toItemId(at), status: 'completed' };
      return repairItem({ ...(logged?.withArguments(item) ?? item), id }, defaults);
    });
  }

  /** What the final response adds: all items, if it is all that has come; else the ends of those that are open. */
  takeRest(output: readonly unknown[]): string {
    const whole = this.#log.size === 0 ? output : [];
    const items = whole.map((item, at) => this.#close({ item, output_index: at }));
    const ended = new Map(output.map((item, at) => [this.#findFinal(item, at), item]));
    const ends = this.#log.listOpen().map((logged) => {
      const item = ended.get(logged) ?? { ...logged.toItem(), status: 'completed' };
      return this.#closeAt(logged, { item });
    });
    return items.join('') + ends.join('');
  }

  /** Counts the items of the final response that did not come before it. */
  countUnseen(output: readonly unknown[]): void {
    for (const [at, value] of output.entries()) {
      if (this.#findFinal(value, at) !== null) continue;
      this.#count(this.#parts.toClientItem(value));
      this.#parts.context.tokens.showCall(`final ${at}`, value);
    }
  }

  /** What has come of an item of the final response. */
  #findFinal(value: unknown, at: number): LoggedItem | null {
    return this.#log.find(this.#places.ofFinal(this.#parts.toClientItem(value), at) ?? at);
  }

  /** @param event the rest of which is passed on */
  #open(item: JsonObject, event: JsonObject): string {
    const { output_index: outputIndex } = event;
    // A new id is a new item; without any, it may be the one that is open.
    const hasIds = toIds(item).length > 0;
    const known = hasIds
      ? this.#places.ofItem(item, outputIndex)
      : this.#findOpen(item, outputIndex);
    const isKnown =
      known !== null && this.#isOpen(known) && !this.#places.isElsewhere(known, outputIndex);
    return isKnown ? '' : this.#add(item, event);
  }

  #add(item: JsonObject, event: JsonObject): string {
    // Some upstreams give all items one id.
    const id = this.#places.isTaken(item.id) ? '' : item.id;
    const index = this.#places.add(item, event.output_index);
    const opened = repairItem(
      { ...item, id },
      { id: this.#toItemId(index), status: 'in_progress' },
    );
    this.#log.open(index, opened);
    this.#parts.context.tokens.showCall(index, item);
    return this.#writeItem('response.output_item.added', event, { index, item: opened });
  }

  #close(event: JsonObject): string {
    const { output_index: outputIndex } = event;
    const item = this.#parts.toClientItem(event.item);
    const find = () => this.#places.ofItem(item, outputIndex) ?? this.#findOpen(item, outputIndex);
    const known = find();
    // An item that was never opened is opened first: some clients look up the item that a done event names.
    const isNew =
      known === null || (!this.#isOpen(known) && this.#places.isElsewhere(known, outputIndex));
    const opening = isNew ? this.#add(toBeginning(item), event) : '';
    const logged = this.#log.findOpen(isNew ? find() : known);
    return logged === null ? '' : opening + this.#closeAt(logged, event);
  }

  #closeAt(logged: LoggedItem, event: JsonObject): string {
    const { writer, toClientItem } = this.#parts;
    const { index, item, hasDeltas } = logged;
    if (!hasDeltas) this.#count(toClientItem(event.item));
    this.#parts.context.tokens.showCall(index, event.item);
    const complete = toClientItem(logged.withArguments(event.item));
    const done = repairItem({ ...complete, id: item.id }, { id: '', status: 'completed' });
    const ending = endItem(writer, logged, done);
    this.#end(logged, done);
    const isCustom = toJsonObject(event.item).type !== done.type && done.input !== undefined;
    const input = isCustom ? writeInput(writer, index, done) : '';
    const written = this.#writeItem('response.output_item.done', event, { index, item: done });
    return ending + input + written;
  }

  #writeItem(
    type: string,
    event: JsonObject,
    { index, item }: Readonly<{ index: number; item: JsonObject }>,
  ): string {
    const { type: _, sequence_number: __, error: ___, ...rest } = event;
    return this.#parts.writer.write(type, { ...rest, output_index: index, item });
  }

  /** The open item of the same type at the place that an event names. */
  #findOpen({ type }: JsonObject, outputIndex: unknown): number | null {
    const logged = this.#log.findOpen(this.#places.find('', outputIndex));
    return logged !== null && logged.item.type === type ? logged.index : null;
  }

  #isOpen(index: number): boolean {
    return this.#log.findOpen(index) !== null;
  }

  #end(logged: LoggedItem, item: JsonObject): void {
    logged.close(item);
    this.#places.close(logged.index);
  }

  /** Counts an item whose text did not come in deltas. */
  #count(item: JsonObject): void {
    this.#parts.context.tokens.addReplyBytes(measureItem(item));
  }

  #toItemId(index: number): string {
    return toText(this.#log.find(index)?.item.id) || `item_${this.#parts.responseId()}_${index}`;
  }
}

type Piece = Readonly<{ kind: PieceKind; event: JsonObject; data: string }>;

/** What a client gets of an event; `text`: the arguments of a call. */
type Shown = Place & Readonly<{ delta: unknown; part: unknown; text: unknown }>;

/** Writes an event of an open item: as it came, if nothing is missing. */
function writePiece(
  writer: EventWriter,
  { kind: { type, partIndex, hasLogprobs }, event, data }: Piece,
  { item_id, output_index, delta, part, text }: Shown,
): string {
  const lacksLogprobs = hasLogprobs && !Array.isArray(event.logprobs);
  const isComplete =
    event.sequence_number === writer.nextNumber() &&
    event.type === type &&
    part === event.part &&
    delta === event.delta &&
    text === event.arguments &&
    isPlacedAt(event, output_index, item_id) &&
    (partIndex === null || event[partIndex] !== undefined);
  if (isComplete && !lacksLogprobs) return writer.pass(type, toSingleLine(data));
  keepSource(event, data);
  const { type: _, sequence_number: __, ...fields } = event;
  return writer.write(type, {
    ...fields,
    ...(partIndex !== null && { [partIndex]: fields[partIndex] ?? 0 }),
    item_id,
    output_index,
    ...(delta !== undefined && { delta }),
    ...(text !== undefined && { arguments: text }),
    ...(part !== undefined && { part }),
    ...(lacksLogprobs && { logprobs: [] }),
  });
}
