import { type JsonObject, toJsonArray, toJsonObject, toText } from '#lib/http/json-value.ts';
import type { PieceKind } from './event-types.ts';
import type { EventWriter } from './event-writer.ts';
import type { ContentPart, LoggedItem, Place } from './item-log.ts';
import { isIndex } from './item-places.ts';

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
  logged: LoggedItem,
): Readonly<{ text: string; item: JsonObject }> {
  const { index: output_index, place } = logged;
  const item = logged.toItem();
  const done = (closed: JsonObject) =>
    writer.write('response.output_item.done', { output_index, item: closed });
  if (logged.isCall) {
    const { name, arguments: written } = item;
    const fields = { ...place, name, arguments: written };
    const text = writer.write('response.function_call_arguments.done', fields);
    return { text: text + done(item), item };
  }
  if (item.type !== 'message') return { text: done(item), item };
  const { text, parts } = closeLastPart(writer, logged);
  const closed = { ...item, content: parts };
  return { text: text + done(closed), item: closed };
}

/** A message has at least one part, an empty one. */
function closeLastPart(writer: EventWriter, { place, part, parts }: LoggedItem) {
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
  logged: LoggedItem,
  { partOfDelta }: PieceKind,
  at: unknown,
): string {
  if (logged.part !== null || partOfDelta === null || hasContent(logged)) return '';
  logged.openPart(partOfDelta, true);
  const place = { ...logged.place, content_index: isIndex(at) ? at : logged.parts.length };
  return startPart(writer, place, partOfDelta);
}

/** The end of a part that we have begun, or at the end of its item of any; empty: there is none. */
export function endOpenPart(writer: EventWriter, logged: LoggedItem, isItemEnd = false): string {
  const { part, parts, place } = logged;
  if (part === null || !(part.isOwn || isItemEnd)) return '';
  const ending = endPart(writer, { ...place, content_index: parts.length }, part);
  logged.closePart(ending.part);
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
export function endItem(writer: EventWriter, logged: LoggedItem, done: JsonObject): string {
  if (done.type === 'function_call') return endCall(writer, logged, done);
  if (done.type !== 'message') return '';
  const ending = endOpenPart(writer, logged, true);
  const { part, parts, hasDeltas, place } = logged;
  const isBegun = hasDeltas || hasContent(logged) || part !== null || parts.length > 0;
  return isBegun ? ending : writeTexts(writer, place, done);
}

function endCall(
  writer: EventWriter,
  logged: LoggedItem,
  { name, arguments: text }: JsonObject,
): string {
  if (logged.isTextEnded || toText(text) === '') return '';
  const delta = lacksArguments(logged) ? writeArgumentsDelta(writer, logged, toText(text)) : '';
  const type = 'response.function_call_arguments.done';
  return delta + writer.write(type, { ...logged.place, name, arguments: text });
}

/** The arguments of a call are complete. Returns them as a delta, if none has come: many clients read only these. */
export function endArguments(writer: EventWriter, logged: LoggedItem, text: string): string {
  if (!logged.isCall) return '';
  const isMissing = text !== '' && lacksArguments(logged);
  logged.endText(text);
  return isMissing ? writeArgumentsDelta(writer, logged, text) : '';
}

/** Whether nothing of the arguments of a call has come yet. */
function lacksArguments({ hasDeltas, item }: LoggedItem): boolean {
  return !hasDeltas && toText(item.arguments) === '';
}

/** Whether a message was begun with its content. */
function hasContent({ item }: LoggedItem): boolean {
  return toJsonArray(item.content).length > 0;
}

function writeArgumentsDelta(writer: EventWriter, { place }: LoggedItem, delta: string): string {
  return writer.write('response.function_call_arguments.delta', { ...place, delta });
}

/** Bytes of what the model has written in an item. */
export function measureItem({ content, arguments: text, input, summary }: JsonObject): number {
  const written = [content, text, input, summary].filter((part) => part !== undefined);
  return written.length === 0 ? 0 : Buffer.byteLength(JSON.stringify(written));
}

type PartPlace = Place & Readonly<{ content_index: number }>;

/** Clients add deltas only to a part that has begun. */
function startPart(writer: EventWriter, place: PartPlace, type: string): string {
  return writer.write('response.content_part.added', { ...place, part: toPart(type, '') });
}

function endPart(
  writer: EventWriter,
  place: PartPlace,
  { type, text }: Readonly<ContentPart>,
): Readonly<{ part: JsonObject; text: string }> {
  const part = toPart(type, text);
  const ending =
    type === 'refusal'
      ? writer.write('response.refusal.done', { ...place, refusal: text })
      : writer.write('response.output_text.done', { ...place, text, logprobs: [] });
  return { part, text: ending + writer.write('response.content_part.done', { ...place, part }) };
}

/** The texts of a message that came without deltas, from which most clients read them. */
function writeTexts(writer: EventWriter, place: Place, message: JsonObject): string {
  const texts = toJsonArray(message.content).map((part, content_index) => {
    const { type, text, refusal } = toJsonObject(part);
    const shown = toText(text ?? refusal);
    if (shown === '') return '';
    const at = { ...place, content_index };
    const kind = type === 'refusal' ? 'refusal' : 'output_text';
    const logprobs = kind === 'refusal' ? {} : { logprobs: [] };
    return (
      startPart(writer, at, kind) +
      writer.write(`response.${kind}.delta`, { ...at, delta: shown, ...logprobs }) +
      endPart(writer, at, { type: kind, text: shown }).text
    );
  });
  return texts.join('');
}

function toPart(type: string, text: string): JsonObject {
  return type === 'refusal'
    ? { type, refusal: text }
    : { type, text, annotations: [], logprobs: [] };
}
