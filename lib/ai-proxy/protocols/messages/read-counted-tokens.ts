import { parseJsonObject } from '#lib/http/json-value.ts';
import { toEstimatedUsage } from '#lib/spend/usage/token-usage.ts';
import { createGarbageFailure, toUpstreamFailure } from '../../stream/upstream-failure.ts';
import type { MessagesResult } from './read-result.ts';

/** Reads an upstream’s count of a prompt’s tokens, which costs nothing. @throws HttpError */
export function readCountedTokens(text: string): MessagesResult {
  const given = parseJsonObject(text);
  if (given !== null && (given.error ?? null) !== null) throw toUpstreamFailure(given.error);
  if (!Number.isSafeInteger(given?.input_tokens)) throw createGarbageFailure();
  return { result: { ...given }, usage: toEstimatedUsage(0, 0) };
}
