import { type JsonObject, toJsonArray, toJsonObject, toText } from '#lib/http/json-value.ts';
import type { EventWriter } from './event-writer.ts';

type LoggedItem = {
  item: JsonObject;
  isClosed: boolean;
  text: string;
  hasDeltas: boolean;
  /** The content part that is open, and its text. */
  part: { type: string; text: string } | null;
  /** Those that are complete. */
  parts: JsonObject[];
};

/** An item that the stream has not closed, as far as it has been received. */
type OpenItem = Readonly<{
  index: number;
  item: JsonObject;
  part: Readonly<{ type: string; text: string }> | null;
  parts: readonly JsonObject[];
}>;

/** The items of a stream so far, by index: to check events, and as the output of a failed response. */
type ItemLog = {
  isOpen(index: number): boolean;
  has(index: number): boolean;
  idOf(index: number): unknown;
  typeOf(index: number): unknown;
  /** A call or an event at its end: arguments that came only before it are added. */
  withArguments(index: number, item: unknown): JsonObject;
  open(index: number, item: JsonObject): void;
  openPart(index: number, type: string): void;
  closePart(index: number, part: JsonObject): void;
  /** A delta of the open item; `isShown`: its text is part of the item in a failed response. */
  append(index: number, text: string, isShown: boolean): void;
  /** Whether the text of the item came in deltas, too. */
  hasDeltas(index: number): boolean;
  close(index: number, item: JsonObject): void;
  openItems(): OpenItem[];
  /** All items in order; open ones as far as they have been received. */
  toOutput(): JsonObject[];
};

export function createItemLog(): ItemLog {
  const items = new Map<number, LoggedItem>();
  const inOrder = () => [...items].sort(([a], [b]) => a - b);
  return {
    isOpen: (index) => items.get(index)?.isClosed === false,
    has: (index) => items.has(index),
    idOf: (index) => items.get(index)?.item.id,
    typeOf: (index) => items.get(index)?.item.type,
    withArguments(index, value) {
      const item = toJsonObject(value);
      const logged = items.get(index);
      if (logged?.item.type !== 'function_call' || !isBare(item.arguments)) return item;
      const received = logged.isClosed ? toText(logged.item.arguments) : logged.text;
      return received === '' ? item : { ...item, arguments: received };
    },
    open(index, item) {
      items.set(index, {
        item,
        isClosed: false,
        text: '',
        hasDeltas: false,
        part: null,
        parts: [],
      });
    },
    openPart(index, type) {
      const logged = items.get(index);
      if (logged !== undefined) logged.part = { type, text: '' };
    },
    closePart(index, part) {
      const logged = items.get(index);
      if (logged === undefined) return;
      logged.part = null;
      logged.parts.push(part);
    },
    append(index, text, isShown) {
      const logged = items.get(index);
      if (logged === undefined) return;
      logged.hasDeltas = true;
      if (isShown) logged.text += text;
      if (logged.part !== null) logged.part.text += text;
    },
    hasDeltas: (index) => items.get(index)?.hasDeltas === true,
    close(index, item) {
      items.set(index, { item, isClosed: true, text: '', hasDeltas: false, part: null, parts: [] });
    },
    openItems: () =>
      inOrder()
        .filter(([, { isClosed }]) => !isClosed)
        .map(([index, logged]) => {
          const { part, parts } = logged;
          return { index, item: toPartialItem(logged), part, parts };
        }),
    toOutput: () =>
      inOrder().map(([, logged]) => (logged.isClosed ? logged.item : toPartialItem(logged))),
  };
}

/** Some servers have an empty object in place of what they have streamed. */
function isBare(text: unknown): boolean {
  return (text ?? '') === '' || text === '{}';
}

function toPartialItem({ item, text }: LoggedItem): JsonObject {
  if (item.type === 'function_call') {
    return { ...item, arguments: toText(item.arguments) + text, status: 'incomplete' };
  }
  if (item.type !== 'message') return item;
  const isEmpty = text === '' && toJsonArray(item.content).length === 0;
  const initialText = toText(toJsonObject(toJsonArray(item.content)[0]).text);
  const part = { type: 'output_text', text: initialText + text, annotations: [], logprobs: [] };
  return { ...item, content: isEmpty ? [] : [part], status: 'incomplete' };
}

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
  const ending = closePart(writer, open, { ...place, content_index: open.parts.length });
  const content = ending === null ? open.parts : [...open.parts, ending.part];
  const closed = { ...item, content };
  return { text: (ending?.text ?? '') + done(closed), item: closed };
}

/** Null if no part is open. A message has at least one part, an empty one. */
function closePart(writer: EventWriter, { part, parts }: OpenItem, place: JsonObject) {
  if (part === null && parts.length > 0) return null;
  const { type, text } = part ?? { type: 'output_text', text: '' };
  const isText = type === 'output_text';
  const toPart = (shown: string): JsonObject =>
    isText ? { type, text: shown, annotations: [], logprobs: [] } : { type, refusal: shown };
  const opening =
    part === null
      ? writer.write('response.content_part.added', { ...place, part: toPart('') })
      : '';
  const ending = isText
    ? writer.write('response.output_text.done', { ...place, text, logprobs: [] })
    : writer.write('response.refusal.done', { ...place, refusal: text });
  const closed = toPart(text);
  return {
    part: closed,
    text: opening + ending + writer.write('response.content_part.done', { ...place, part: closed }),
  };
}
