import { isJsonObject, type JsonObject, toJsonArray, toJsonObject } from '#lib/http/json-value.ts';
import { isReasoningToken } from '../chat/reasoning.ts';
import type { MessagesRequest } from './read-request.ts';

/** The least that Messages accepts as `budget_tokens`, which must be below `max_tokens`. */
const thinkingTokensMin = 1024;

/** The body for an upstream that has Messages, with a smaller bound than the client's own, if any. */
export function toNativeBody(
  { given: all, options }: MessagesRequest,
  { model, outputTokensMax }: Readonly<{ model: string; outputTokensMax: number | null }>,
): string {
  const given = { ...all, messages: toJsonArray(all.messages).map(withoutForeignThinking) };
  if (outputTokensMax === null) return JSON.stringify({ ...given, model });
  const { thinking } = options;
  const bounded = { ...given, model, max_tokens: outputTokensMax };
  const budget = toJsonObject(thinking).budget_tokens;
  if (typeof budget !== 'number' || budget < outputTokensMax) return JSON.stringify(bounded);
  const smaller = Math.max(thinkingTokensMin, Math.floor(outputTokensMax / 2));
  const isTooSmall = smaller >= outputTokensMax;
  return JSON.stringify({
    ...bounded,
    thinking: isTooSmall ? { type: 'disabled' } : { ...thinking, budget_tokens: smaller },
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
