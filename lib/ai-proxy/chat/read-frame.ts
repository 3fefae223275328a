import { type JsonObject, parseJsonObject } from '#lib/ai-proxy/json/json-value.ts';
import type { ProxyError } from '#lib/ai-proxy/proxy-error.ts';
import { doneData, type SseFrame } from '#lib/ai-proxy/sse/frame.ts';
import { createGarbageFailure, toUpstreamFailure } from '#lib/ai-proxy/stream/upstream-failure.ts';

export type ChatFrame =
  | Readonly<{ kind: 'chunk'; chunk: JsonObject }>
  | Readonly<{ kind: 'done' }>
  | Readonly<{ kind: 'failure'; error: ProxyError }>
  | Readonly<{ kind: 'nothing' }>;

/** What a frame of an upstream's chat stream is. Errors come as events, or in the place of a chunk. */
export function readChatFrame({ event, data }: SseFrame): ChatFrame {
  if (data === '') return { kind: 'nothing' };
  if (data === doneData) return { kind: 'done' };
  const chunk = parseJsonObject(data);
  if (chunk === null) return { kind: 'failure', error: createGarbageFailure() };
  const isError = event === 'error' || (chunk.error !== undefined && chunk.error !== null);
  if (!isError) return { kind: 'chunk', chunk };
  return { kind: 'failure', error: toUpstreamFailure(chunk.error ?? chunk) };
}
