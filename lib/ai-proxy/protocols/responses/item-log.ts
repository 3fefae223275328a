import { type JsonObject, toJsonArray, toJsonObject, toText } from '#lib/http/json-value.ts';
import type { OpenPart } from './part-events.ts';

type LoggedItem = {
  item: JsonObject;
  isClosed: boolean;
  text: string;
  hasDeltas: boolean;
  isTextEnded: boolean;
  /** The content part that is open, as far as it has been received. */
  part: { type: string; text: string; isOwn: boolean } | null;
  /** Those that are complete. */
  parts: JsonObject[];
};

/** An item that the stream has not closed, as far as it has been received. */
export type OpenItem = Readonly<{
  index: number;
  item: JsonObject;
  part: OpenPart | null;
  parts: readonly JsonObject[];
}>;

/** The items of a stream so far, by index: to check events, and as the output of a failed response. */
export type ItemLog = {
  isOpen(index: number): boolean;
  has(index: number): boolean;
  isEmpty(): boolean;
  /** The parts with which an item was begun. */
  contentOf(index: number): readonly unknown[];
  /** Those with which a call was begun. */
  argumentsOf(index: number): string;
  idOf(index: number): unknown;
  typeOf(index: number): unknown;
  /** A call or an event at its end: arguments that came only before it are added. */
  withArguments(index: number, item: unknown): JsonObject;
  open(index: number, item: JsonObject): void;
  /** The parts of an item: those that are complete, and the one that is open. */
  partsOf(index: number): Pick<LoggedItem, 'part' | 'parts'>;
  /** @param isOwn the upstream has not begun it */
  openPart(index: number, type: string, isOwn?: boolean): void;
  closePart(index: number, part: JsonObject): void;
  /** A delta of the open item; `isShown`: its text is part of the item in a failed response. */
  append(index: number, text: string, isShown: boolean): void;
  /** Whether the text of the item came in deltas, too. */
  hasDeltas(index: number): boolean;
  /** The arguments of a call are complete. */
  endText(index: number, text: string): void;
  isTextEnded(index: number): boolean;
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
    isEmpty: () => items.size === 0,
    contentOf: (index) => toJsonArray(items.get(index)?.item.content),
    argumentsOf: (index) => toText(items.get(index)?.item.arguments),
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
      items.set(index, begun(item));
    },
    partsOf: (index) => items.get(index) ?? { part: null, parts: [] },
    openPart(index, type, isOwn = false) {
      const logged = items.get(index);
      if (logged !== undefined) logged.part = { type, text: '', isOwn };
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
    endText(index, text) {
      const logged = items.get(index);
      if (logged === undefined) return;
      logged.isTextEnded = true;
      if (toText(logged.item.arguments) === '') logged.text ||= text;
    },
    isTextEnded: (index) => items.get(index)?.isTextEnded === true,
    close(index, item) {
      items.set(index, { ...begun(item), isClosed: true });
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

function begun(item: JsonObject): LoggedItem {
  return {
    item,
    isClosed: false,
    text: '',
    hasDeltas: false,
    isTextEnded: false,
    part: null,
    parts: [],
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
