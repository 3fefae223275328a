import { type JsonObject, toJsonArray, toJsonObject, toText } from '../json/json-value.ts';

type LoggedItem = { item: JsonObject; isClosed: boolean; text: string };

/** The items of a stream so far, by index: to check events, and as the output of a failed response. */
export type ItemLog = {
  isOpen(index: number): boolean;
  has(index: number): boolean;
  idOf(index: number): unknown;
  open(index: number, item: JsonObject): void;
  /** A delta of the open item's text, arguments or refusal. */
  append(index: number, text: string): void;
  close(index: number, item: JsonObject): void;
  /** All items in order; open ones as far as they have been received. */
  toOutput(): JsonObject[];
};

export function createItemLog(): ItemLog {
  const items = new Map<number, LoggedItem>();
  return {
    isOpen: (index) => items.get(index)?.isClosed === false,
    has: (index) => items.has(index),
    idOf: (index) => items.get(index)?.item.id,
    open(index, item) {
      items.set(index, { item, isClosed: false, text: '' });
    },
    append(index, text) {
      const logged = items.get(index);
      if (logged !== undefined) logged.text += text;
    },
    close(index, item) {
      items.set(index, { item, isClosed: true, text: '' });
    },
    toOutput() {
      const inOrder = [...items].sort(([a], [b]) => a - b);
      return inOrder.map(([, logged]) => (logged.isClosed ? logged.item : toPartialItem(logged)));
    },
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
