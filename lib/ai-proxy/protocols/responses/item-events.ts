import { type JsonObject, toText } from '#lib/http/json-value.ts';
import type { EventWriter } from './event-writer.ts';
import type { ItemLog, OpenItem } from './item-log.ts';
import { isIndex } from './item-places.ts';
import { endPart, type Place, partOfDelta, startPart, writeTexts } from './part-events.ts';

/** The input of a custom tool, at its end. */
export function writeInput(
  writer: EventWriter,
  output_index: number,
  { id: item_id, input }: JsonObject,
): string {
  const type = 'response.custom_tool_call_input';
  return (
    writer.write(`${type}.delta`, { item_id, output_index, delta: input }) +
    writer.write(`${type}.done`, { item_id, output_index, input })
  );
}

/** An item which the upstream did not finish, and the events that close it. */
export function closeEarly(
  writer: EventWriter,
  open: OpenItem,
): Readonly<{ text: string; item: JsonObject }> {
  const { index: output_index, item } = open;
  const place = { item_id: item.id, output_index };
  const done = (closed: JsonObject) =>
    writer.write('response.output_item.done', { output_index, item: closed });
  if (item.type === 'function_call') {
    const { name, arguments: written } = item;
    const fields = { ...place, name, arguments: written };
    const text = writer.write('response.function_call_arguments.done', fields);
    return { text: text + done(item), item };
  }
  if (item.type !== 'message') return { text: done(item), item };
  const { text, parts } = closeLastPart(writer, open, place);
  const closed = { ...item, content: parts };
  return { text: text + done(closed), item: closed };
}

/** A message has at least one part, an empty one. */
function closeLastPart(writer: EventWriter, { part, parts }: OpenItem, place: Place) {
  if (part === null && parts.length > 0) return { text: '', parts };
  const last = part ?? { type: 'output_text', text: '' };
  const at = { ...place, content_index: parts.length };
  const opening = part === null ? startPart(writer, at, last.type) : '';
  const ending = endPart(writer, at, last);
  return { text: opening + ending.text, parts: [...parts, ending.part] };
}

/** Begins the part of a delta, where the upstream has not. @param at its `content_index` */
export function startMissingPart(
  writer: EventWriter,
  log: ItemLog,
  index: number,
  { type, at }: Readonly<{ type: string; at: unknown }>,
): string {
  const { part, parts } = log.partsOf(index);
  if (part !== null) return '';
  const kind = partOfDelta(type);
  if (kind === null || log.contentOf(index).length > 0) return '';
  log.openPart(index, kind, true);
  const place = { ...toPlace(log, index), content_index: isIndex(at) ? at : parts.length };
  return startPart(writer, place, kind);
}

/** The end of a part that we have begun; empty: there is none. */
export function endOwnPart(writer: EventWriter, log: ItemLog, index: number): string {
  const { part, parts } = log.partsOf(index);
  if (part === null || !part.isOwn) return '';
  const place = { ...toPlace(log, index), content_index: parts.length };
  const ending = endPart(writer, place, part);
  log.closePart(index, ending.part);
  return ending.text;
}

/** An item as it is before any of its text has come. */
export function toBeginning(item: JsonObject): JsonObject {
  return {
    ...item,
    ...(item.type === 'message' && { content: [] }),
    ...(item.type === 'function_call' && { arguments: '' }),
    status: 'in_progress',
  };
}

/** What clients need of an item before its end: the end of a part or text that has begun, or a text that came whole. */
export function endItem(
  writer: EventWriter,
  log: ItemLog,
  index: number,
  done: JsonObject,
): string {
  const place = toPlace(log, index);
  if (done.type === 'function_call') return endCall(writer, log, index, done);
  if (done.type !== 'message') return '';
  const ending = endOwnPart(writer, log, index);
  const { part, parts } = log.partsOf(index);
  const hasTexts = log.hasDeltas(index) || log.contentOf(index).length > 0;
  const isBegun = hasTexts || part !== null || parts.length > 0;
  return isBegun ? ending : writeTexts(writer, place, done);
}

function endCall(
  writer: EventWriter,
  log: ItemLog,
  index: number,
  { name, arguments: text }: JsonObject,
): string {
  if (log.isTextEnded(index) || toText(text) === '') return '';
  const place = toPlace(log, index);
  const delta = lacksArguments(log, index) ? writeArgumentsDelta(writer, place, toText(text)) : '';
  const type = 'response.function_call_arguments.done';
  return delta + writer.write(type, { ...place, name, arguments: text });
}

/** The arguments of a call are complete. Returns them as a delta, if none has come: many clients read only these. */
export function endArguments(
  writer: EventWriter,
  log: ItemLog,
  index: number,
  text: string,
): string {
  if (log.typeOf(index) !== 'function_call') return '';
  const isMissing = text !== '' && lacksArguments(log, index);
  log.endText(index, text);
  return isMissing ? writeArgumentsDelta(writer, toPlace(log, index), text) : '';
}

/** Whether nothing of the arguments of a call has come yet. */
function lacksArguments(log: ItemLog, index: number): boolean {
  return !log.hasDeltas(index) && log.argumentsOf(index) === '';
}

function writeArgumentsDelta(writer: EventWriter, place: Place, delta: string): string {
  return writer.write('response.function_call_arguments.delta', { ...place, delta });
}

function toPlace(log: ItemLog, index: number): Place {
  return { item_id: log.idOf(index), output_index: index };
}
