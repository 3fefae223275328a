import { type JsonObject, parseJsonObject } from '#lib/ai-proxy/json/json-value.ts';
import type { ProxyError } from '#lib/ai-proxy/proxy-error.ts';
import { doneData, type SseFrame } from '#lib/ai-proxy/sse/frame.ts';
import { createGarbageFailure, toUpstreamFailure } from '#lib/ai-proxy/stream/upstream-failure.ts';

export type ChatFrameHandlers = Readonly<{
  takeChunk(chunk: JsonObject, data: string): string;
  /** `[DONE]` came. */
  takeDone(): string;
  fail(error: ProxyError): string;
}>;

/** Reads a frame of an upstream's chat stream. Errors come as events, or in the place of a chunk. */
export function readChatFrame({ event, data }: SseFrame, handlers: ChatFrameHandlers): string {
  if (data === doneData) return handlers.takeDone();
  const chunk = parseJsonObject(data);
  if (chunk === null) return handlers.fail(createGarbageFailure());
  const isError = event === 'error' || (chunk.error !== undefined && chunk.error !== null);
  if (!isError) return handlers.takeChunk(chunk, data);
  return handlers.fail(toUpstreamFailure(chunk.error ?? chunk));
}
