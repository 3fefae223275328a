import { isJsonObject, type JsonObject, toJsonArray, toJsonObject } from '#lib/http/json-value.ts';
import { isReasoningToken } from '../chat/reasoning.ts';
import type { MessagesRequest } from './read-request.ts';

/** The body for an upstream that has Messages. @param outputTokensMax the bound of the reply; null: the client's */
export function toNativeBody(
  { given, options }: MessagesRequest,
  { model, outputTokensMax }: Readonly<{ model: string; outputTokensMax: number | null }>,
): string {
  // The upstream's account is shared by all: nobody stores anything there.
  const { store: _, ...rest } = given;
  return JSON.stringify({
    ...rest,
    messages: toJsonArray(given.messages).map(withoutForeignThinking),
    model,
    max_tokens: outputTokensMax ?? options.max_tokens,
  });
}

/** An upstream rejects a signature that is not its own, such as that of a translated reply. */
function withoutForeignThinking(message: unknown): JsonObject {
  const { content, ...rest } = toJsonObject(message);
  if (!Array.isArray(content)) return { ...rest, content };
  return { ...rest, content: content.filter((block) => !isForeign(block)) };
}

function isForeign(block: unknown): boolean {
  return isJsonObject(block) && block.type === 'thinking' && isReasoningToken(block.signature);
}
