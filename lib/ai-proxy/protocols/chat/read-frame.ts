import type { EventSourceMessage } from 'eventsource-parser';
import type { HttpError } from '#lib/http/errors/errors.ts';
import { type JsonObject, parseJsonObject } from '#lib/http/json-value.ts';
import { doneData } from '../../stream/sse-frame.ts';
import { createGarbageFailure, toUpstreamFailure } from '../../stream/upstream-failure.ts';

export type ChatFrameHandlers = Readonly<{
  takeChunk(chunk: JsonObject, data: string): string;
  /** `[DONE]` was received. */
  takeDone(): string;
  fail(error: HttpError): string;
}>;

/** Reads a frame of an upstream's chat stream. Errors come as events, or in place of a chunk. */
export function readChatFrame(
  { event, data }: EventSourceMessage,
  handlers: ChatFrameHandlers,
): string {
  if (data === doneData) return handlers.takeDone();
  const chunk = parseJsonObject(data);
  if (chunk === null) return handlers.fail(createGarbageFailure());
  const isError = event === 'error' || (chunk.error !== undefined && chunk.error !== null);
  if (!isError) return handlers.takeChunk(chunk, data);
  return handlers.fail(toUpstreamFailure(chunk.error ?? chunk));
}
