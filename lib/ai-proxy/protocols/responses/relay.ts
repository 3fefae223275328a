import type { HttpError } from '#lib/http/errors/errors.ts';
import { type JsonObject, toJsonArray, toJsonObject, toText } from '#lib/http/json-value.ts';
import { readResponsesUsage, toResponsesUsage } from '#lib/spend/usage/token-usage.ts';
import {
  doneFrame,
  type RelayContext,
  type RelayCore,
  StreamRelay,
  toEventType,
  toSingleLine,
} from '../../stream/stream-relay.ts';
import {
  createCutFailure,
  createOverflowFailure,
  replyBytesMax,
} from '../../upstreams/errors/failure.ts';
import { toUpstreamFailure } from '../../upstreams/errors/upstream-error.ts';
import { toArgumentsText } from '../json/arguments.ts';
import { markField, type ReasoningMark } from '../reasoning-mark.ts';
import { openItemEventTypes, partIndexOf, shownDeltaTypes } from './event-types.ts';
import { createEventWriter } from './event-writer.ts';
import { closeEarly, createItemLog } from './item-log.ts';
import { ItemPlaces, isPlacedAt, toIds } from './item-places.ts';
import type { ResponsesRequest } from './read-request.ts';
import {
  createResponseObject,
  type ResponseIdentity,
  repairItem,
  repairPart,
  repairResponseObject,
  toShownUsage,
} from './response-object.ts';

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

/**
 * Relays a Responses stream. Deltas are forwarded unchanged; the few events with objects are
 * completed. Events that clients cannot handle are dropped: unknown types, and deltas of items that
 * are not open. @param identity used if the upstream's response has no id or time
 */
export function createResponsesRelay(
  request: ResponsesRequest,
  identity: ResponseIdentity,
  reasoning: ReasoningMark,
): StreamRelay {
  return new StreamRelay(request.promptTokensEstimate, (context) =>
    createResponsesCore(request, { ...identity, reasoning }, context),
  );
}

