import { type JsonObject, toJsonArray, toJsonObject, toText } from '#lib/http/json-value.ts';
import type { Change } from './quirk.ts';

/** Of a client of chat, too, who can hardly change what its libraries send. */
export function ofAllChat(change: Change) {
  return { chat: change, translated: change } as const;
}

export function inOrder(...changes: readonly Change[]): Change {
  return (request, ...known) =>
    changes.reduce((changed, change) => change(changed, ...known), request);
}

export function changeMessages(
  toMessages: (messages: readonly JsonObject[]) => readonly JsonObject[],
): Change {
  return (request) => ({
    ...request,
    messages: toMessages(toJsonArray(request.messages).map(toJsonObject)),
  });
}

export function eachMessage(change: (message: JsonObject) => JsonObject): Change {
  return changeMessages((messages) => messages.map(change));
}

/** Changes each object in a list of another one, if it has that. */
export function eachIn(
  name: string,
  change: (inner: JsonObject) => JsonObject,
): (object: JsonObject) => JsonObject {
  return (object) => {
    const list = object[name];
    return Array.isArray(list)
      ? { ...object, [name]: list.map((inner) => change(toJsonObject(inner))) }
      : object;
  };
}

/** An object without these fields. */
export function omit(object: JsonObject, ...names: readonly string[]): JsonObject {
  // A copy keeps the texts of its numbers.
  const kept: Record<string, unknown> = { ...object };
  for (const name of names) Reflect.deleteProperty(kept, name);
  return kept;
}

/** Several contents as one text, unless there is more than text. */
export function joinContents(messages: readonly JsonObject[]): string | readonly JsonObject[] {
  const parts = messages
    .flatMap(({ content }) =>
      Array.isArray(content)
        ? content.map((part) => omit(toJsonObject(part), 'cache_control'))
        : [{ type: 'text', text: toText(content) }],
    )
    .filter(({ text }) => text !== '');
  const isText = parts.every(({ type }) => type === 'text');
  return isText ? parts.map(({ text }) => toText(text)).join('\n\n') : parts;
}
