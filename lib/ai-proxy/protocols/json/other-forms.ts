import { isJsonObject, type JsonObject, toJsonArray } from '#lib/http/json-value.ts';
import { unsupportedField } from './check.ts';
import { keepNumbers } from './source-text.ts';

/** What clients send because other servers take it, in the documented form. */

type Conversation = 'messages' | 'input';

const endpointsOf: Readonly<Record<Conversation, string>> = {
  input: '`/proxy/v1/responses`',
  messages: '`/proxy/v1/chat/completions`, or `/proxy/v1/messages` if it is one of Anthropic’s API',
};

/** @param own the field of the conversation here. @throws HttpError 400 for a body of another API, which it names */
export function rejectOtherApi(body: JsonObject, own: Conversation): void {
  const other = own === 'input' ? 'messages' : 'input';
  if ((body[own] ?? null) !== null || (body[other] ?? null) === null) return;
  throw unsupportedField(
    [other],
    `This endpoint takes the conversation in \`${own}\`. Send a body with \`${other}\` to ${endpointsOf[other]}.`,
  );
}

/** A bound above it bounds nothing: no model's reply is as long. */
export const tokensMax = 10_000_000;

/** @param boundNames bounds of the reply: one that bounds nothing is left out */
export function toDocumentedForm(body: JsonObject, boundNames: readonly string[]): JsonObject {
  const endless = boundNames.filter((name) => isEndless(body[name]));
  const isAny = body.tool_choice === 'any';
  if (endless.length === 0 && !isAny) return body;
  const kept = Object.entries(body).filter(([name]) => !endless.includes(name));
  return keepNumbers(body, {
    ...Object.fromEntries(kept),
    ...(isAny && { tool_choice: 'required' }),
  });
}

export function isEndless(bound: unknown): boolean {
  return typeof bound === 'number' && bound > tokensMax;
}

/**
 * A message of chat: tools that return nothing have an empty text, an image is an object with a `url`, and what is `null` is
 * left out, as Groq rejects `tool_call_id` by its name alone.
 */
export function toDocumentedMessage(received: JsonObject): JsonObject {
  const message = withoutUnset(received);
  const { role, content } = message;
  if (role === 'tool' && content === null) return { ...message, content: '' };
  if (!toJsonArray(content).some(hasPlainImage)) return message;
  const parts = toJsonArray(content).map((part) =>
    hasPlainImage(part) ? { ...part, image_url: { url: part.image_url } } : part,
  );
  return { ...message, content: parts };
}

/** `content` may be null. */
function withoutUnset(message: JsonObject): JsonObject {
  const entries = Object.entries(message);
  const set = entries.filter(([name, value]) => name === 'content' || value !== null);
  return set.length === entries.length ? message : Object.fromEntries(set);
}

function hasPlainImage(part: unknown): part is JsonObject {
  return isJsonObject(part) && part.type === 'image_url' && typeof part.image_url === 'string';
}