function createResponsesCore(
  request: ResponsesRequest,
  { reasoning, ...identity }: ResponseIdentity & Readonly<{ reasoning: ReasoningMark }>,
  { tokens, close, fail }: RelayContext,
): RelayCore {
  const writer = createEventWriter();
  const log = createItemLog();
  const places = new ItemPlaces();
  let response = createResponseObject(request, identity);
  let isBegun = false;
  /** Total JSON length of all items, which the final event repeats. */
  let itemsLength = 0;

  function begin(received: JsonObject): string {
    if (isBegun) return '';
    isBegun = true;
    const repaired = repairResponseObject(received, response);
    response = { ...repaired, status: 'in_progress', error: null, output: [], usage: null };
    return (
      writer.write('response.created', { response }) +
      writer.write('response.in_progress', { response })
    );
  }

  function takeEnd(type: string, received: JsonObject): string {
    const output = toJsonArray(received.output);
    for (const [index, item] of output.entries()) {
      if (!log.has(places.ofItem(toJsonObject(item)) ?? index)) countItem(item);
    }
    if (readResponsesUsage(received.usage) !== null) tokens.markComplete();
    const hasFailed = type === 'response.failed' || (received.error ?? null) !== null;
    return hasFailed ? fail(toUpstreamFailure(received.error)) : begin({}) + finish(type, received);
  }

  function finish(type: string, received: JsonObject): string {
    close();
    const output = toJsonArray(received.output);
    const final = {
      ...repairResponseObject(received, response),
      id: response.id,
      status: type === 'response.completed' ? 'completed' : 'incomplete',
      output: output.length === 0 ? log.toOutput() : output.map(toFinalItem),
      usage: toShownUsage(tokens.usage, received.usage),
    };
    return writer.write(type, { response: final }) + doneFrame;
  }

  function toMarked(item: unknown): JsonObject {
    return markField(toJsonObject(item), 'encrypted_content', reasoning);
  }

  /** An item has the id with which it was opened, whatever the final response calls it. */
  function toFinalItem(value: unknown, index: number): JsonObject {
    const item = toMarked(value);
    const id = log.idOf(places.ofItem(item) ?? index) ?? item.id;
    return repairItem({ ...item, id }, { id: toItemId(index), status: 'completed' });
  }

  function toItemId(index: number): string {
    return toText(log.idOf(index)) || `item_${response.id}_${index}`;
  }

  /** The reply ends here: open items are closed as far as they have been received. */
  function endByLength(): string {
    // An empty reply is one empty message.
    const isEmpty = log.toOutput().length === 0;
    const opening = begin({}) + (isEmpty ? openItem({ type: 'message' }, undefined) : '');
    const closing = log.openItems().map((open) => {
      const { text, item } = closeEarly(writer, open);
      endItem(open.index, item);
      return text;
    });
    return (
      opening +
      closing.join('') +
      finish('response.incomplete', { incomplete_details: { reason: 'max_output_tokens' } })
    );
  }

  function writeFailure(error: HttpError): string {
    const beginning = begin({});
    const usage = tokens.reported && toResponsesUsage(tokens.reported);
    const failed = { ...response, output: log.toOutput(), usage };
    return beginning + writer.writeFailure(error, failed);
  }

  function openItem(item: JsonObject, outputIndex: unknown): string {
    // A new id is a new item; without any, it may be the one that is open.
    const hasIds = toIds(item).length > 0;
    const known = hasIds ? places.ofItem(item) : findOpen(item, outputIndex);
    return known === null ? addItem(item, outputIndex) : '';
  }

  function addItem(item: JsonObject, outputIndex: unknown): string {
    const index = places.add(item, outputIndex);
    const openedItem = repairItem(item, { id: toItemId(index), status: 'in_progress' });
    log.open(index, openedItem);
    return writer.write('response.output_item.added', { output_index: index, item: openedItem });
  }

  function closeItem(item: JsonObject, outputIndex: unknown): string {
    // An item that was never opened is opened first: some clients look up the item that a done event names.
    const isNew = places.ofItem(item) === null && findOpen(item, outputIndex) === null;
    const opening = isNew ? addItem({ ...item, status: 'in_progress' }, outputIndex) : '';
    const index = places.ofItem(item) ?? findOpen(item, outputIndex);
    if (index === null || !log.isOpen(index)) return '';
    if (!log.hasDeltas(index)) countItem(item);
    const done = repairItem({ ...item, id: log.idOf(index) }, { id: '', status: 'completed' });
    endItem(index, done);
    return opening + writer.write('response.output_item.done', { output_index: index, item: done });
  }

  /** The open item of the same type at the place that an event names. */
  function findOpen({ type }: JsonObject, outputIndex: unknown): number | null {
    const index = places.find('', outputIndex);
    return index !== null && log.isOpen(index) && log.typeOf(index) === type ? index : null;
  }

  function endItem(index: number, item: JsonObject): void {
    log.close(index, item);
    places.close(index);
  }

  /** An item whose text did not come in deltas. */
  function countItem(item: unknown): void {
    const { content, arguments: text, input, summary } = toJsonObject(item);
    const written = [content, text, input, summary].filter((part) => part !== undefined);
    if (written.length > 0) tokens.addReplyBytes(Buffer.byteLength(JSON.stringify(written)));
  }

  function takeItem(type: string, event: JsonObject, length: number): string {
    itemsLength += length;
    if (itemsLength > itemsLengthMax) return fail(createOverflowFailure());
    const take = type === 'response.output_item.added' ? openItem : closeItem;
    return take(toMarked(event.item), event.output_index);
  }

  function passPiece(type: string, event: JsonObject, data: string): string {
    const index = places.find(event.item_id, event.output_index);
    const delta = toArgumentsText(event.delta);
    if (typeof delta === 'string') {
      tokens.addReplyBytes(Buffer.byteLength(delta));
      if (tokens.replyBytes > replyBytesMax) return fail(createOverflowFailure());
      if (index !== null) log.append(index, delta, shownDeltaTypes.has(type));
    }
    if (index === null || !log.isOpen(index)) return '';
    const part = repairPart(event.part);
    if (type === 'response.content_part.added') {
      log.openPart(index, toText(toJsonObject(part).type));
    }
    if (type === 'response.content_part.done') log.closePart(index, toJsonObject(part));
    const lacksLogprobs = textTypes.has(type) && !Array.isArray(event.logprobs);
    const id = log.idOf(index);
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

  function takeUsage(event: JsonObject): void {
    const { usage } = toJsonObject(event.response);
    tokens.report(readResponsesUsage(usage ?? event.usage));
  }

  function takeEvent(type: string, event: JsonObject, data: string): string {
    const response = toJsonObject(event.response);
    takeUsage(event);
    switch (type) {
      case 'response.created':
      case 'response.queued':
      case 'response.in_progress':
        return begin(response);
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed':
        return takeEnd(type, response);
      case 'error':
        return fail(toUpstreamFailure(event.error ?? event));
      case 'response.output_item.added':
      case 'response.output_item.done':
        return begin({}) + takeItem(type, event, data.length);
      default:
        return openItemEventTypes.has(type) ? passPiece(type, event, data) : '';
    }
  }

  return {
    push: (event, { event: name, data }) => takeEvent(toEventType(event, name), event, data),
    takeUsage,
    end: () => fail(createCutFailure()),
    endByLength,
    writeFailure,
  };
}
