import { isJsonObject, type JsonObject, toJsonArray } from '#lib/http/json-value.ts';

/** What clients send because other servers take it, in the documented form. */

/** A bound above it bounds nothing: no model's reply is as long. */
export const tokensMax = 10_000_000;

/** @param boundNames bounds of the reply: one that bounds nothing is left out */
export function toDocumentedForm(body: JsonObject, boundNames: readonly string[]): JsonObject {
  const endless = boundNames.filter((name) => isEndless(body[name]));
  const isAny = body.tool_choice === 'any';
  if (endless.length === 0 && !isAny) return body;
  const kept = Object.entries(body).filter(([name]) => !endless.includes(name));
  return { ...Object.fromEntries(kept), ...(isAny && { tool_choice: 'required' }) };
}

export function isEndless(bound: unknown): boolean {
  return typeof bound === 'number' && bound > tokensMax;
}

/** A message of chat: tools that return nothing have an empty text, and an image is an object with a `url`. */
export function toDocumentedMessage(message: JsonObject): JsonObject {
  const { role, content } = message;
  if (role === 'tool' && content === null) return { ...message, content: '' };
  if (!toJsonArray(content).some(hasPlainImage)) return message;
  const parts = toJsonArray(content).map((part) =>
    hasPlainImage(part) ? { ...part, image_url: { url: part.image_url } } : part,
  );
  return { ...message, content: parts };
}

function hasPlainImage(part: unknown): part is JsonObject {
  return isJsonObject(part) && part.type === 'image_url' && typeof part.image_url === 'string';
}
