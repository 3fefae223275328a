import { type JsonObject, toJsonArray, toJsonObject, toText } from '#lib/http/json-value.ts';

type LoggedItem = {
  item: JsonObject;
  isClosed: boolean;
  text: string;
  /** The content part that is open, and its text. */
  part: { type: string; text: string } | null;
  /** Those that are complete. */
  parts: JsonObject[];
};

/** An item that the stream has not closed, as far as it has been received. */
export type OpenItem = Readonly<{
  index: number;
  item: JsonObject;
  part: Readonly<{ type: string; text: string }> | null;
  parts: readonly JsonObject[];
}>;

/** The items of a stream so far, by index: to check events, and as the output of a failed response. */
export type ItemLog = {
  isOpen(index: number): boolean;
  has(index: number): boolean;
  idOf(index: number): unknown;
  open(index: number, item: JsonObject): void;
  openPart(index: number, type: string): void;
  closePart(index: number, part: JsonObject): void;
  /** A delta of the open item; `isShown`: its text is part of the item in a failed response. */
  append(index: number, text: string, isShown: boolean): void;
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
    open(index, item) {
      items.set(index, { item, isClosed: false, text: '', part: null, parts: [] });
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
      if (isShown) logged.text += text;
      if (logged.part !== null) logged.part.text += text;
    },
    close(index, item) {
      items.set(index, { item, isClosed: true, text: '', part: null, parts: [] });
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
