import {
  isJsonObject,
  type JsonObject,
  toJsonArray,
  toJsonObject,
  toText,
} from '#lib/http/json-value.ts';
import { isReasoningToken, splitCallId } from '../chat/reasoning.ts';
import { findMark, type ReasoningMark, toOwnReasoning } from '../reasoning-mark.ts';

/** A message without what this upstream has not signed: that of a translated reply, or of another upstream. */
export function toOwnMessage(message: JsonObject, reasoning: ReasoningMark): JsonObject {
  const { content, ...rest } = message;
  if (!Array.isArray(content)) return message;
  const own = content.map((block) => toOwnBlock(block, reasoning));
  const kept = own.filter((block) => block !== null);
  return { ...rest, content: kept.map(withPlainId) };
}

function toOwnBlock(block: unknown, reasoning: ReasoningMark): unknown {
  if (!isJsonObject(block)) return block;
  if (block.type === 'text' && Array.isArray(block.citations)) return withOwnCitations(block);
  const field = reasoningField(block);
  const token = field === null ? undefined : block[field];
  if (field === null || typeof token !== 'string') return block;
  const own = isReasoningToken(token) ? null : toOwnReasoning(token, reasoning);
  if (own === null) return null;
  return own === token ? block : { ...block, [field]: own };
}

/** Of citations of a translated reply, which no upstream can find again. */
export const noIndex = '';

function withOwnCitations({ citations, ...block }: JsonObject): JsonObject {
  const all = toJsonArray(citations);
  const own = all.filter((citation) => toJsonObject(citation).encrypted_index !== noIndex);
  return own.length === 0 ? block : { ...block, citations: own };
}

const callIdFields: Readonly<Record<string, string>> = {
  tool_use: 'id',
  tool_result: 'tool_use_id',
};

function withPlainId(block: unknown): unknown {
  if (!isJsonObject(block)) return block;
  const field = callIdFields[toText(block.type)] ?? '';
  const sent = block[field];
  if (typeof sent !== 'string') return block;
  const { id } = splitCallId(sent);
  return id === sent ? block : { ...block, [field]: id };
}

/** The field of a block that only the upstream which wrote it can read. */
export function reasoningField({ type }: JsonObject): 'signature' | 'data' | null {
  if (type === 'thinking') return 'signature';
  return type === 'redacted_thinking' ? 'data' : null;
}

/** Null: no reasoning is marked. */
export function findNewestMark(messages: readonly unknown[]): string | null {
  const blocks = messages.flatMap((message) => toJsonArray(toJsonObject(message).content));
  for (const block of blocks.map(toJsonObject).reverse()) {
    const tokens = [
      block[reasoningField(block) ?? ''],
      ...splitCallId(toText(block.id)).returned.map(({ token }) => token),
    ];
    const mark = tokens.map(findMark).find((found) => found !== null);
    if (mark !== undefined) return mark;
  }
  return null;
}

/** How many blocks of reasoning a message has. */
export function countThinking(message: JsonObject | undefined): number {
  return toJsonArray(message?.content).filter(isThinking).length;
}

function isThinking(block: unknown): boolean {
  return isJsonObject(block) && reasoningField(block) !== null;
}
